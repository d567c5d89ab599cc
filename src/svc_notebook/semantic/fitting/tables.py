"""The table behind a cube: its columns, and what is said of a table or a column that is not there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ...records import dataclass
from ..compiler.authored.fragments import qualified_select, table_sql
from ..compiler.values import quote
from ..dialects.nodes import statement
from ..errors import ModelProblem, QueryError
from ..loading.problems import did_you_mean
from ..model import Cube, Dimension, Measure, Segment
from ..references import substitute

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["CubeTable", "missing_column", "missing_table"]


@dataclass(frozen=True, slots=True)
class CubeTable:
    """A cube's rows as they are written after FROM, and its columns with their types."""

    place: str
    columns: Mapping[str, pa.DataType]

    @classmethod
    def of(cls, cube: Cube, engine: Engine) -> CubeTable | None:
        """None if the database has no such table, or does not understand the cube's query."""
        place = _place(cube, engine)
        try:
            schema = engine.execute(engine.lowered(statement(f"SELECT * FROM {place} LIMIT 0"), {}), {}).schema
        except QueryError:
            return None
        return cls(place, {field.name: field.type for field in schema})

    def column(self, name: str) -> str | None:
        """A column's own spelling."""
        return next((column for column in self.columns if column.lower() == name.lower()), None)


def _place(cube: Cube, engine: Engine) -> str:
    if cube.sql_table is None:
        return f"({qualified_select(cube.sql or '', engine.qualify)[0]}) AS source"
    try:
        table = exp.to_table(cube.sql_table, dialect="duckdb")
    except (SqlglotError, ValueError):
        return quote(cube.sql_table)
    return table_sql(engine.qualify(table.db or None, table.name, table.catalog or None))


def missing_table(cube: Cube, engine: Engine) -> ModelProblem:
    source = cube.source
    if cube.sql_table is None:
        text = f"the database does not understand the sql of cube '{cube.name}', or has no such table"
    else:
        known = list(engine.describe())
        bare = cube.sql_table.rpartition(".")[2].strip('"')
        near = did_you_mean(cube.sql_table, known) or did_you_mean(bare, known)
        text = f"there is no table '{cube.sql_table}' for cube '{cube.name}'{near}"
        text += f"; there are {', '.join(sorted(known)[:8])}" if known and not near else ""
    return ModelProblem(text, source.file, source.line, source.column)


def missing_column(cube: Cube, table: CubeTable, member: Dimension | Measure | Segment) -> ModelProblem:
    kind = type(member).__name__.lower()
    text = f"{kind} '{member.name}': the database does not understand its SQL"
    for name in _columns(member):
        if table.column(name) is None:
            named = "the sql" if cube.sql_table is None else f"table '{cube.sql_table}'"
            near = did_you_mean(name, table.columns)
            # Eight fit a line.
            has = f"; it has {', '.join(list(table.columns)[:8])}" if not near else ""
            text = f"{kind} '{member.name}': {named} of cube '{cube.name}' has no column '{name}'{near}{has}"
            break
    source = member.source
    return ModelProblem(text, source.file, source.line, source.column)


def _columns(member: Dimension | Measure | Segment) -> list[str]:
    """The columns of the cube's own table that a member's SQL names."""
    texts = [member.sql or ""]
    if isinstance(member, Measure):
        texts += member.filters
    if isinstance(member, (Dimension, Measure)) and member.case is not None:
        texts += [when.sql for when in member.case.when]
    found: list[str] = []
    for text in texts:
        flat = substitute(text, lambda reference: "own" if reference.path in (("CUBE",), ("TABLE",)) else "svcref")
        try:
            tree = sqlglot.parse_one(flat, read="duckdb") if flat else None
        except (SqlglotError, ValueError, RecursionError):
            tree = None
        if tree is not None and tree.find(exp.Select) is None:
            found += [column.name for column in tree.find_all(exp.Column) if column.table in ("", "own")]
    return [name for name in found if name != "svcref"]
