"""A model held against the database it is written for, member by member, by its author; policies do not apply here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from ..compiler.values import quote
from ..context import SecurityContext
from ..errors import ModelError, ModelProblem, NotPlanned, QueryError
from ..layer import SemanticLayer
from ..model import Cube, DataModel, Dimension, Measure, Segment, Source
from ..references import find_references
from .joins import join_findings
from .keys import key_findings
from .tables import CubeTable, missing_column, missing_table

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["check_data", "misfits"]

_Member = Dimension | Measure | Segment
_WANTED = {
    "number": (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
    "time": (pa.types.is_timestamp, pa.types.is_date),
    "boolean": (pa.types.is_boolean,),
}
_CASTS = {"number": "DOUBLE", "time": "TIMESTAMP", "boolean": "BOOLEAN"}


def check_data(model: DataModel, engine: Engine) -> list[ModelProblem]:
    """What of a model does not fit a database.

    Errors are what makes queries fail or numbers wrong; warnings what probably is not meant.
    """
    return _findings(model, engine, rows=True)


def misfits(model: DataModel, engine: Engine) -> list[ModelProblem]:
    """:func:`check_data` as far as it shows without reading rows: tables, columns and types."""
    return _findings(model, engine, rows=False)


def _findings(model: DataModel, engine: Engine, *, rows: bool) -> list[ModelProblem]:
    try:
        # Without rollups: what is checked is whether the cubes fit their own tables.
        layer = SemanticLayer(_open(model), engine, rollups=False)
    except ModelError as error:
        return error.problems
    found: list[ModelProblem] = []
    tables: dict[str, CubeTable] = {}
    for cube in model.cubes.values():
        table = CubeTable.of(cube, engine)
        if table is None:
            found.append(missing_table(cube, engine))
            continue
        tables[cube.name] = table
        found += _members(cube, table, layer)
        found += key_findings(cube, table, engine) if rows else ()
    for cube in model.cubes.values() if rows else ():
        found += join_findings(cube, model.cubes, tables, engine)
    return sorted(found, key=lambda problem: (problem.file, problem.line, problem.column))


def _open(model: DataModel) -> DataModel:
    """The cubes of a model with everything in them visible."""
    cubes = {
        name: replace(
            cube,
            public=True,
            access_policy=None,
            dimensions=tuple(replace(item, public=True) for item in cube.dimensions),
            measures=tuple(replace(item, public=True) for item in cube.measures),
            segments=tuple(replace(item, public=True) for item in cube.segments),
        )
        for name, cube in model.cubes.items()
    }
    return replace(model, cubes=cubes, views={})


def _members(cube: Cube, table: CubeTable, layer: SemanticLayer) -> Iterator[ModelProblem]:
    # A switch has no column, and a place two.
    dimensions = [d for d in cube.dimensions if d.type not in ("geo", "switch")]
    groups: tuple[Sequence[_Member], ...] = (dimensions, cube.measures, cube.segments)
    for members in groups:
        # All at once where nothing is amiss: one plan instead of hundreds.
        if not members or _schema(cube, members, layer) is not None:
            continue
        failing = [member for member in members if _schema(cube, (member,), layer) is None]
        # A member that rests on a failing one fails by it, which is told there.
        names = {member.name for member in failing}
        own = [member for member in failing if not _rests_on(member, names - {member.name})]
        yield from (missing_column(cube, table, member) for member in own)
    for dimension, kind in _kinds(cube, dimensions, layer):
        wanted = _WANTED.get(dimension.type)
        if wanted is not None and not any(is_it(kind) for is_it in wanted):
            yield _of_another_type(dimension, kind)


def _rests_on(member: _Member, names: Collection[str]) -> bool:
    """Whether a member refers to one of these, which are told of themselves."""
    return any(reference.path[-1] in names for reference in find_references(member.sql or ""))


def _schema(cube: Cube, members: Sequence[_Member], layer: SemanticLayer) -> pa.Schema | None:
    """The columns of a query for these members; None if the database does not understand it.

    What we refuse ourselves (a rolling window without a time) is told elsewhere: then the members are asked for alone,
    and one alone has no columns.
    """
    try:
        # As the operator, whom no policy filters.
        return layer.schema(SecurityContext.operator(), _query(cube, members))
    except NotPlanned:
        return None
    except QueryError:
        return pa.schema([]) if len(members) == 1 else None


def _query(cube: Cube, members: Sequence[_Member]) -> str:
    names = [quote(member.name) for member in members]
    if isinstance(members[0], Measure):
        names = [f"MEASURE({name})" for name in names]
    if isinstance(members[0], Segment):
        return f"SELECT COUNT(*) FROM {quote(cube.name)} WHERE {' AND '.join(names)}"
    return f"SELECT {', '.join(names)} FROM {quote(cube.name)}"


def _kinds(
    cube: Cube, dimensions: Sequence[Dimension], layer: SemanticLayer
) -> Iterator[tuple[Dimension, pa.DataType]]:
    """The types in the data of those dimensions that can be asked for."""
    together = _schema(cube, dimensions, layer) if dimensions else None
    if together is not None and len(together) == len(dimensions):
        yield from zip(dimensions, together.types, strict=True)
        return
    for dimension in dimensions:
        alone = _schema(cube, (dimension,), layer)
        if alone is not None and len(alone):
            yield dimension, alone.field(0).type


def _of_another_type(dimension: Dimension, kind: pa.DataType) -> ModelProblem:
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    held = "text" if is_text else "true or false" if pa.types.is_boolean(kind) else f"of type {kind}"
    cast = f'sql: "TRY_CAST({{CUBE}}.{dimension.sql or dimension.name} AS {_CASTS[dimension.type]})"'
    plain = dimension.sql is None or dimension.sql.isidentifier()
    instead = f"; write {cast}, or another type" if is_text and plain else "; write another type"
    return _problem(
        f"dimension '{dimension.name}' is a {dimension.type}, but {held} in the data{instead}",
        dimension.source,
        "warning",
    )


def _problem(message: str, source: Source, severity: str = "error") -> ModelProblem:
    return ModelProblem(message, source.file, source.line, source.column, severity)
