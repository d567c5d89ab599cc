"""What a question was read as: a typed plan that can be looked at, said in words, stored and refined.

Members are written as paths (``view.member``); nothing in a plan is SQL. :func:`to_memory` and :func:`from_memory`
turn a plan into plain data and back, so that the next turn can refine it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal

from ....records import dataclass

__all__ = [
    "Aggregate",
    "Calculation",
    "ChartWish",
    "Condition",
    "Dimension",
    "Exists",
    "Having",
    "Measure",
    "Nested",
    "Order",
    "Plan",
    "from_memory",
    "to_memory",
]

Aggregate = Literal[
    "measure",
    "count",
    "count_distinct",
    "count_values",
    "sum",
    "avg",
    "min",
    "max",
    "median",
    "stddev",
    "share_true",
    "ratio",
    "span",
]


@dataclass(frozen=True, slots=True)
class Condition:
    """``member operator values``; ``part`` compares a part of a date (``weekday``, ``month_of_year``, ``hour``)
    instead.

    Operators: ``in``, ``not in``, ``=``, ``!=``, ``>``, ``>=``, ``<``, ``<=``, ``between``, ``contains``,
    ``starts``, ``ends`` (and these three with ``not``), ``null``, ``not null``, ``true``, ``false``,
    ``period`` (half-open, ISO texts), ``above_average``, ``below_average``.
    """

    member: str
    operator: str
    values: tuple[Any, ...] = ()
    part: str | None = None
    words: str = ""
    other: str | None = None  # compare with another member instead of values


@dataclass(frozen=True, slots=True)
class Exists:
    """Rows that have (or have not) a row in another relation that meets ``conditions`` (``students without a
    scholarship``, ``customers with an open order``, ``authors of more than 3 papers``).
    """

    relation: str
    negated: bool = False
    conditions: tuple[Condition, ...] = ()
    operator: str | None = None  # how many rows there must be, compared with ``values``
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """A number to compute. ``member`` is None for a count of rows; ``conditions`` make it a conditional one.

    ``aggregate`` ``"ratio"`` divides ``member``'s sum by ``other``'s; ``"span"`` is the time from ``member`` to
    ``other`` in ``unit``, folded over the rows.
    """

    member: str | None = None
    aggregate: Aggregate = "count"
    conditions: tuple[Condition, ...] = ()
    other: str | None = None
    entity: str | None = None
    divided_by: tuple[Condition, ...] | None = None
    unit: str = "day"  # of a span
    fold: Aggregate = "avg"  # what of the spans of several rows
    exists: tuple[Exists, ...] = ()  # only rows that one of these holds for
    percent: bool = False  # of a share: in percent (0 to 100), as the question put it


@dataclass(frozen=True, slots=True)
class Dimension:
    """A grouping. ``grain`` is a time unit (``month``) or a part of it (``weekday``, ``hour_of_day``); ``bin`` a
    width.
    """

    member: str
    grain: str | None = None
    bin: float | None = None


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on a measure of the plan (by place); ``values`` hold one or two numbers, none for a comparison with
    the same measure over all rows.
    """

    measure: int
    operator: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Order by a dimension, a measure or a column of the plan (by place), or by a member that is not shown."""

    by: Literal["dimension", "measure", "column", "member", "calculation"]
    place: int = 0
    descending: bool = False
    member: str | None = None
    measure: Measure | None = None


@dataclass(frozen=True, slots=True)
class Calculation:
    """Something computed over the grouped rows from the measure at ``measure``.

    Kinds: ``share``, ``running_total``, ``moving_average``, ``rank``, ``growth``, ``difference``, ``previous``,
    ``year_ago_growth``.
    """

    kind: str
    measure: int = 0
    window: int = 3
    within: int | None = None


_PANELS = "panels"  # small multiples


@dataclass(frozen=True, slots=True)
class ChartWish:
    """What the asker said about the picture; ``channels`` maps ``x``/``y``/``color``/``facet``/``size`` to a member
    or ``count``.
    """

    mark: str | None = None
    stacked: bool = False
    grouped: bool = False
    horizontal: bool = False
    facet: bool = False
    table: bool = False
    channels: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """The mark and how it stands, as a thread keeps it: ``bar stacked``, ``table``, or nothing."""
        if self.table:
            return "table"
        said = ("stacked", self.stacked), ("grouped", self.grouped), ("horizontal", self.horizontal)
        styles = [word for word, is_so in said if is_so and self.mark] + [_PANELS] * self.facet
        return " ".join([self.mark, *styles] if self.mark else styles)

    @classmethod
    def of_words(cls, words: str) -> ChartWish:
        """The wish that :attr:`words` tell."""
        said = words.split()
        if not said or said == ["table"]:
            return cls(table=bool(said))
        mark = said[0] if said[0] != _PANELS else None
        return cls(mark, "stacked" in said, "grouped" in said, "horizontal" in said, _PANELS in said)


@dataclass(frozen=True, slots=True)
class Nested:
    """The plan's measure is first computed per ``dimension``, then aggregated (``average number of flights per
    day``).
    """

    aggregate: Aggregate
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Plan:
    """One question, read.

    Attributes
    ----------
    scope
        A view, or the cubes that are joined, the one whose rows are counted first.
    shape
        ``"aggregate"``, ``"rows"`` (a list), ``"distinct"`` (values), ``"exists"`` (yes or no).
    columns
        Members shown by ``rows`` and ``distinct``.
    conditions, alternatives
        All of ``conditions`` hold; of ``alternatives`` (each a conjunction), where given, at least one.
    limit_per, limit_of
        Of the groups: the first few within each value of this one; the first few of this one, which the others divide.
    parts
        Two plans with the same groups whose numbers are divided (``ratio of A to B for each C``).
    claim
        What a yes-or-no question says: operator, then the two values of the only dimension; or the bound of the only
        number.
    confidence
        0 to 1; ``unread`` the words that were not understood, ``near`` other readings in words.
    """

    scope: tuple[str, ...]
    shape: Literal["aggregate", "rows", "distinct", "exists"] = "aggregate"
    measures: tuple[Measure, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    columns: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    alternatives: tuple[tuple[Condition, ...], ...] = ()
    exists: tuple[Exists, ...] = ()
    having: tuple[Having, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    limit_per: int | None = None
    limit_of: int | None = None
    calculations: tuple[Calculation, ...] = ()
    hidden: tuple[int, ...] = ()
    nested: Nested | None = None
    chart: ChartWish = ChartWish()
    compare: bool = False
    parts: tuple[Plan, ...] = ()
    claim: tuple[Any, ...] = ()
    confidence: float = 1.0
    unread: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def with_(self, **changes: Any) -> Plan:
        """The same plan with some fields replaced."""
        return replace(self, **changes)


_TYPES = {
    cls.__name__: cls
    for cls in (Nested, Condition, Exists, Measure, Dimension, Having, Order, Calculation, ChartWish, Plan)
}


def to_memory(value: Any) -> Any:
    """A plan (or a part of one) as plain JSON data."""
    if is_dataclass(value) and not isinstance(value, type):
        content = {
            f.name: to_memory(getattr(value, f.name)) for f in fields(value) if getattr(value, f.name) != f.default
        }
        return {"is": type(value).__name__, **content}
    if isinstance(value, (tuple, list)):
        return [to_memory(item) for item in value]
    return value


def from_memory(value: Any) -> Any:
    """The plan that :func:`to_memory` wrote; lists come back as tuples."""
    if isinstance(value, Mapping):
        cls = _TYPES[value["is"]]
        names = {f.name for f in fields(cls)}
        return cls(**{key: from_memory(item) for key, item in value.items() if key in names})
    if isinstance(value, (tuple, list)):
        return tuple(from_memory(item) for item in value)
    return value
