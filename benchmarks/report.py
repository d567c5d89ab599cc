"""One benchmark is a function that returns measurements; this is their form, and how they are printed.

A measurement is compared with a floor measured in the same run (a bare generator, ``json.loads``, hand-written SQL), so that
a slow or busy machine changes both sides alike. ``limit`` is the ratio that is promised.
"""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

__all__ = ["Measurement", "environment", "number", "print_report", "timed", "write_json"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured, its floor, and what is promised about their ratio.

    ``better="lower"``: ``value / floor`` must not exceed ``limit``. ``better="higher"``: ``floor / value`` must reach it
    (the floor is then the slow way that is to be beaten).
    """

    name: str
    value: float
    unit: str
    floor: float | None = None
    floor_name: str = ""
    limit: float | None = None
    better: Literal["lower", "higher"] = "lower"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        if self.floor is None or not self.value or not self.floor:
            return None
        return self.value / self.floor if self.better == "lower" else self.floor / self.value

    @property
    def kept(self) -> bool | None:
        """Whether the promise holds; None where nothing is promised."""
        if self.limit is None or self.ratio is None:
            return None
        return self.ratio <= self.limit if self.better == "lower" else self.ratio >= self.limit


def timed(work: Callable[[], Any], *, rounds: int = 5, number: int = 1, warmup: int = 1) -> float:
    """Median seconds of one call of ``work``."""
    for _ in range(warmup):
        work()
    spent = []
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(number):
            work()
        spent.append((time.perf_counter() - began) / number)
    return statistics.median(spent)


def print_report(group: str, measurements: Iterable[Measurement]) -> None:
    print(f"\n{group}")
    for m in measurements:
        line = f"  {m.name:<58} {number(m.value):>10} {m.unit}"
        if m.ratio is not None:
            line += f"   {m.ratio:6.2f}× {m.floor_name} ({number(m.floor or 0)})"
        if m.limit is not None:
            bound = "at most" if m.better == "lower" else "at least"
            line += f"   {bound} {m.limit:g}×: {'kept' if m.kept else 'MISSED'}"
        print(line + (f"   {m.note}" if m.note else ""), flush=True)


def write_json(path: Path, results: dict[str, list[Measurement]]) -> None:
    found = {
        group: [{**asdict(m), "ratio": m.ratio, "kept": m.kept} for m in measurements]
        for group, measurements in results.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"environment": environment(), "results": found}, indent=2) + "\n", "utf-8")


def environment() -> dict[str, str]:
    packages = ("svc-notebook", "duckdb", "sqlglot", "pandas", "pyarrow", "httpx", "starlette", "msgspec")
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        **{name: version(name) for name in packages},
    }


def number(value: float) -> str:
    """A figure with as many digits as say something."""
    if value and abs(value) < 0.01:
        return f"{value:.2e}"
    return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"
