"""What a grouped query is made of: its keys, its conditions on rows, and its aggregates."""

from __future__ import annotations

from dataclasses import field

from msgspec import Struct

from ....records import dataclass
from ...dialects.nodes import sql
from ...intervals import Interval
from ..binding.aggregate_calls import AggregateCall
from ..join_tree.entries import Use
from ..join_tree.steps import Path
from ..values import Bound
from .rolling import Rolling

__all__ = ["Filter", "Grouping", "Leaf", "LeafSpec", "Shift"]


@dataclass
class Grouping:
    """GROUP BY: the keys, and the structure over them (``ROLLUP`` and friends) as text with ``{i}`` for key i."""

    keys: list[Bound] = field(default_factory=list)
    structure: str | None = None


class Filter(Struct, frozen=True):
    """A condition on rows; ``low`` (inclusive) and ``high`` (exclusive) if it merely bounds the column ``of``.

    ``safe``: no value can make it fail, so it may be evaluated together with the policy instead of behind it.
    """

    bound: Bound
    of: Use | None = None
    low: str | None = None
    high: str | None = None
    safe: bool = False
    equal: str | None = None  # the constant that ``of`` must equal
    fixed: bool = False  # part of a join: no measure sets it aside
    about: frozenset[tuple[Path, str]] | None = None  # the members of a condition that the model put in


class Shift(Struct, frozen=True):
    """Rows moved in time before they are grouped, of one time dimension or of all; ``name`` is a calendar's shift."""

    interval: Interval | None
    dimension: str | None = None
    measure: str = ""
    name: str | None = None


class LeafSpec(Struct, frozen=True):
    """One aggregate of the model: ``template`` over ``args``, which are columns of the rows of ``home``.

    ``held``: the rows are those of a rollup, and it takes them together as the rows behind them; ``counts``: then it is
    0 over none.
    """

    template: str
    args: tuple[Bound, ...]
    kind: str
    repeatable: bool
    home: Path
    every_row: bool = False
    held: bool = False
    counts: bool = False


@dataclass
class Leaf:
    """One aggregate, over the rows of ``home`` (None: the joined rows as they are)."""

    name: str
    home: Path | None
    spec: LeafSpec | AggregateCall
    shifts: tuple[Shift, ...] = ()
    rolling: Rolling | None = None
    only: tuple[Filter, ...] = ()  # conditions of this aggregate alone

    @property
    def uses(self) -> frozenset[Use]:
        return frozenset().union(*(a.uses for a in self.spec.args))

    @property
    def args(self) -> list[str]:
        return [a.sql for a in self.spec.args]

    @property
    def over_nothing(self) -> str | None:
        """The value over no rows: 0 or NULL; None where only an evaluation can tell."""
        if self.rolling is not None:
            return "NULL"
        if isinstance(self.spec, LeafSpec) and self.spec.held:
            return "0" if self.spec.counts else "NULL"
        text = self.render(self.args)
        # By the text, since an aggregate of the asker's has no other description; COUNT(x) FILTER (…) is 0 over nothing
        # as well.
        if text.startswith("COUNT("):
            return "0"
        return "NULL" if text.startswith(("SUM(", "AVG(", "MIN(", "MAX(")) else None

    def render(self, args: list[str]) -> str:
        spec = self.spec
        return sql(spec.template, *args) if isinstance(spec, LeafSpec) else spec.render(args)
