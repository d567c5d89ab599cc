"""Primary keys as the data have them: every value once, and none missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dialects.nodes import statement
from ..errors import ModelProblem, QueryError
from ..model import Cube, Dimension
from ..references import find_references, substitute

if TYPE_CHECKING:
    from ..engine import Engine
    from .tables import CubeTable

__all__ = ["key_findings", "own_sql", "repeated"]


def key_findings(cube: Cube, table: CubeTable, engine: Engine) -> list[ModelProblem]:
    """A primary key that repeats makes numbers wrong wherever a join repeats rows."""
    keys = [d for d in cube.dimensions if d.primary_key]
    columns = [sql for key in keys if (sql := own_sql(key)) is not None]
    if not keys or len(columns) != len(keys):
        return []
    try:
        rows, several, missing = repeated(table.place, columns, engine)
    except QueryError:
        return []  # told of the dimension
    named = ", ".join(f"'{key.name}'" for key in keys)
    source = keys[0].source
    if several:
        text = (
            f"the primary key {named} of cube '{cube.name}' is not unique: {several:,} of its values stand in several "
            f"of {rows:,} rows, and measures over joins will be wrong; name further dimensions as primary_key"
        )
        return [ModelProblem(text, source.file, source.line, source.column)]
    if missing:
        text = f"the primary key {named} of cube '{cube.name}' is empty in {missing:,} of {rows:,} rows"
        return [ModelProblem(text, source.file, source.line, source.column, "warning")]
    return []


def own_sql(dimension: Dimension, alias: str = "source") -> str | None:
    """A dimension over its cube's own columns, as SQL over ``alias``; None if it takes more."""
    sql = dimension.sql
    if sql is None or dimension.case is not None or dimension.sub_query:
        return None
    if any(reference.path not in (("CUBE",), ("TABLE",)) for reference in find_references(sql)):
        return None
    flat = substitute(sql, lambda _: alias)
    return f'{alias}."{flat}"' if flat.isidentifier() else flat


def repeated(place: str, columns: Sequence[str], engine: Engine) -> tuple[int, int, int]:
    """How many rows there are, how many values stand in several of them, and in how many rows one is missing."""
    rows_of = place if place.endswith(" AS source") else f"{place} AS source"
    listed = ", ".join(columns)
    empty = " OR ".join(f"({column}) IS NULL" for column in columns)
    # NULLs are told apart: a missing key is no repeated one.
    groups = f"SELECT count(*) AS n FROM {rows_of} WHERE NOT ({empty}) GROUP BY {listed}"
    text = engine.lowered(
        statement(
            f"SELECT (SELECT count(*) FROM {rows_of}) AS a, (SELECT count(*) FROM ({groups}) AS g WHERE n > 1) AS b, "
            f"(SELECT count(*) FROM {rows_of} WHERE {empty}) AS c"
        ),
        {},
    )
    table = engine.execute(text, {})
    row = [column.to_pylist()[0] for column in table.columns]
    return int(row[0]), int(row[1]), int(row[2])
