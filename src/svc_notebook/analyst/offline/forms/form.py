"""The logical form of a question: a small typed set of clauses around one root.

A form shows ``groups`` (one row for each combination), ``measures`` (numbers of a group, or of all rows) and
``columns`` (of a list of rows, with neither groups nor measures), in this order. ``SELECT DISTINCT a`` is a form with
a group and no measure. Two forms are equal when they ask the same in the same clauses: anchors and the order of what
has none (conditions, joins, groups, terms of an ``or``) do not count.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeAlias

from ....records import dataclass
from .anchors import ASSUMED, Anchor
from .canonical import key
from .conditions import Condition
from .expressions import Expression
from .vocabulary import Grain, SetName

__all__ = [
    "Clause", "Comparison", "Filter", "Form", "Join", "Limit", "Order", "Pair", "Role", "SetOf", "Shift", "Source",
]  # fmt: skip

Pair: TypeAlias = tuple[Expression, Expression]  # what is equal: of a relation before, of the one that is joined


@dataclass(frozen=True, slots=True)
class Role:
    """Rows of a cube or view. Where one relation is joined more than once, ``name`` is the member that leads there
    (``origin`` and ``destination`` for airports); the root, and a relation that stands once, have none.
    """

    relation: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """A relation (or the rows of a form) that is joined: by ``on``, or as the model joins it (no pair).

    ``outer``: rows without a partner stay (LEFT JOIN). ``also``: what else a partner must meet. ``crossed``: every
    row with every other, as is meant where the other form has one row.
    """

    role: Role | Form | SetOf
    on: tuple[Pair, ...] = ()
    outer: bool = False
    also: Condition | None = None
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A group, measure or column that is shown. ``hidden``: grouped by, or filtered or sorted by, but not shown."""

    expression: Expression
    anchor: Anchor = field(default=ASSUMED, compare=False)
    name: str = field(default="", compare=False)
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on rows (``where``) or groups (``having``); several all hold."""

    condition: Condition
    anchor: Anchor = field(default=ASSUMED, compare=False)


@dataclass(frozen=True, slots=True)
class Order:
    """Rows sorted by an expression; ``ends``: its first and last value, where these have an order of their own."""

    by: Expression
    descending: bool = False
    anchor: Anchor = field(default=ASSUMED, compare=False)
    ends: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``count`` rows, of each combination of ``per`` where given; ``skip``: after so many."""

    count: int
    per: tuple[Expression, ...] = ()
    skip: int = 0
    anchor: Anchor = field(default=ASSUMED, compare=False)


@dataclass(frozen=True, slots=True)
class Shift:
    """The same form ``amount`` units earlier by the time ``by``."""

    by: Expression
    amount: int
    unit: Grain


@dataclass(frozen=True, slots=True)
class Comparison:
    """The form's numbers beside those of another with the same groups, or of its own at another time.

    ``show``: both numbers, or their ``difference`` or ``growth`` (share of the other number) as well.
    """

    with_: Shift | Form
    show: str = "both"
    anchor: Anchor = field(default=ASSUMED, compare=False)


@dataclass(frozen=True, eq=False)
class SetOf:
    """Rows of two forms or more: of any, of all, of the first but no other."""

    operator: SetName
    forms: tuple[Form | SetOf, ...]

    @cached_property
    def key(self) -> Any:
        return key(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SetOf) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, eq=False)
class Form:
    """A question as clauses. ``root``: whose rows are counted; a form, where this one is made over its rows."""

    root: Role | Form | SetOf
    joins: tuple[Join, ...] = ()
    groups: tuple[Clause, ...] = ()
    measures: tuple[Clause, ...] = ()
    columns: tuple[Clause, ...] = ()
    where: tuple[Filter, ...] = ()
    having: tuple[Filter, ...] = ()
    order: tuple[Order, ...] = ()
    limit: Limit | None = None
    compare: Comparison | None = None

    @cached_property
    def key(self) -> Any:
        """What equality compares: this form without anchors, with unordered clauses in one order."""
        return key(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def shown(self) -> tuple[Clause, ...]:
        """The clauses that are columns of the result, in its order."""
        return tuple(c for c in (*self.groups, *self.columns, *self.measures) if not c.hidden)

    def settled(self) -> Form:
        """The same with ties settled by its groups, where not all of them are shown: an engine would cut any."""
        told = {order.by for order in self.order}
        if self.limit is None or not self.order:
            return self
        rest = (Order(clause.expression) for clause in self.groups if clause.expression not in told)
        return self.with_(order=(*self.order, *rest))

    def with_(self, **changes: Any) -> Form:
        """The same form with some fields replaced."""
        return replace(self, **changes)


Source: TypeAlias = Role | Form | SetOf
