"""What every peer prints: medians of compiling and of executing, and the rows for comparison."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import Any


def report(name: str, *, compile_: Callable[[], Any], execute: Callable[[], Any], rounds: int) -> None:
    """Time both and print one JSON line; a question the peer cannot answer says so."""
    try:
        rows = execute()
        line = {
            "question": name,
            "compile_ms": _median(compile_, rounds),
            "execute_ms": _median(execute, rounds),
            "rows": [[None if value is None else str(value) for value in row] for row in rows],
        }
    except Exception as problem:  # noqa: BLE001 - what a peer raises is its own affair; it is reported
        line = {"question": name, "error": f"{type(problem).__name__}: {str(problem)[:300]}"}
    print(json.dumps(line), flush=True)


def _median(work: Callable[[], Any], rounds: int) -> float:
    spent = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return statistics.median(spent)
