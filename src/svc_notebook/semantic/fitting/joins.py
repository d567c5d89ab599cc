"""Joins as the data have them: keys of one type, values that meet, and the side that is one being one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ...records import dataclass
from ..dialects.nodes import statement
from ..errors import ModelProblem, QueryError
from ..model import Cube, Join
from ..references import Reference, substitute
from .keys import own_sql, repeated

if TYPE_CHECKING:
    from ..engine import Engine
    from .tables import CubeTable

__all__ = ["join_findings"]


@dataclass(frozen=True, slots=True)
class _Ends:
    """A join of equal columns: the expressions on either side, in pairs."""

    here: tuple[str, ...]
    there: tuple[str, ...]


def join_findings(
    cube: Cube, cubes: Mapping[str, Cube], tables: Mapping[str, CubeTable], engine: Engine
) -> list[ModelProblem]:
    """What is said of each join of a cube that the data do not bear out."""
    found: list[ModelProblem] = []
    for join in cube.joins:
        ends = _ends(cube, cubes[join.name], join) if join.name in cubes else None
        if ends is None or cube.name not in tables or join.name not in tables:
            continue
        try:
            text, severity = _finding(cube, join, ends, tables, engine)
        except QueryError:
            text = f"the join of '{cube.name}' to '{join.name}' is not understood by the database: {join.sql}"
            severity = "error"
        if text:
            found.append(ModelProblem(text, join.source.file, join.source.line, join.source.column, severity))
    return found


def _finding(cube: Cube, join: Join, ends: _Ends, tables: Mapping[str, CubeTable], engine: Engine) -> tuple[str, str]:
    here, there = tables[cube.name].place, tables[join.name].place
    kinds = [_kinds(place, columns, engine) for place, columns in ((here, ends.here), (there, ends.there))]
    for one, other in zip(*kinds, strict=True):
        if one != other:
            return (
                f"the join of '{cube.name}' to '{join.name}' compares {one} with {other}; cast one of them: {join.sql}",
                "error",
            )
    # Measured on both sides, so that the message can say which relationship would be right.
    many_here, many_there = (
        repeated(place, columns, engine)[1] for place, columns in ((here, ends.here), (there, ends.there))
    )
    if join.relationship in ("many_to_one", "one_to_one") and many_there:
        return _said_wrongly(cube, join, join.name, many_there, not many_here), "error"
    if join.relationship in ("one_to_many", "one_to_one") and many_here:
        return _said_wrongly(cube, join, cube.name, many_here, not many_there), "error"
    if not _meet(here, there, ends, engine):
        return (
            f"no row of '{cube.name}' finds one in '{join.name}' by {join.sql}; are these the right columns?",
            "warning",
        )
    return "", ""


def _said_wrongly(cube: Cube, join: Join, side: str, several: int, other_is_one: bool) -> str:
    if other_is_one:
        instead = f"write {'many_to_one' if side == cube.name else 'one_to_many'}"
    else:
        instead = "neither side is one: write a cube for the table in between, or another column"
    return (
        f"the join of '{cube.name}' to '{join.name}' says {join.relationship}, but {several:,} values stand in several "
        f"rows of '{side}', and numbers will be wrong; {instead}"
    )


def _meet(here: str, there: str, ends: _Ends, engine: Engine) -> bool:
    """Whether any row finds another; tables without rows tell nothing."""
    inner = _aliased(there, "other")
    condition = " AND ".join(f"({one}) = ({_renamed(other)})" for one, other in zip(ends.here, ends.there, strict=True))
    found = engine.execute(
        engine.lowered(
            statement(
                # EXISTS stops at the first row that is found.
                f"SELECT (SELECT count(*) FROM {_aliased(here)}) = 0 OR (SELECT count(*) FROM {inner}) = 0 "
                f"OR EXISTS (SELECT 1 FROM {_aliased(here)} JOIN {inner} ON {condition}) AS met"
            ),
            {},
        ),
        {},
    )
    return bool(found.column(0).to_pylist()[0])


def _aliased(place: str, alias: str = "source") -> str:
    return f"{place.removesuffix(' AS source')} AS {alias}"


def _renamed(expression: str) -> str:
    return expression.replace("source.", "other.")


def _kinds(place: str, columns: Sequence[str], engine: Engine) -> list[str]:
    text = engine.lowered(statement(f"SELECT {', '.join(columns)} FROM {_aliased(place)} LIMIT 0"), {})
    schema = engine.execute(text, {}).schema
    return [_kind(field.type) for field in schema]


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "numbers"
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return "times"
    return "booleans" if pa.types.is_boolean(kind) else "texts"


# --- the columns of a join --------------------------------------------------------------------------------------------


def _ends(cube: Cube, other: Cube, join: Join) -> _Ends | None:
    """The pairs of a join that is nothing but equal columns; None for any other."""
    held: list[Reference] = []

    def hold(reference: Reference) -> str:
        held.append(reference)
        return f"svcref{len(held) - 1}x"

    try:
        tree = sqlglot.parse_one(substitute(join.sql, hold), read="duckdb")
    except (SqlglotError, ValueError, RecursionError):
        return None
    here: list[str] = []
    there: list[str] = []
    for part in tree.flatten() if isinstance(tree, exp.And) else (tree,):
        sides = {}
        for side in (part.this, part.expression) if isinstance(part, exp.EQ) else ():
            owner, sql = _side(side, held, cube, other)
            sides[owner] = sql
        if cube.name not in sides or other.name not in sides or None in sides.values():
            return None
        here.append(str(sides[cube.name]))
        there.append(str(sides[other.name]))
    return _Ends(tuple(here), tuple(there))


def _side(side: exp.Expr, held: Sequence[Reference], cube: Cube, other: Cube) -> tuple[str, str | None]:
    """Which cube one side of a comparison is about, and its SQL over ``source``."""
    if not isinstance(side, exp.Column):
        return "", None
    holder = side.table or side.name
    if not holder.startswith("svcref"):
        return (cube.name, f'source."{side.name}"') if not side.table else ("", None)
    *path, last = held[int(holder.removeprefix("svcref").removesuffix("x"))].path
    if side.table:  # {CUBE}.column
        owner = cube if last in ("CUBE", "TABLE", cube.name) else other if last == other.name else None
        return ("", None) if owner is None or path else (owner.name, f'source."{side.name}"')
    owner = cube if not path or path[-1] in ("CUBE", "TABLE", cube.name) else other if path[-1] == other.name else None
    dimension = next((d for d in owner.dimensions if d.name == last), None) if owner is not None else None
    return (owner.name, own_sql(dimension)) if owner is not None and dimension is not None else ("", None)
