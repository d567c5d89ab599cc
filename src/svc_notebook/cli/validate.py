"""``svc-notebook validate``: every problem of a data model, with file, line and the near miss."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .output import CommandFailed, command, print_json

EXAMPLES = """\
examples:
  svc-notebook validate model/                           every problem, with file and line
  svc-notebook validate model/ --strict                  for continuous integration
  svc-notebook validate model/ --json                    for an editor: severity, message, file, line, column
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "validate",
        help="check a data model: every problem with file and line",
        description="Check the YAML files of a data model. Exit code 1 when there are errors; warnings alone are 0 "
        "(with --strict, 1).",
        more=EXAMPLES,
    )
    parser.add_argument("model", type=Path, help="folder or file of the data model")
    parser.add_argument("--dialect", help="the database whose SQL the model is written in, if it does not say itself")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--json", action="store_true", help="findings as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..semantic.validate import validate_model

    if not options.model.exists():
        raise CommandFailed(f"no such file or folder: {options.model}")
    found = validate_model(options.model, dialect=options.dialect)
    if options.json:
        fields = ("severity", "message", "file", "line", "column")
        print_json([{name: getattr(problem, name) for name in fields} for problem in found.problems])
    else:
        print(found.text)
    return 1 if found.errors or (options.strict and found.warnings) else 0
