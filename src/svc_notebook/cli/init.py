"""``svc-notebook init``: a first data model over your own files."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .output import CommandFailed, command, note, print_json
from .progress import waiting

if TYPE_CHECKING:
    from ..semantic.scaffolding.adding import Added

DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")


EXAMPLES = """\
examples:
  svc-notebook init orders.csv customers.csv             tables orders and customers, written to model/
  svc-notebook init shop.duckdb --out shop/              every table of a database
  svc-notebook init data/                                every file in a folder, one table each
  svc-notebook init people=staff.parquet --json          look at it first; nothing is written

Run again, it adds what is new and leaves every cube and view that is there as it is.
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
    parser.add_argument(
        "sources", nargs="+", metavar="FILE", help="data files or folders, or NAME=FILE to name the table"
    )
    parser.add_argument("--out", type=Path, default=Path("model"), help="folder to write (default: model)")
    parser.add_argument(
        "--force",
        action="store_true",
        help="write cubes and views that are there anew; their old files are kept as .bak",
    )
    parser.add_argument("--json", action="store_true", help="print the model as JSON instead of writing it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..semantic.errors import SemanticError
    from ..semantic.scaffold import add_to_model, is_model_folder, scaffold_model
    from ..semantic.scaffolding.notes import DataNotes

    sources = tables(options.sources)
    out: Path = options.out
    adding = out.is_dir() and is_model_folder(out)
    if not options.json and not adding and out.is_dir() and any(out.iterdir()) and not options.force:
        raise CommandFailed(f"{out} is not empty: choose another --out, or --force to write there anyway")
    notes = DataNotes()
    try:
        with waiting(f"looking into {', '.join(path.name for path in sources.values())}"):
            model = scaffold_model(sources, remarks=notes.remarks, notes=notes)
    except (SemanticError, OSError, ValueError) as error:
        raise CommandFailed(str(error)) from None
    for remark in notes.remarks:
        note(remark)
    if options.json:
        print_json(model)
        return 0
    done = add_to_model(model, out, replace=options.force)
    written = {file.stem for file in done.written}
    for cube in model["cubes"]:
        if cube["name"] in written:
            print(_said_of(cube))
    told = DataNotes([c for c in notes.columns if c.table in written], notes.joins, doubts=notes.doubts)
    if told.columns:
        print(f"\n{told}\n")
    _said_of_what_was_there(done, out)
    print(f"written to {out}; next:" if done.written else f"nothing new for {out}; next:")
    print(f"  svc-notebook validate {_word(out)}")
    print(f'  svc-notebook ask --model {_word(out)} {_data(sources)} "how many {model["cubes"][0]["name"]} are there"')
    return 0


def _said_of(cube: Mapping[str, Any]) -> str:
    joins = ", ".join(join["name"] for join in cube.get("joins", ()))
    if "extends" in cube:
        return f"{cube['name']}: {cube['extends']} in another role"
    counts = f"{len(cube.get('dimensions', ()))} dimensions, {len(cube.get('measures', ()))} measures"
    return f"{cube['name']}: {counts}" + (f", joined to {joins}" if joins else "")


def _said_of_what_was_there(done: Added, out: Path) -> None:
    for file, saved in done.replaced:
        print(f"{file.relative_to(out)}: written anew; the old one is {saved.name}")
    for kept in done.kept:
        more = f", which lacks {', '.join(kept.lacking[:8])}" if kept.lacking else ""
        more += f" and {len(kept.lacking) - 8} more" if len(kept.lacking) > 8 else ""
        print(f"{kept.name}: kept as it is in {kept.file.relative_to(out)}{more}")
    for name in done.unfit:
        print(f"{name}: left out, since it does not fit what was kept")


def _data(sources: Mapping[str, Path]) -> str:
    """The options that open these sources."""
    said = [
        f"--database {_word(path)}" if path.suffix in DATABASES else f"--data {_word(f'{name}={path}')}"
        for name, path in sources.items()
    ]
    return " ".join(said)


def _word(text: object) -> str:
    return shlex.quote(str(text))


def tables(sources: list[str]) -> dict[str, Path]:
    """``["orders.csv", "people=staff.csv", "shop/"]`` as table names and files."""
    from ..semantic.intake.data_files import files_below, is_partitioned, table_name

    found: dict[str, Path] = {}
    for source in sources:
        name, equals, file = source.partition("=")
        path = Path(file if equals and not Path(source).exists() else source)
        named = {name if path != Path(source) else table_name(path): path}
        if path.is_dir() and not is_partitioned(path):
            try:
                named = files_below(path)
            except ValueError as error:
                raise CommandFailed(str(error)) from None
            if not named:
                raise CommandFailed(f"there are no CSV, Parquet, JSON, DuckDB or SQLite files in {path}")
        elif not path.exists():
            raise CommandFailed(f"no such file: {path}")
        for table, where in named.items():
            if table in found:
                raise CommandFailed(f"two files would be the table {table!r}: name one, as in {table}_2={where}")
            found[table] = where
    return found
