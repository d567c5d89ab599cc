"""The state of an assembly: a draft on its way to a plan."""

from __future__ import annotations

from typing import Any, Literal

from ..plans.plan import Aggregate, Calculation, Condition, Dimension, Exists, Having, Measure, Nested, Order
from ..schema.metadata import Metadata
from ..walk.draft import Draft, Mention
from ..walk.times import auto_grain

__all__ = ["Assembly", "nice_width"]


_MOST = frozenset({"most", "least", "fewest"})
_WASTED = frozenset({"scrap", "waste", "reject", "rejects"})  # a rate of these is no share of all there is


class Assembly:
    """What a plan is being made of, and what every step asks of the metadata."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.meta: Metadata = draft.metadata
        self.scope = draft.resolution.scope
        self.measures = list(draft.measures)
        self.dimensions = list(draft.dimensions)
        self.columns: list[str] = []
        self.shape: Literal["aggregate", "rows", "distinct", "exists"] = "aggregate"
        self.limit = draft.limit
        # None: the limit is of all rows; else the place of the group within which it counts.
        self.limit_per: int | None = None
        self.orders: list[Order] = []
        self.notes: list[str] = []
        self.calculations: list[Calculation] = []
        self.unread = list(draft.unread)
        self.hidden_measures: list[int] = []
        self.each_labels: set[str] = set()
        self.havings: list[Having] = []
        self.merged: list[tuple[str, Condition, int]] = []
        self.conditions: list[tuple[str, Condition, int]] = []
        self.periods: list[Condition] = []
        self.exists: list[Exists] = []
        self.beside: tuple[tuple[Condition, ...], ...] = ()  # sides that are set against each other
        self.called: str | None = None  # what tells sides apart that are called by codes and by names
        self.nested: Nested | None = None
        self.claim: tuple[Any, ...] = ()
        self.described: set[int] = set()  # places of words that say which rows are meant, and name nothing to go by

    def mentioned_members(self) -> list[str]:
        draft = self.draft
        named = [m.member for m in draft.mentions] + [d.member for d in draft.dimensions]
        named += [m.member for m in draft.measures if m.member] + [c.member for _, c, _ in draft.conditions if c.member]
        # When rows were paid that never were is no time of theirs.
        missing = {c.member for _, c, _ in draft.conditions if c.operator == "null" and self.meta.is_time(c.member)}
        return [path for path in named if path not in missing]

    def raw_number(self, mention: Mention) -> bool:
        return self.meta.is_number(mention.member) and not self.meta.is_key(mention.member)

    def as_dimension(self, member: str) -> Dimension:
        return Dimension(member, self.time_grain(member)) if self.meta.is_time(member) else Dimension(member)

    def time_grain(self, member: str) -> str | None:
        grain = next((d.split(":")[1] for d in self.draft.doubts if d.startswith("grain:")), None)
        return grain or auto_grain(self.meta, member)

    def timed(self, mentions: list[Mention]) -> bool:
        named = [m.member for m in mentions] + [d.member for d in self.dimensions]
        return any(self.meta.is_time(m) or self.meta.is_year(m) for m in named)

    def names_rows(self, member: str) -> bool:
        """Whether a text member is the name of a row (model, title), so that a bare mention only says what is
        counted.
        """
        if self.meta.member(member).primary_key:
            return True
        return (
            self.meta.member(member).type == "string"
            and self.meta.profile(member).unique
            # 30: below it a text without repetition is as well a category of few (ten towns, one shop each).
            and self.meta.cardinality(member) > 30
        )

    def default_aggregate(self, member: str) -> Aggregate:
        time = (
            any(self.meta.is_time(d.member) or self.meta.is_year(d.member) for d in self.dimensions) or self.draft.trend
        )
        time = time or any(self.meta.is_time(m.member) or self.meta.is_year(m.member) for m in self.draft.mentions)
        share = "share" in self.draft.calculations or self.draft.mark == "arc"
        if self.meta.is_counted(member) or any(m.member == member and m.counted for m in self.draft.mentions):
            return "sum"
        if self.meta.parts(member)[0] == "total":  # "total price by month", of a column that is called so
            return "sum"
        told = self.meta.member(member).meta.get("aggregate")
        if told in ("sum", "avg"):
            return "sum" if told == "sum" else "avg"
        # Over time, as a part of a whole, as money or where most of it is asked for an amount is added up; one number
        # of all rows is more often asked as what is usual.
        most = any(item.is_cue("top") and item.text.lower().split()[-1] in _MOST for item in self.draft.items)
        added = time or most or self.meta.member(member).currency
        wasted = most and bool(_WASTED & set(self.meta.parts(member)))
        return "sum" if share or self.meta.is_flow(member) and added or wasted else "avg"

    def count_of(self, relation: str | None) -> Measure:
        if relation is None:
            # Over one relation a noun that is grouped by names its rows all the same.
            grouped = {r for r, _ in self.draft.grouped_entities} if len(self.scope) > 1 else set()
            named = [r for r, _ in self.draft.entities if r in self.scope and r not in grouped]
            lone = len(self.scope) == 1 or bool(grouped)
            relation = named[0] if named else self.scope[0] if lone else None
        tally = self.meta.tally_of(relation) if relation is not None else None
        return Measure(tally, "sum") if tally is not None else Measure(None, "count", entity=relation)

    def is_count(self, measure: Measure) -> bool:
        known = self.meta.members.get(measure.member or "")
        return measure.aggregate == "count" or known is not None and known.agg_type == "count"

    def bin_width(self, member: str) -> float:
        if self.draft.bin_width:
            return self.draft.bin_width
        profile = self.meta.profile(member)
        try:
            spread = float(profile.high) - float(profile.low)
        except (TypeError, ValueError):
            # Ends that are no numbers (an empty table) leave nothing to divide.
            return 1.0
        return nice_width(spread, self.draft.bin_count or 10)

    def said_number_of(self) -> bool:
        """Whether a count was said of a member that is a number itself (``how many cylinders``)."""
        return any(item.is_cue("count") for item in self.draft.items)

    def x_column(self) -> int:
        text = [i for i, c in enumerate(self.columns) if not self.meta.is_number(c)]
        return text[0] if text else 0

    def y_column(self) -> int:
        numbers = [i for i, c in enumerate(self.columns) if self.meta.is_number(c) and i != self.x_column()]
        return numbers[0] if numbers else 1


def nice_width(spread: float, bins: int) -> float:
    """A width of 1, 2 or 5 times a power of ten that cuts ``spread`` into about ``bins`` pieces."""
    import math

    if spread <= 0 or not math.isfinite(spread):
        return 1.0
    raw = spread / bins
    power = 10.0 ** math.floor(math.log10(raw))
    # The surplus is for floats: 0.1 * 3 must not take the next step.
    step = next(factor for factor in (1, 2, 5, 10) if raw <= factor * power * 1.0001)
    return step * power
