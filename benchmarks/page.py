"""``docs/performance.md``: the newest figures of every group, the machine they come from, and how the ratios went.

The figures lie in ``benchmarks/results/history.json``; a run replaces what it measured and leaves the rest.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .profiles import Cost
from .report import Measurement, environment, number

__all__ = ["update"]

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
HISTORY = Path(__file__).with_name("results") / "history.json"
_RUNS = 30
_SHOWN = 5

_HEAD = """\
# What it costs

Written by `make bench`; every figure is measured beside a floor in the same run, so that a slow or busy machine changes both.
Read the ratios: absolute times are of one machine on one day. `make bench ARGS="--only compile"` measures one group anew and
leaves the others as they are.
"""


def update(results: Mapping[str, Sequence[Measurement]], costs: Mapping[str, Sequence[Cost]]) -> None:
    """Note a run, and write the page from all that is known."""
    runs = json.loads(HISTORY.read_text("utf-8")) if HISTORY.exists() else []
    runs.append({
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "machine": machine(),
        "versions": environment(),
        "groups": {group: [{**asdict(m), "ratio": m.ratio, "kept": m.kept} for m in found]
                   for group, found in results.items()},
        "costs": {subject: [asdict(cost) for cost in found] for subject, found in costs.items()},
    })  # fmt: skip
    HISTORY.parent.mkdir(exist_ok=True)
    HISTORY.write_text(json.dumps(runs[-_RUNS:], indent=1) + "\n", "utf-8")
    PAGE.write_text(page(runs[-_RUNS:]), "utf-8")


def machine() -> str:
    """What the figures were measured on; also how busy it was."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{_processor()}, {os.cpu_count()} cores, {_memory()}{platform.system()}{load}"


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB, "
    except (ValueError, OSError, AttributeError):
        return ""


def page(runs: Sequence[Mapping[str, Any]]) -> str:
    """The page of some runs, the newest last."""
    groups = sorted({group for run in runs for group in run["groups"]})
    subjects = list(dict.fromkeys(subject for run in runs for subject in run["costs"]))
    parts = [_HEAD, *(_group(group, [run for run in runs if group in run["groups"]]) for group in groups)]
    if subjects:
        parts.append(
            "## Where the computing goes\n\nThe ten largest costs, each its own computing without what it calls.\n"
        )
        parts += [_costs(subject, [run for run in runs if subject in run["costs"]][-1]) for subject in subjects]
    return "\n".join(parts)


def _group(group: str, runs: Sequence[Mapping[str, Any]]) -> str:
    newest = runs[-1]
    lines = [
        f"## {group.replace('_', ' ')}\n", f"{newest['when']} UTC, {newest['machine']}; {_versions(newest)}.\n",
        "| what | measured | beside | ratio | promised | before |", "|---|---|---|---|---|---|",
        *(_row(found, _earlier(found["name"], group, runs[:-1])) for found in newest["groups"][group]),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _row(found: Mapping[str, Any], earlier: Iterable[str]) -> str:
    floor = f"{found['floor_name']}: {number(found['floor'])} {found['unit']}" if found["floor"] else ""
    ratio = f"{found['ratio']:.2f}" if found["ratio"] is not None else ""
    bound = "" if found["limit"] is None else f"{'≤' if found['better'] == 'lower' else '≥'} {found['limit']:g}"
    kept = {True: ", kept", False: ", **missed**", None: ""}[found["kept"]]
    what = f"{found['name']} ({found['note']})" if found["note"] else found["name"]
    cells = [what, f"{number(found['value'])} {found['unit']}", floor, ratio, bound + kept, " · ".join(earlier)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _earlier(name: str, group: str, runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ratio (or the value) of the runs before, oldest first."""
    found = [each for run in runs for each in run["groups"][group] if each["name"] == name][-_SHOWN:]
    return [f"{each['ratio']:.2f}" if each["ratio"] is not None else number(each["value"]) for each in found]


def _costs(subject: str, run: Mapping[str, Any]) -> str:
    rows = [f"| `{cost['where']}` | {cost['share']:.1%} | {cost['calls']:,} |" for cost in run["costs"][subject]]
    return "\n".join([f"### {subject}\n", "| function | share | calls |", "|---|---|---|", *rows]) + "\n"


def _versions(run: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {version}" for name, version in run["versions"].items() if name != "system")
