"""``svc-notebook validate``: every problem of a data model, with file, line and the near miss."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .connection import pairs
from .output import CommandFailed, command, print_json

if TYPE_CHECKING:
    from ..semantic.engine import Engine

EXAMPLES = """\
examples:
  svc-notebook validate model/                           every problem, with file and line
  svc-notebook validate model/ --strict                  for continuous integration
  svc-notebook validate model/ --database shop.duckdb    against the data too: columns, types, keys, joins
  svc-notebook validate model/ --data orders=orders.csv
  svc-notebook validate model/ --json                    for an editor: severity, message, file, line, column
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "validate",
        help="check a data model: every problem with file and line",
        description="Check the YAML files of a data model, with --database or --data against its data too. Exit code 1 "
        "when there are errors; warnings alone are 0 (with --strict, 1).",
        more=EXAMPLES,
    )
    parser.add_argument("model", type=Path, help="folder or file of the data model")
    parser.add_argument("--dialect", help="the database whose SQL the model is written in, if it does not say itself")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--database", metavar="FILE", help="DuckDB or SQLite file to hold the model against")
    parser.add_argument(
        "--data", action="append", metavar="NAME=FILE", help="CSV, Parquet or JSON file to hold it against (repeatable)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how it is printed (default: text)")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="the same as --format json")
    parser.set_defaults(run=run)


@contextmanager
def _engine(options: argparse.Namespace) -> Iterator[Engine | None]:
    """The data the model is to be held against; None for the model alone."""
    if not options.database and not options.data:
        yield None
        return
    from ..semantic.engine import DuckDBEngine
    from ..semantic.errors import SemanticError
    from ..semantic.intake.live import LiveDatabase, where_it_lies
    from ..semantic.snapshot import DataSource

    data = pairs(options.data, "--data")
    try:
        sources = where_it_lies(data or None, options.database)
        if any(isinstance(source, LiveDatabase) for source in sources):
            engine: Engine = DataSource(sources).read(first=True).engine
        else:
            engine = DuckDBEngine.open(options.database, data=data)
    except (SemanticError, ValueError, OSError) as error:
        raise CommandFailed(str(error)) from None
    try:
        yield engine
    finally:
        engine.close()


def run(options: argparse.Namespace) -> int:
    from ..semantic.validate import validate_model

    if not options.model.exists():
        raise CommandFailed(f"no such file or folder: {options.model}")
    with _engine(options) as engine:
        found = validate_model(options.model, dialect=options.dialect, engine=engine)
    if options.format == "json":
        fields = ("severity", "message", "file", "line", "column")
        print_json([{name: getattr(problem, name) for name in fields} for problem in found.problems])
    else:
        print(found.text)
    return 1 if found.errors or (options.strict and found.warnings) else 0
