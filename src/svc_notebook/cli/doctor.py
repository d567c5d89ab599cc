"""``svc-notebook doctor``: look at the environment, and say how to mend what is amiss."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from .examination import Finding
from .output import command, print_json

_MARK = {"ok": "✓", "note": "·", "problem": "✗"}

EXAMPLES = """\
examples:
  svc-notebook doctor                                   Python, packages, kernel, JupyterLab, the demo
  svc-notebook doctor --model model/ --store state.sqlite
  svc-notebook doctor --port 8080                       can `serve` have this port?
  svc-notebook doctor --json                            for a script: [{"level", "what", "remedy"}]

exit codes: 0 nothing to mend, 1 something is (marked ✗)
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "doctor",
        help="check this environment, and how to mend what is amiss",
        description="Check Python, packages, kernel and front end, extras, fonts, proxies, names in this folder, "
        "and the demo (or your model, store and port). Exit code 1 when something needs mending.",
        more=EXAMPLES,
    )
    parser.add_argument("--model", type=Path, metavar="DIR", help="also check this data model")
    parser.add_argument("--store", metavar="URL", help="also open this state store (a path or a database URL)")
    parser.add_argument("--port", type=int, help="also see whether this port is free")
    parser.add_argument("--json", action="store_true", help="findings as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    findings = [finding for look in _looks(options) for finding in look()]
    if options.json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{_MARK[finding.level]} {finding.what}")
            if finding.remedy:
                print(f"    → {finding.remedy}")
    return 1 if any(finding.level == "problem" for finding in findings) else 0


def _looks(options: argparse.Namespace) -> list[Callable[[], Iterator[Finding]]]:
    from .examination import frontend, packages, surroundings

    looks: list[Callable[[], Iterator[Finding]]] = [
        packages.python, packages.dependencies, partial(packages.shadows, Path.cwd()),
        frontend.kernel, frontend.lab, frontend.widgets, packages.extras, frontend.fonts,
        surroundings.proxies, surroundings.demo,
    ]  # fmt: skip
    if options.model:
        looks.append(partial(surroundings.model, options.model))
    if options.store:
        looks.append(partial(surroundings.store, options.store))
    if options.port is not None:
        looks.append(partial(surroundings.port, options.port))
    return looks
