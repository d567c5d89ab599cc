"""``svc-notebook init``: a first data model over tables that nobody has described yet.

:func:`scaffold_model` looks at files, databases, data frames or a neutral description and returns a model in the form
parsed YAML has; :func:`write_model` makes files of it. What it guesses (keys, joins, titles, formats) it guesses
from names and has the values bear out; what stays in doubt is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .intake.data_files import table_name
from .intake.sqlite_files import read_sqlite
from .scaffolding.adding import add_to_model, is_model_folder
from .scaffolding.assembly import assemble
from .scaffolding.reading import looking_into
from .scaffolding.tables import Database, read_description
from .scaffolding.writing import to_yaml, write_model

if TYPE_CHECKING:
    from .engine.base import Engine
    from .intake.keys import DeclaredKeys
    from .scaffolding.notes import DataNotes

__all__ = ["add_to_model", "is_model_folder", "read_sqlite", "scaffold_model", "to_yaml", "write_model"]


def scaffold_model(
    sources: Mapping[str, Any] | Sequence[str | Path] | str | Path,
    *,
    data: Mapping[str, Any] | None = None,
    engine: Engine | None = None,
    keys: Mapping[str, DeclaredKeys] | None = None,
    views: bool = True,
    remarks: list[str] | None = None,
    notes: DataNotes | None = None,
) -> dict[str, Any]:
    """Make a first model.

    Parameters
    ----------
    sources
        Tables by name (a path to CSV, TSV, Parquet or JSON, a data frame, an Arrow table), or paths alone; a DuckDB or
        SQLite file stands for all its tables. Or a description ``{"tables": [{"name", "label"?, "columns": [{"name",
        "type", "label"?, "description"?}], "primary_key"?}], "joins"?: [{"from_table", "from_column", "to_table",
        "to_column", "relationship"?}]}``; joins that are given are all there are, absent ones are looked for.
    data
        For a description: the tables' contents, in the forms above, to look at.
    engine
        An engine that has the tables; then it is looked into, and ``sources`` adds nothing but a description.
    keys
        With an engine: the keys that its tables declare, by table.
    views
        Whether to add a view for each table that refers to others.
    remarks
        What a reader should know is appended here: columns that were left out, and why.
    notes
        What was taken for what is told here, column by column, and what could not be told.

    Returns
    -------
    dict
        ``{"cubes": […], "views": […]}``; :func:`~svc_notebook.semantic.loader.load_model` reads it without findings.

    Raises
    ------
    ValueError
        If a source cannot be read; the message says which and why.
    """
    described = read_description(sources) if isinstance(sources, Mapping) and _is_description(sources) else None
    named = {} if described is not None else _named(sources)
    if described is not None and engine is None and not data:
        return _checked(assemble(described, None, views=views, remarks=remarks, notes=notes))
    with looking_into(dict(data or {}) if described is not None else named, engine, keys, remarks) as (seen, looker):
        database = seen if described is None else _merged(described, seen)
        return _checked(assemble(database, looker, views=views, remarks=remarks, notes=notes))


def _checked(model: dict[str, Any]) -> dict[str, Any]:
    if not model["cubes"]:
        raise ValueError("there are no tables to make a model of")
    return model


def _is_description(sources: Mapping[str, Any]) -> bool:
    tables = sources.get("tables")
    return isinstance(tables, Sequence) and not isinstance(tables, str) and all(isinstance(t, Mapping) for t in tables)


def _named(sources: Mapping[str, Any] | Sequence[str | Path] | str | Path) -> dict[str, Any]:
    if isinstance(sources, Mapping):
        return dict(sources)
    paths = [sources] if isinstance(sources, (str, Path)) else list(sources)
    named: dict[str, Any] = {}
    for path in map(Path, paths):
        stem = table_name(path)
        if stem in named:
            raise ValueError(f"two sources would be the table '{stem}'; give names, as in {{'{stem}_2': '{path}'}}")
        named[stem] = path
    return named


def _merged(described: Database, seen: Database) -> Database:
    """The described tables under the names and with the types that were seen."""
    from dataclasses import replace

    tables = []
    for table in described.tables:
        real = seen.table(table.name)
        if real is None:
            raise ValueError(f"the description has a table '{table.name}' that the data does not have")
        types = {column.name.lower(): column for column in real.columns}
        missing = [column.name for column in table.columns if column.name.lower() not in types]
        if missing:
            raise ValueError(f"the data of table '{table.name}' has no column '{missing[0]}'")
        columns = tuple(
            replace(column, name=types[column.name.lower()].name, physical=types[column.name.lower()].physical)
            for column in table.columns
        )
        tables.append(
            replace(table, name=real.name, columns=columns, primary_key=table.primary_key or real.primary_key)
        )
    return replace(described, tables=tuple(tables))
