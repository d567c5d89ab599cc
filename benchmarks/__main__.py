"""Run every ``bench_*.py`` in this folder: each has ``run(quick: bool) -> list[Measurement]``."""

from __future__ import annotations

import argparse
import sys
import traceback
from importlib import import_module
from pathlib import Path

from .page import update
from .profiles import SUBJECTS, largest
from .report import Measurement, print_report, write_json


def main() -> int:
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=known, help="these groups only (repeatable)")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller data")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument(
        "--page", action="store_true", help="also write docs/performance.md, and note the run in its history"
    )
    parser.add_argument("--costs", action="store_true", help="also find the largest costs (a whole run does)")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a promise is missed")
    options = parser.parse_args()
    results: dict[str, list[Measurement]] = {}
    failed: list[str] = []
    for name in options.only or known:
        try:
            results[name] = import_module(f"benchmarks.bench_{name}").run(quick=options.quick)
        except Exception:  # noqa: BLE001 (what one group cannot do must not lose what others measured)
            traceback.print_exc()
            failed.append(name)
            continue
        print_report(name, results[name])
    if options.json:
        write_json(options.json, results)
    if options.page:
        update(results, {subject: largest(subject) for subject in SUBJECTS if options.costs or not options.only})
    missed = [m.name for measurements in results.values() for m in measurements if m.kept is False]
    if missed:
        print(f"\n{len(missed)} promises missed: {'; '.join(missed)}")
    if failed:
        print(f"\nnot measured: {', '.join(failed)}")
    return 1 if failed or (missed and options.check) else 0


if __name__ == "__main__":
    sys.exit(main())
