"""Rankings of a plan: superlatives, orders, limits."""

from __future__ import annotations

from dataclasses import replace

from .draft import OrderWish
from .groupings import Groupings
from .lexicon import Candidate
from .plan import Dimension, Exists, Having, Measure, Order
from .resolve import FREQUENT
from .text import singular, stem
from .thesaurus import related
from .walker import SMALL_WORDS

__all__ = ["Rankings"]

_WORSE_HIGH = frozenset(
    "delay error cancel cancellation cost loss complaint return wait late churn failure defect price time "
    "duration risk injury death debt".split()
)
_ASKING = frozenset("is are was were do does did has have had".split())
_LESS = frozenset("less fewer lower smaller shorter quieter earlier cheaper lighter younger slower".split())


class Rankings(Groupings):
    """Extremes, orders, limits and conditions on measures."""

    def superlatives(self) -> None:
        """``highest``, ``most``, ``top 10``: an extreme of a number, or an order with a limit."""
        top = self.draft.top
        if top is None:
            return
        direction, number, place = top
        order = next((o for o in self.draft.orders if o.descending is None and o.measure is not None), None)
        self.adjective_measure(place)
        if direction == "worst":
            direction = "desc" if self.bad_when_high(order) else "asc"
        descending = direction == "desc"
        if order is not None and order.measure is not None:
            order.descending = descending
            self.default_limit(number, place)
            return
        if self.shape == "rows" and self.columns:
            numeric = self.numeric_after(place)
            if (
                numeric is not None
                and number is None
                and not self.draft.which
                and len(self.columns) == 1
                and not self.draft.listing
            ):
                self.shape, self.columns = "aggregate", []
                self.measures = [Measure(numeric, "max" if descending else "min")]
                return
            if numeric is not None:
                plain = [c for c in self.columns if c != numeric]
                if number is None and not plain:
                    self.shape, self.columns = "aggregate", []
                    self.measures = [Measure(numeric, "max" if descending else "min")]
                    return
                if (
                    plain
                    and not any(self.meta.profile(c).unique for c in plain)
                    and len(plain) <= 2
                    and not self.draft.listing
                ):
                    self.shape, self.columns = "aggregate", []
                    self.dimensions = [self.as_dimension(c) for c in plain]
                    self.measures = [Measure(numeric, self.default_aggregate(numeric))]
                    self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
                    self.default_limit(number, place)
                    return
                self.draft.orders.append(OrderWish(descending, member=numeric))
                self.default_limit(number, place)
                return
            self.shape, self.dimensions, self.columns = "aggregate", [self.as_dimension(c) for c in self.columns], []
            self.measures = [self.count_of(self.counted_after(place))]
            self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.default_limit(number, place)
            return
        grouped_number = self.numeric_after(place, near=True)
        if grouped_number is not None and number is None and not self.draft.which:
            for i, measure in enumerate(self.measures):
                if (
                    measure not in self.draft.measures
                    and measure.member == grouped_number
                    and measure.aggregate in ("avg", "sum")
                ):
                    self.measures[i] = Measure(grouped_number, "max" if descending else "min")
                    return
        if not self.measures:
            self.measures.append(self.count_of(self.counted_after(place)))
        if not self.dimensions and number is None:
            self.single_extreme(place, descending)
        if self.dimensions:
            self.draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.default_limit(number, place)

    def single_extreme(self, place: int, descending: bool) -> None:
        """``longest delay``: of all rows, not the average that the model defines."""
        plain = self.meta.plain(self.measures[0]) if len(self.measures) == 1 else Measure()
        near = any(isinstance(self.draft.resolution.choice.get(at), Candidate) for at in (place + 1, place + 2))
        averaged = any(item.is_cue("agg", "avg") for item in self.draft.items)
        if near and not averaged and plain.member is not None and plain.aggregate == "avg" and not plain.conditions:
            self.measures[0] = Measure(plain.member, "max" if descending else "min")

    def most_frequent(self) -> None:
        """``busiest hour``, ``most popular year``: rows are counted by what follows, also when that is a number."""
        draft = self.draft
        if draft.top is None or draft.items[draft.top[2]].text.lower() not in FREQUENT:
            return
        if self.measures or draft.counting or draft.orders:
            return
        place = draft.top[2]
        at, number = next(
            ((m.place, m) for m in draft.mentions if m.place > place and self.meta.is_number(m.member)), (0, None)
        )
        near = at and all(draft.items[p].text.lower() in SMALL_WORDS for p in range(place + 1, at))
        if number is not None and near and (self.meta.is_category(number.member) or self.meta.is_small(number.member)):
            draft.mentions = [m for m in draft.mentions if m is not number and not self.meta.is_time(m.member)]
            self.dimensions = [d for d in self.dimensions if not self.meta.is_time(d.member)]
            self.dimensions.append(Dimension(number.member))
        if self.dimensions:
            self.measures.append(self.count_of(self.counted_after(place)))

    def claimed(self) -> None:
        """``is the cost in A higher than in B``: the two are the groups, and the words say yes or no."""
        draft = self.draft
        than = next((i for i, token in enumerate(draft.tokens) if token.lower == "than"), None)
        if than is None or draft.tokens[0].lower not in _ASKING or self.dimensions:
            return
        said = [(c, draft.items[p].start) for _, c, p in self.conditions if c.operator == "in" and c.part is None]
        said = [(c, start) for c, start in said if len(c.values) == 1]
        for one, start in said:
            for other, later in said:
                if one.member == other.member and start < than < later and one.values != other.values:
                    words = {token.lower for token in draft.tokens[start:than]}
                    less = bool(words & _LESS) or "worse" in words and not self.bad_when_high(None)
                    less = less or "better" in words and self.bad_when_high(None)
                    self.claim = ("<" if less else ">", one.values[0], other.values[0])
                    draft.compare = True
                    draft.mentions = [m for m in draft.mentions if m.member != one.member]
                    numbers = [m for m in draft.mentions if self.raw_number(m)]
                    if not self.measures and not numbers:
                        self.measures.append(self.count_of(None))
                    return

    def adjective_measure(self, place: int) -> None:
        """``most profitable``, ``cheapest``: the adjective names the number."""
        words = [w for w in self.draft.items[place].text.lower().split() if w not in ("most", "least", "the")]
        targets = related(stem(words[-1])) if words else frozenset()
        if not targets or self.measures or any(self.raw_number(m) for m in self.draft.mentions):
            return
        for relation in self.scope:
            for member in self.meta.relation(relation).members.values():
                path = member.path
                if path not in self.meta.members or not {stem(p) for p in self.meta.parts(path)} & targets:
                    continue
                if member.kind == "measure":
                    self.measures.append(Measure(path, "measure"))
                elif self.meta.is_number(path) and not self.meta.is_key(path) and self.columns != [path]:
                    self.measures.append(Measure(path, self.default_aggregate(path)))
                else:
                    continue
                if self.shape == "rows":
                    self.shape, self.dimensions, self.columns = (
                        "aggregate",
                        [self.as_dimension(c) for c in self.columns],
                        [],
                    )
                return

    def bad_when_high(self, order: OrderWish | None) -> bool:
        members = [order.measure.member] if order and order.measure and order.measure.member else []
        members += [m.member for m in self.measures if m.member] + [m.member for m in self.draft.mentions]
        return any(part in _WORSE_HIGH for member in members for part in self.meta.parts(member))

    def numeric_after(self, place: int, near: bool = False) -> str | None:
        """The number (or date) named right after a superlative."""
        for at in range(place + 1, len(self.draft.items)):
            chosen = self.draft.resolution.choice.get(at)
            if isinstance(chosen, Candidate) and chosen.member is not None:
                if (
                    self.meta.is_number(chosen.member)
                    and not self.meta.is_key(chosen.member)
                    or self.meta.is_time(chosen.member)
                ):
                    return chosen.member
                if near:
                    return None
            if self.draft.items[at].is_cue("group") and near:
                return None
        for mention in self.draft.mentions:
            if not near and self.meta.is_number(mention.member) and not self.meta.is_key(mention.member):
                return mention.member
        return None

    def counted_after(self, place: int) -> str | None:
        return next((relation for relation, at in self.draft.entities if at > place), None)

    def default_limit(self, number: int | None, place: int) -> None:
        text = self.draft.items[place].text.lower() if place < len(self.draft.items) else ""
        number = number if number is not None else self.draft.noun_number
        lone = self.right_after(place)
        several = lone if lone is not None else text in ("top", "bottom")
        value = number if number is not None else 10 if several or self.plural_subject(place) else 1
        each = [i for i, d in enumerate(self.dimensions) if d.member in self.draft.each or d.member in self.each_labels]
        if len(self.dimensions) == 2 and len(each) == 1:
            self.limit_per = each[0]
        self.limit = value

    def right_after(self, place: int) -> bool | None:
        """Whether the noun right after a superlative is in the plural; None where no noun stands there."""
        items = self.draft.items
        noun = items[place + 1] if place + 1 < len(items) else None
        if (
            noun is None
            or noun.kind not in ("name", "grain")
            or items[place].text.lower() in ("most", "least", "fewest")
        ):
            return None
        last = self.draft.tokens[noun.end - 1].lower
        chosen = self.draft.resolution.choice.get(place + 1)
        if not isinstance(chosen, Candidate) or chosen.member is not None and not self.meta.is_category(chosen.member):
            return None
        return last != singular(last)

    def plural_subject(self, place: int) -> bool:
        """``which countries have the most``: several are asked for."""
        for at, item in enumerate(self.draft.items[:place]):
            if (
                item.kind == "name"
                and at
                and (
                    self.draft.items[at - 1].is_cue("ask", "which")
                    or self.draft.items[at - 1].text.lower() in ("which", "what", "are", "are the", "the")
                )
            ):
                last = self.draft.tokens[item.end - 1]
                return last.lower != singular(last.lower)
        return False

    def unify(self) -> None:
        """Numbers that the model defines itself take the model's definition; the same number twice is one."""
        self.draft.orders = [
            replace(o, measure=self.own(o.measure)) if o.measure is not None else o for o in self.draft.orders
        ]
        self.draft.having = [(self.own(m), operator, numbers) for m, operator, numbers in self.draft.having]
        unified: list[Measure] = []
        for measure in map(self.own, self.measures):
            if not any(measure == known or _same_count(measure, known) or _same(measure, known) for known in unified):
                unified.append(measure)
        self.measures = unified

    def own(self, measure: Measure) -> Measure:
        """The model's measure for a plain aggregate: its ``count``, or ``avg_x`` for the average of x."""
        if measure.aggregate == "count" and measure.member is None and not measure.conditions:
            tally = self.meta.tally_of(measure.entity or self.scope[0])
            measure = Measure(tally, "sum") if tally is not None else measure
        if measure.conditions or measure.exists or measure.aggregate not in ("count", "sum", "avg", "min", "max"):
            return measure
        relation = measure.member.split(".", 1)[0] if measure.member else measure.entity or self.scope[0]
        members = self.meta.relation(relation).members
        if measure.member is None:
            names = ["count"]
        else:
            short = measure.member.split(".", 1)[1]
            names = [
                f"{head}_{short}"
                for head in (
                    {"avg": ("avg", "average", "mean"), "sum": ("total", "sum")}.get(
                        measure.aggregate, (measure.aggregate,)
                    )
                )
            ]
        for name in names:
            known = members.get(name)
            if (
                known is not None
                and known.kind == "measure"
                and known.agg_type == measure.aggregate
                and known.path in self.meta.members
            ):
                return Measure(known.path, "measure", entity=relation)
        return measure

    def limits(self) -> None:
        if self.shape != "aggregate" and self.limit is None and self.draft.top is None:
            self.limit = self.draft.noun_number
        if self.limit is not None and self.limit <= 0:
            self.limit = None

    def having(self) -> None:
        for measure, operator, numbers in self.draft.having:
            if self.counts_holders(measure):
                self.exists.append(Exists(measure.entity or "", False, (), operator, numbers))
                continue
            if self.shape == "aggregate" and not self.dimensions:
                spoken = measure.entity or (measure.member or ".").split(".", 1)[0]
                subject = next((r for r, _ in self.draft.entities if r != spoken), None)
                label = self.meta.label_of(subject) if subject is not None and not self.draft.counting else None
                self.dimensions += [Dimension(label)] if label is not None else []
            if self.shape != "aggregate":
                dims = [self.as_dimension(c) for c in self.columns]
                self.shape, self.columns, self.dimensions = "aggregate", [], dims
                self.measures = []
            place = next(
                (
                    i
                    for i, m in enumerate(self.measures)
                    if m.aggregate == measure.aggregate and m.member == measure.member
                ),
                None,
            )
            if place is None:
                self.measures.append(measure)
                place = len(self.measures) - 1
                self.hidden_measures.append(place)
            self.havings.append(Having(place, operator, numbers))

    def counts_holders(self, measure: Measure) -> bool:
        """``how many authors have more than 3 papers``: the condition is on each author, who is counted."""
        counted = {relation for relation, _ in self.draft.counted_entities}
        counted |= {m.member.split(".", 1)[0] for m in self.draft.measures if m.member and m.member.endswith(".count")}
        other = measure.entity
        plain = measure.aggregate in ("count", "measure") and (measure.member or ".count").endswith(".count")
        if not plain or other is None or len(counted) != 1 or other in counted or self.dimensions:
            return False
        way = self.meta.joins.way(next(iter(counted)), other)
        return way is not None and len(way) <= 4

    def order_wishes(self) -> None:
        for wish in self.draft.orders:
            if wish.implied and wish.descending is None:
                continue
            order = self.order_of(wish)
            if order is not None and all(
                (o.by, o.place, o.member) != (order.by, order.place, order.member) for o in self.orders
            ):
                self.orders.append(order)

    def order_of(self, wish: OrderWish) -> Order | None:
        descending = bool(wish.descending)
        if wish.measure is not None:
            place = next(
                (
                    i
                    for i, m in enumerate(self.measures)
                    if m == wish.measure
                    or m.member == wish.measure.member
                    and m.member
                    or m.aggregate == wish.measure.aggregate == "count"
                ),
                None,
            )
            if place is not None and self.shape == "aggregate":
                return Order("measure", place, descending)
            if self.shape == "aggregate":
                if (
                    wish.measure.member is not None
                    and any(d.member == wish.measure.member for d in self.dimensions)
                    and wish.measure.aggregate == "count_values"
                    and self.measures
                ):
                    return Order("measure", 0, descending)
                return Order("measure", 0, descending, measure=wish.measure)
            if wish.measure.member in self.columns:
                return Order("column", self.columns.index(wish.measure.member or ""), descending)
            return Order("measure", 0, descending, measure=wish.measure) if self.dimensions else None
        if wish.member is not None:
            return self.order_by_member(wish.member, descending)
        if self.shape in ("rows", "distinct"):
            if not self.columns:
                return None
            if wish.axis == "y" and len(self.columns) > 1:
                return Order("column", self.y_column(), descending)
            return Order("column", self.x_column(), descending)
        if wish.axis == "x" and self.dimensions:
            return Order("dimension", 0, descending)
        if wish.axis == "y" and self.measures:
            return Order("measure", 0, descending)
        if self.dimensions and wish.descending is not None:
            return (
                Order("measure", 0, descending)
                if self.measures and not self.draft.mark
                else Order("dimension", 0, descending)
            )
        return Order("measure", 0, descending) if self.measures and self.dimensions else None

    def order_by_member(self, member: str, descending: bool) -> Order:
        for i, dimension in enumerate(self.dimensions):
            if dimension.member == member:
                return Order("dimension", i, descending)
        for i, measure in enumerate(self.measures):
            if measure.member == member:
                return Order("measure", i, descending)
        if member in self.columns:
            return Order("column", self.columns.index(member), descending)
        if self.shape == "aggregate" and self.meta.is_number(member):
            return Order("measure", 0, descending, measure=Measure(member, "avg"))
        return Order("member", 0, descending, member=member)


def _same(one: Measure, other: Measure) -> bool:
    """One measure of the model, named for two entities."""
    return one.aggregate == other.aggregate == "measure" and one.member == other.member


def _same_count(one: Measure, other: Measure) -> bool:
    """Two counts of the same rows, one said as distinct."""
    counts = ("count", "count_distinct", "measure")
    return (
        one.entity is not None
        and one.entity == other.entity
        and one.aggregate in counts
        and other.aggregate in counts
        and all(m.member is None or m.member.endswith(".count") for m in (one, other))
    )
