"""The values of many dimensions of a cube by one statement, where one finds what a statement for each would.

That is so where every dimension is computed from the cube's own columns and at most one policy gives the asker rows:
which others are asked beside it then changes neither what is joined nor which rows count.

Planning that statement takes longer than a short table takes to read, so a short table's rows are counted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..records import dataclass
from .compiler.values import quote
from .dialects import duckdb as say
from .model import Cube, Dimension
from .policies.policy import access_to
from .references import CUBE_NAMES, find_references

if TYPE_CHECKING:
    import pyarrow as pa

    from .catalog import Relation
    from .compiler import CompiledQuery
    from .context import SecurityContext

__all__ = [
    "FEW",
    "Counted",
    "counts_of",
    "every_dimension",
    "first_rows",
    "is_own",
    "of_own_rows",
    "sets_of",
    "sets_of_rows",
    "values_of",
    "values_of_each",
]


@dataclass(frozen=True, slots=True)
class Counted:
    """The values of a dimension, the most frequent first; ``rows`` and ``missing`` ones where all were counted."""

    values: list[Any]
    rows: int | None = None
    missing: int = 0

    @classmethod
    def of(cls, table: pa.Table, limit: int) -> Counted:
        """What :func:`counts_of` found, asked for two more than ``limit``."""
        pairs = list(zip(table.column(0).to_pylist(), table.column(1).to_pylist(), strict=True))
        values = [value for value, _ in pairs if value is not None]
        # Two more were asked for: one may be the missing value, and the other shows that there are more.
        if len(pairs) > limit + 1 or len(values) > limit:
            return cls(values[:limit])
        return cls(values, sum(n for _, n in pairs), sum(n for value, n in pairs if value is None))


FEW = 2_000
"""Rows that are sooner read than a statement of their values is planned."""


def every_dimension(relation: Relation) -> str | None:
    """The query of all visible dimensions of a relation; None where it has none."""
    names = [quote(member.name) for member in relation.members.values() if member.kind == "dimension"]
    return f"SELECT {', '.join(names)} FROM {quote(relation.name)}" if names else None


def of_own_rows(cube: Cube | None, relation: Relation, ctx: SecurityContext) -> bool:
    """Whether each visible dimension has the values that it has beside all the others."""
    if cube is None or relation.kind != "cube":
        return False
    grants = access_to(cube, ctx).grants
    return (grants is None or len(grants) == 1) and all(
        is_own(dimension) for dimension in cube.dimensions if dimension.name in relation.members
    )


def is_own(dimension: Dimension) -> bool:
    """Whether it is an expression over columns of its cube and nothing else."""
    computed = dimension.case or dimension.sub_query or dimension.multi_stage or dimension.values or dimension.inside
    if computed or dimension.type == "geo" or dimension.sql is None:
        return False
    return all(len(ref.path) == 1 and ref.path[0] in CUBE_NAMES for ref in find_references(dimension.sql))


def values_of(relation: str, name: str, limit: int, sampled: int | None) -> str:
    """The query of a dimension's most frequent values; with ``sampled`` of so many of the asker's rows alone."""
    column, source = quote(name), quote(relation)
    if sampled is not None:
        source = f"(SELECT {column} FROM {source} WHERE {column} IS NOT NULL LIMIT {sampled}) AS sample"
    return (
        f"SELECT {column} AS value, COUNT(*) AS n FROM {source} WHERE {column} IS NOT NULL "
        f"GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {limit}"
    )


def counts_of(relation: str, name: str, limit: int) -> str:
    """The query of a dimension's most frequent values, a missing one among them, each with its rows."""
    column = quote(name)
    return f"SELECT {column} AS value, COUNT(*) AS n FROM {quote(relation)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {limit}"


def values_of_each(plan: CompiledQuery, names: Sequence[str], limit: int) -> str:
    """A statement of the most frequent values of each column: its place, the value, how often."""
    parts = [
        f"(SELECT {place} AS m, {quote(name)} AS v, COUNT(*) AS n FROM q WHERE {quote(name)} IS NOT NULL "
        f"GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT {limit})"
        for place, name in enumerate(names)
    ]
    rows = " UNION ALL ".join(parts)
    return f"WITH q AS {say.COMPUTED_WHERE_READ} ({plan.sql}) SELECT m, v FROM ({rows}) AS s ORDER BY m, n DESC, v"


def first_rows(plan: CompiledQuery, names: Sequence[str]) -> str:
    """A statement of some of the columns: all of their rows, or one more than :data:`FEW`."""
    return f"SELECT {', '.join(map(quote, names))} FROM ({plan.sql}) AS q LIMIT {FEW + 1}"


def sets_of_rows(names: Sequence[str], table: pa.Table, most: int) -> Mapping[str, list[Any]] | None:
    """What :func:`values_of_each` finds in these rows; None where a column has more values than it would give."""
    found: dict[str, list[Any]] = {}
    for name, column in zip(names, table.columns, strict=True):
        counts = Counter(column.drop_null().to_pylist())
        if len(counts) > most:
            return None
        found[name] = sorted(counts, key=lambda value: (-counts[value], value))
    return found


def sets_of(names: Sequence[str], table: pa.Table) -> Mapping[str, list[Any]]:
    """What :func:`values_of_each` found, by column."""
    found: dict[str, list[Any]] = {name: [] for name in names}
    for place, value in zip(table.column(0).to_pylist(), table.column(1).to_pylist(), strict=True):
        found[names[place]].append(value)
    return found
