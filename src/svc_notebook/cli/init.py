"""``svc-notebook init``: a first data model over your own files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .output import CommandFailed, command, print_json
from .progress import waiting

DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")


EXAMPLES = """\
examples:
  svc-notebook init orders.csv customers.csv             tables orders and customers, written to model/
  svc-notebook init shop.duckdb --out shop/              every table of a database
  svc-notebook init people=staff.parquet --json          look at it first; nothing is written
"""


def add(commands: Any) -> None:
    parser = command(
        commands,
        "init",
        help="make a first data model over your own files",
        description="Look into CSV, Parquet, JSON, DuckDB or SQLite files and write a data model over them: types, "
        "keys, joins found by names and values, sensible measures and titles. Read it, correct it, then ask.",
        more=EXAMPLES,
    )
    parser.add_argument("sources", nargs="+", metavar="FILE", help="data files, or NAME=FILE to name the table")
    parser.add_argument("--out", type=Path, default=Path("model"), help="folder to write (default: model)")
    parser.add_argument("--force", action="store_true", help="write even if the folder has files in it")
    parser.add_argument("--json", action="store_true", help="print the model as JSON instead of writing it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..semantic.errors import SemanticError
    from ..semantic.scaffold import scaffold_model, write_model

    sources = tables(options.sources)
    if not options.json and options.out.is_dir() and any(options.out.iterdir()) and not options.force:
        raise CommandFailed(f"{options.out} is not empty: choose another --out, or --force to write there anyway")
    try:
        with waiting(f"looking into {', '.join(path.name for path in sources.values())}"):
            model = scaffold_model(sources)
    except (SemanticError, OSError, ValueError) as error:
        raise CommandFailed(str(error)) from None
    if options.json:
        print_json(model)
        return 0
    write_model(model, options.out)
    for cube in model["cubes"]:
        joins = ", ".join(join["name"] for join in cube.get("joins", ()))
        counts = f"{len(cube.get('dimensions', ()))} dimensions, {len(cube.get('measures', ()))} measures"
        print(f"{cube['name']}: {counts}" + (f", joined to {joins}" if joins else ""))
    data = " ".join(
        f"--database {path}" if path.suffix in DATABASES else f"--data {name}={path}" for name, path in sources.items()
    )
    print(f"written to {options.out}; next:")
    print(f"  svc-notebook validate {options.out}")
    print(f'  svc-notebook ask --model {options.out} {data} "how many {model["cubes"][0]["name"]} are there"')
    return 0


def tables(sources: list[str]) -> dict[str, Path]:
    """``["orders.csv", "people=staff.csv"]`` as table names and files."""
    found: dict[str, Path] = {}
    for source in sources:
        name, equals, file = source.partition("=")
        path = Path(file if equals else source)
        name = name if equals else path.stem
        if not path.is_file():
            raise CommandFailed(f"no such file: {path}")
        if name in found:
            raise CommandFailed(f"two files would be the table {name!r}: name one, as in {name}_2={path}")
        found[name] = path
    return found
