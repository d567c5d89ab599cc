"""How the dimensions of a relation lie where data are large: rows drawn from all over, and what a single scan counts.

A distinct count of a dimension reads every row and holds every value. Here the rows, the missing values and the ends
are counted over all rows, which costs a scan; values and how many there are come from rows drawn at random from among
those that the asker may see. A relation that has no more rows than are drawn is read whole, and all is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..records import dataclass
from .compiler.values import quote
from .model import Cube, View
from .policies.policy import access_to
from .value_sets import is_own

if TYPE_CHECKING:
    from .catalog import Member, Relation
    from .context import SecurityContext
    from .model import DataModel

__all__ = [
    "Lie",
    "Surveyed",
    "Totals",
    "asked_together",
    "estimated",
    "lie_in",
    "lie_of",
    "rows_of",
    "surveyed",
    "totals_in",
    "totals_of",
    "values_together",
]


@dataclass(frozen=True, slots=True)
class Totals:
    """What all rows say of a dimension: how many there are, how many have a value, the least and the greatest."""

    rows: int
    filled: int
    low: Any
    high: Any


@dataclass(frozen=True, slots=True)
class Lie:
    """How the values of a dimension lie; ``distinct`` is an estimate where not all rows were read."""

    rows: int
    distinct: int
    missing: int
    low: Any = None
    high: Any = None


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What some rows say of a dimension.

    Attributes
    ----------
    values
        Those that were met, the most frequent first, no more than were asked for.
    every
        Whether these are all there are, as far as these rows tell.
    filled
        How many of the rows have a value; ``distinct`` different ones, ``once`` of these in one row alone.
    lie
        How the dimension lies: exactly, where these are all rows.
    """

    values: list[Any]
    every: bool
    filled: int
    distinct: int
    once: int
    lie: Lie

    def beside(self, totals: Totals) -> Lie:
        """How the dimension lies, by these rows and what all rows say."""
        distinct = estimated(self.filled, totals.filled, self.distinct, self.once)
        return Lie(totals.rows, distinct, totals.rows - totals.filled, totals.low, totals.high)


def asked_together(model: DataModel, relation: Relation, ctx: SecurityContext) -> Iterator[list[Member]]:
    """The dimensions of a relation in groups whose rows are the same whichever of a group are asked for.

    Together stand those that are computed from columns of a cube that each row has at most one row of; a policy of
    several grants may give each member other rows, so that each then stands alone.
    """
    source: Cube | View | None = model.cubes.get(relation.name) or model.views.get(relation.name)
    dimensions = [m for m in relation.members.values() if m.kind == "dimension" and not m.masked and m.type != "geo"]
    if source is None:
        return
    paths = {m.name: m.join_path for m in source.members if m.kind == "dimension"} if isinstance(source, View) else {}
    root = next(iter(paths.values()))[0] if paths else relation.name
    together = []
    for member in dimensions:
        path = paths.get(member.name, (relation.name,) if isinstance(source, Cube) else ())
        if _stands_with(model, path, root, member, ctx) and _one_grant(source, ctx):
            together.append(member)
        else:
            yield [member]
    if together:
        yield together


def _stands_with(model: DataModel, path: Sequence[str], root: str, member: Member, ctx: SecurityContext) -> bool:
    if not path or path[0] != root or any(_multiplies(model, *step) for step in pairwise(path)):
        return False
    cubes = [model.cubes[name] for name in path]
    own = next((d for d in cubes[-1].dimensions if d.name == (member.cube_member or member.name)), None)
    return own is not None and is_own(own) and all(_one_grant(cube, ctx) for cube in cubes)


def _multiplies(model: DataModel, start: str, end: str) -> bool:
    join = next((join for join in model.cubes[start].joins if join.name == end), None)
    return join is None or join.relationship == "one_to_many"


def _one_grant(relation: Cube | View, ctx: SecurityContext) -> bool:
    grants = access_to(relation, ctx).grants
    return grants is None or len(grants) == 1


def values_together(members: Sequence[Member]) -> str:
    """The query of some dimensions of one relation, row by row."""
    return f"SELECT {', '.join(quote(m.name) for m in members)} FROM {quote(members[0].relation)}"


def rows_of(members: Sequence[Member]) -> str:
    """The query of how many rows :func:`values_together` gives: those of the relation, if members stand together."""
    rows = quote(members[0].relation) if len(members) > 1 else f"({values_together(members)}) AS met"
    return f"SELECT COUNT(*) AS n FROM {rows}"


def totals_of(member: Member) -> str:
    """The query of what all rows say of a dimension; read by :func:`totals_in`."""
    return f"SELECT COUNT(*), COUNT({quote(member.name)}), {_ends(member)} FROM {quote(member.relation)}"


def totals_in(table: pa.Table) -> Totals:
    """What :func:`totals_of` found."""
    rows, filled, low, high = (column[0].as_py() for column in table.columns)
    return Totals(int(rows), int(filled), low, high)


def lie_of(member: Member) -> str:
    """The query of how a dimension lies, every value counted; read by :func:`lie_in`."""
    name = quote(member.name)
    return f"SELECT COUNT(*), COUNT(DISTINCT {name}), COUNT({name}), {_ends(member)} FROM {quote(member.relation)}"


def lie_in(table: pa.Table) -> Lie | None:
    """What :func:`lie_of` found."""
    row = next(iter(table.to_pylist()), None)
    if row is None:
        return None
    rows, distinct, filled, low, high = row.values()
    return Lie(int(rows or 0), int(distinct or 0), int(rows or 0) - int(filled or 0), low, high)


def _ends(member: Member) -> str:
    name = quote(member.name)
    return f"MIN({name}), MAX({name})" if member.type in ("number", "time", "string") else "NULL, NULL"


def surveyed(column: pa.ChunkedArray, limit: int, *, of: int) -> Surveyed:
    """What rows of a dimension say, that are all or some ``of`` so many."""
    counted = column.drop_null().value_counts()
    pairs = sorted(((each["counts"], each["values"]) for each in counted.to_pylist()), key=lambda p: (-p[0], p[1]))
    drawn, once = len(column), sum(count == 1 for count, _ in pairs)
    rows = max(of, drawn)
    low, high = (min(v for _, v in pairs), max(v for _, v in pairs)) if pairs else (None, None)
    missing = round(column.null_count * rows / drawn) if drawn else 0
    filled = drawn - column.null_count
    lie = Lie(rows, estimated(filled, rows - missing, len(pairs), once), missing, low, high)
    every = len(pairs) <= limit and (drawn >= of or not once)
    return Surveyed([value for _, value in pairs[:limit]], every, filled, len(pairs), once, lie)


def estimated(drawn: int, rows: int, distinct: int, once: int) -> int:
    """How many distinct values ``rows`` rows have, of which ``drawn`` show ``distinct``, ``once`` of these in one row.

    The estimator of Haas and Stokes (1998), which PostgreSQL's ANALYZE goes by: exact where no value or each is seen
    once.
    """
    if not drawn or drawn >= rows:
        return distinct
    by_rows = drawn * distinct / (drawn - once + once * drawn / rows)
    return max(distinct, min(rows, round(by_rows)))
