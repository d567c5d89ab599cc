"""Names in their use: measured, counted, grouped by, ordered by, compared, or only mentioned."""

from __future__ import annotations

from .comparisons import Comparisons
from .cues import find_cues
from .dates import UNITS
from .draft import Mention, OrderWish
from .lexicon import Candidate
from .plan import Aggregate, Condition, Measure
from .segments import Item
from .text import name_parts, singular
from .times import years
from .walker import EACH, PLAIN_BY, SMALL_WORDS, iso_or_none, tidy

__all__ = ["Names"]


_LACKING = frozenset({"without", "not", "no", "are not", "is not", "do not", "does not", "did not", "never", "lack"})
_NAMING = frozenset({"name", "names", "title", "titles", "label", "labels"})


class Names(Comparisons):
    """Relations and members by their names."""

    def on_name(self, item: Item) -> None:
        candidate = self.chosen(self.at)
        if self.at in self.absorbed:
            return
        if not isinstance(candidate, Candidate):
            if not self.heads_markers(item):
                self.draft.unread.append(item.text)
            return
        if self.modifies_next(item, candidate) or self.repeats_last(item) or self.ranked_unit(item, candidate):
            return
        if candidate.member is None:
            self.entity(candidate.relation)
        else:
            self.member(candidate.member, item)

    def ranked_unit(self, item: Item, candidate: Candidate) -> bool:
        """``busiest day``: right after a superlative the name of a unit is that unit, whatever else it names."""
        unit = UNITS.get(item.text.lower())
        before = self.items[self.at - 1] if self.at else None
        ranked = before is not None and (before.is_cue("top") or self.draft.top is not None)
        if unit is None or candidate.member is None or not self.meta.is_time(candidate.member) or not ranked:
            return False
        if self.draft.top is None or self.draft.top[2] != self.at - 1 or item.text.lower() == "date":
            return False
        self.draft.grains.append((unit, self.at, False))
        return True

    def superlative_number(self, item: Item, member: str) -> None:
        """``hottest day``, ``coldest month``: a number named by a superlative ranks the units that follow."""
        cue = next((c for c in find_cues(self.draft.tokens[item.start : item.end]) if c.kind == "top"), None)
        nxt, named = self.peek(), self.chosen(self.at + 1)
        unit = nxt is not None and (nxt.kind == "grain" or nxt.text.lower() in UNITS and named is not None)
        if cue is not None and unit and self.draft.top is None and self.meta.is_measure(member):
            self.draft.top = (cue.value, None, self.at)

    def modifies_next(self, item: Item, candidate: Candidate) -> bool:
        """``plane manufacturer``: a half match right before a whole one only qualifies it."""
        follower = self.chosen(self.at + 1)
        nxt = self.peek()
        if nxt is not None and isinstance(follower, Candidate) and self.qualifies(item, candidate, nxt, follower):
            return True
        if nxt is None or nxt.kind != "name" or candidate.full or candidate.quality >= 0.8 or candidate.member is None:
            return False
        return (
            isinstance(follower, Candidate)
            and follower.full
            and follower.member is not None
            and follower.member != candidate.member
        )

    def qualifies(self, item: Item, candidate: Candidate, nxt: Item, follower: Candidate) -> bool:
        """``model year``, ``product category``: the name of a row right before another member only says whose it is."""
        if candidate.member is None or follower.member is None or nxt.kind != "name" or nxt.start != item.end:
            return False
        meta, member = self.meta, candidate.member
        if candidate.relation != follower.relation or not follower.full or meta.member(member).type != "string":
            return False
        return meta.profile(member).unique and meta.cardinality(member) > 30 and meta.is_category(follower.member)

    def repeats_last(self, item: Item) -> bool:
        """``country name``, ``make name``: right after a text that names something, the word says no other member."""
        before = self.chosen(self.at - 1) if self.at else None
        if item.text.lower() not in _NAMING or not isinstance(before, Candidate) or before.member is None:
            return False
        beside = self.items[self.at - 1]
        return (
            beside.kind == "name"
            and beside.end == item.start
            and self.meta.member(before.member).type == "string"
            and not self.meta.is_key(before.member)
            and self.draft.tokens[beside.end - 1].lower == singular(self.draft.tokens[beside.end - 1].lower)
        )

    def entity(self, relation: str) -> None:
        if self.negated and self.is_absent(relation):
            self.draft.doubts.append(f"exists:{relation}:no")
            self.negated = False
            return
        if (
            self.draft.resolution.scope
            and relation not in self.draft.resolution.scope
            and self.meta.is_marker(relation)
        ):
            self.marker(relation)
            return
        self.draft.entities.append((relation, self.at))
        if self.prefix:
            return
        if self.takes_amount(relation):
            return
        if self.counting and not self.next_is_member_of(relation):
            aggregate: Aggregate = "count_distinct" if self.counting == "distinct" else "count"
            measure = Measure(None, aggregate, entity=relation)
            self.draft.counted_entities.append((relation, self.at))
            if self.order is not None:
                self.order.measure = measure
            elif self.group in ("by",) and self.group_text in PLAIN_BY and self.draft.top is not None:
                self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
                self.draft.add_measure(measure)
                self.group_used = True
            elif self.agg in ("avg", "max", "min", "sum", "median") and not self.agg_used:
                self.draft.doubts.append(f"nested:{self.agg}")
                self.draft.add_measure(measure)
                self.agg_used = True
            else:
                self.draft.add_measure(measure)
            self.counting = None
            return
        if self.subject_of_superlative(relation):
            self.draft.grouped_entities.append((relation, self.at))
            return
        if self.group is not None and not self.group_used and not self.next_is_member_of(relation):
            self.draft.grouped_entities.append((relation, self.at))
            label = self.meta.label_of(relation)
            if label is not None and self.group_text in EACH:
                self.draft.each.add(label)
            self.group_used = True

    def marker(self, relation: str) -> None:
        """``loss payment``: one of several relations that only mark rows of another, whose amount is meant."""
        self.draft.markers.append((relation, self.at))
        self.agg_used = self.agg_used or self.agg == "sum"
        after = self.peek()
        if after is not None and (after.is_cue("count") or after.text.lower() in ("amount", "amounts")):
            self.absorbed.add(self.at + 1)
        self.counting = None

    def heads_markers(self, item: Item) -> bool:
        """``total loss, which is the sum of loss payment, loss reserve``: a word that what is summed has in common."""
        named = [c for c in self.draft.resolution.choice.values() if isinstance(c, Candidate) and c.member is None]
        sharing = {c.relation for c in named if singular(item.text.lower()) in self.meta.words_of(c.relation)}
        return len({relation for relation in sharing if self.meta.is_marker(relation)}) > 1

    def takes_amount(self, relation: str) -> bool:
        """``total amount of premiums``, ``loss payment amount``: the amount of what is named."""
        before, after = self.items[self.at - 1] if self.at else None, self.peek()
        summed = (
            self.agg in ("sum", "avg", "max", "min", "median")
            and not self.agg_used
            and before is not None
            and before.is_cue("agg")
            and "amount" in before.text.lower()
        )
        headed = (
            after is not None
            and (
                after.is_cue("count")
                and after.text.lower() in ("amount of", "the amount of")
                or self.is_amount_of(relation)
            )
            and not self.counting
        )
        amount = self.meta.amount_of(relation) if summed or headed else None
        if amount is None:
            return False
        if summed:
            self.agg_used = True
            self.measure_named(Measure(amount, self.agg))  # type: ignore[arg-type]  # a cue's aggregate
        else:
            self.absorbed.add(self.at + 1)
            self.draft.mentions.append(Mention(amount, self.at))
        return True

    def is_amount_of(self, relation: str) -> bool:
        """``expense reserve amount``: the amount of rows that a relation of keys only marks."""
        after = self.peek()
        return after is not None and after.text.lower() in ("amount", "amounts") and self.meta.is_marker(relation)

    def subject_of_superlative(self, relation: str) -> bool:
        """``top 2 airlines``, ``which airline has the most flights``: the noun is what is ranked."""
        if self.next_is_member_of(relation) or self.draft.grouped_entities or self.counting:
            return False
        back = self.at - 1
        while back >= 0 and (self.items[back].kind == "number" or self.items[back].text.lower() in SMALL_WORDS):
            back -= 1
        named = self.chosen(back) if back > 0 else None
        if (
            isinstance(named, Candidate)
            and named.member is not None
            and self.meta.is_measure(named.member)
            and self.items[back - 1].is_cue("top")
        ):
            return True
        if (
            back >= 0
            and self.items[back].is_cue("top")
            and self.items[back].text.lower() in ("top", "bottom")
            or back >= 0
            and self.draft.top is not None
            and self.draft.top[1] is not None
            and self.draft.top[2] in (back, back + 1)
        ):
            return True
        later = any(item.is_cue("top") for item in self.items[self.at + 1 :])
        return (
            later
            and (back < 0 or self.items[back].is_cue("ask") or self.draft.noun_number is not None)
            and len(self.draft.dimensions) == 0
        )

    def next_is_member_of(self, relation: str) -> bool:
        """Whether the noun only qualifies the member that follows (``customer name``)."""
        nxt = self.peek()
        chosen = self.chosen(self.at + 1)
        return (
            nxt is not None
            and nxt.kind == "name"
            and isinstance(chosen, Candidate)
            and chosen.member is not None
            and chosen.relation == relation
        )

    def member(self, member: str, item: Item) -> None:
        if self.try_condition(member):
            self.last_member = member
            return
        if self.is_verb(item, member):
            return
        self.last_member = member
        meta = self.meta
        known = meta.member(member)
        if self.lacks(member):
            self.negated = False
            self.add_condition(Condition(member, "null"))
            return
        if self.is_rate(item, member):
            self.draft.add_measure(Measure(None, "share_true", (Condition(member, "true"),)))
            self.counting = None
            return
        if self.prefix and known.type != "boolean" and known.kind != "segment":
            return
        if self.is_hint(item):
            self.draft.unread.append(item.text)
            return
        if (
            known.kind == "segment"
            or (known.type == "boolean" or meta.is_flag(member))
            and not (self.group and not self.group_used)
            and not (self.draft.listing and not self.negated and self.counting is None)
        ):
            self.add_condition(self.flagged(member, not self.negated))
            self.negated = False
            return
        if self.order is not None and self.axis is None:
            self.order_by_member(member)
            return
        plain = not (self.agg and not self.agg_used) and not self.counting
        if self.axis is not None and known.kind == "measure":
            self.draft.axes[self.axis], self.axis = member, None
        if self.axis is not None and plain:
            self.draft.axes[self.axis] = member
            self.mention(member, axis=self.axis)
            self.axis = None
            return
        if known.agg_type == "count" and self.counts_small(item):
            return
        if known.kind == "measure":
            told = self.agg if not self.agg_used else None
            if told in ("avg", "min", "max", "median") and known.agg_type in ("count", "count_distinct", "sum"):
                self.draft.doubts.append(f"nested:{told}")
            self.agg_used, self.counting = True, None
            self.superlative_number(item, member)
            self.measure_named(Measure(member, "measure"))
            return
        if self.counting and (not meta.is_number(member) or meta.is_key(member) or self.is_label(member)):
            self.count_member(member)
            return
        counted = self.counting is not None
        self.counting = None
        number = meta.is_number(member) and not (meta.is_key(member) and self.agg not in ("min", "max", "sum", "avg"))
        if self.agg and (number or self.agg in ("min", "max") and meta.is_time(member)) and self.agg_open():
            self.agg_used = True
            for aggregate in (*self.aggs, self.agg):
                self.measure_named(Measure(member, aggregate))  # type: ignore[arg-type]  # a cue's aggregate
            self.aggs = []
            if self.axis is not None:
                self.draft.axes[self.axis], self.axis = member, None
            return
        if self.series and not self.group_used:
            (self.draft.facets if self.series == "facet" else self.draft.series).append(member)
            self.draft.add_dimension(member) if not meta.is_number(member) or meta.is_category(
                member
            ) else self.mention(member)
            self.group_used = True
            self.draft.grouped_places.add(self.at)
            return
        if self.group is not None and (not self.group_used or self.continues()):
            direct, self.group_used = not self.group_used, True
            self.grouped(member, direct, counted)
            return
        self.mention(member, counted=counted)

    def flagged(self, member: str, holds: bool) -> Condition:
        """A yes or no as a condition, kept as truth or as 1 and 0."""
        if self.meta.is_flag(member):
            return Condition(member, "=", (int(holds),))
        return Condition(member, "true" if holds else "false")

    def counts_small(self, item: Item) -> bool:
        """``cylinder count``: right after a number of few values the word belongs to it."""
        before = self.chosen(self.at - 1) if self.at else None
        if item.text.lower() not in ("count", "counts") or not isinstance(before, Candidate) or before.member is None:
            return False
        return self.meta.is_number(before.member) and self.meta.is_small(before.member)

    def is_label(self, member: str) -> bool:
        """A number kept as text that tells rows apart (a section, a room): there are so many of it, not so much."""
        return self.meta.is_numeric_text(member) and not self.meta.is_flow(member)

    def lacks(self, member: str) -> bool:
        """``customers without email``, ``sales that are not delivered``: a text or a time that is denied is missing."""
        known = self.meta.member(member)
        if not self.negated or known.kind != "dimension" or known.type not in ("string", "time"):
            return False
        back = self.at - 1
        while back >= 0 and self.items[back].text.lower() in SMALL_WORDS:
            back -= 1
        said = self.items[back] if back >= 0 and self.items[back].is_cue("neg") else None
        if said is None or said.text.lower().removeprefix("that ") not in _LACKING or self.wants_grouping():
            return False
        nxt = self.peek()
        named = nxt is not None and (nxt.kind in ("value", "quoted", "period") or nxt.is_cue("compare"))
        return not named and (self.at - 1 < 0 or not self.items[self.at - 1].is_cue("group"))

    def is_rate(self, item: Item, member: str) -> bool:
        """``return rate``: the share of rows for which a flag is set, where the model defines no such measure."""
        known, nxt = self.meta.member(member), self.peek()
        if known.type != "boolean" or known.kind != "dimension":
            return False
        if nxt is not None and nxt.kind == "word" and nxt.text.lower() in ("rate", "rates"):
            self.absorbed.add(self.at + 1)
            return True
        return item.text.lower().split()[-1] in ("rate", "rates") and "rate" not in self.meta.parts(member)

    def said_of_time(self, place: int) -> bool:
        """``price in 2024``: a year after ``in`` is a year where the rows have a time."""
        between = {self.items[p].text.lower() for p in range(self.at + 1, place)}
        return bool(between & {"in", "in the", "for", "from", "during"}) and bool(
            self.meta.times(self.draft.resolution.scope)
        )

    def is_verb(self, item: Item, member: str) -> bool:
        """``clients filed more than 3 claims``: a participle that a date is named after says no date here."""
        token, after = self.draft.tokens[item.end - 1], self.peek()
        chosen = self.chosen(self.at)
        if item.end - item.start > 1 or not token.lower.endswith("ed") or not self.meta.is_time(member):
            return False
        if not isinstance(chosen, Candidate) or chosen.full or after is None or self.group and not self.group_used:
            return False
        return after.is_cue("compare") and self.number_at(self.at + 2) is not None

    def is_hint(self, item: Item) -> bool:
        """A verb that only touches a name (``invoices billed from each state``) says where to look, no more."""
        token = self.draft.tokens[item.start]
        chosen = self.chosen(self.at)
        if item.end - item.start > 1 or not isinstance(chosen, Candidate) or chosen.quality >= 0.8 or chosen.full:
            return False
        parts = (
            (*self.meta.parts(chosen.member or ""), *name_parts(self.meta.member(chosen.member or "").title))
            if chosen.member
            else ()
        )
        return (
            token.lower.endswith(("ed", "ing"))
            and token.lower not in parts
            and singular(token.lower) not in parts
            and not (self.agg and not self.agg_used)
            and self.draft.top is None
            and self.order is None
        )

    def grouped(self, member: str, direct: bool, counted: bool) -> None:
        self.draft.grouped_places.add(self.at)
        if self.group_text == "by" and direct and self.ranks_by(member):
            self.draft.mentions.append(Mention(member, self.at, "by"))
            return
        few = (
            direct and 0 < self.meta.profile(member).distinct <= 30 and self.group == "by"
            if self.meta.is_number(member)
            else True
        )
        if self.group_text in EACH:
            self.draft.each.add(member)
        if not few and not self.meta.is_category(member) and not self.draft.bins:
            self.draft.mentions.append(Mention(member, self.at, self.group or "by"))
            return
        if self.group == "versus":
            self.draft.mentions.append(Mention(member, self.at, "versus", "", counted))
            return
        if self.group == "over" and self.meta.is_number(member) and not self.meta.is_year(member):
            self.draft.mentions.append(Mention(member, self.at, "over"))
            return
        said = UNITS.get(self.items[self.at].text.lower()) if self.meta.is_time(member) else None
        if said is not None:
            self.draft.grains.append((said, self.at, False))
        self.draft.add_dimension(member, said)

    def ranks_by(self, member: str) -> bool:
        """``top 10 pupils by days``: behind a superlative and its noun, a number is what is ranked by."""
        meta, draft = self.meta, self.draft
        number = meta.is_number(member) and not meta.is_key(member) and not meta.is_year(member)
        return number and draft.top is not None and bool(draft.grouped_entities or draft.dimensions)

    def measure_named(self, measure: Measure) -> None:
        if self.order is not None:
            self.order.measure = measure
            return
        if self.group is not None and not self.group_used and self.group_text in PLAIN_BY:
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.group_used = True
        self.draft.add_measure(measure)

    def count_member(self, member: str) -> None:
        aggregate: Aggregate = "count_distinct" if self.counting == "distinct" else "count_values"
        measure = Measure(member, aggregate)
        self.counting = None
        if self.order is not None:
            self.order.measure = measure
            return
        if (
            self.group is not None
            and not self.group_used
            and self.group_text in PLAIN_BY
            and self.draft.top is not None
        ):
            self.draft.orders.append(OrderWish(None, measure=measure, place=self.at, implied=True))
            self.group_used = True
        self.draft.add_measure(measure)

    def order_by_member(self, member: str) -> None:
        assert self.order is not None
        if self.meta.is_measure(member):
            self.order.measure = Measure(member, "measure")
        elif self.counting and not (self.meta.is_number(member) and not self.meta.is_key(member)):
            self.order.measure = Measure(member, "count_distinct" if self.counting == "distinct" else "count_values")
            self.counting = None
        elif self.agg and not self.agg_used:
            self.order.measure = Measure(member, self.agg)  # type: ignore[arg-type]  # a cue's aggregate
            self.agg_used = True
        elif self.order.member is None:
            self.order.member = member

    def try_condition(self, member: str) -> bool:
        """A member that is followed (or led) by what it is compared with."""
        meta, kind = self.meta, self.meta.member(member).type
        if meta.is_measure(member):
            return False
        place = self.skip_small(self.at + 1)
        negated = self.negated
        if place < len(self.items) and self.items[place].is_cue("neg"):
            negated, place = True, self.skip_small(place + 1)
        if place < len(self.items) and (
            self.items[place].is_cue("compare", "=") or self.items[place].is_cue("compare", "!=")
        ):
            negated = negated or self.items[place].is_cue("compare", "!=")
            place = self.skip_small(place + 1)
            direct = True
        else:
            direct = place == self.at + 1 or any(self.items[p].is_cue("have") for p in range(self.at + 1, place))
        if place >= len(self.items) or place in self.absorbed:
            return self.leading_number(member)
        item = self.items[place]
        if (
            kind == "time"
            and item.kind == "period"
            and item.period is not None
            and not item.period.bare_year
            and item.period.part is None
        ):
            self.absorbed.add(place)
            self.add_condition(
                Condition(
                    member, "period", (iso_or_none(item.period.low), iso_or_none(item.period.high)), words=item.text
                )
            )
            return not self.wants_grouping()
        if kind == "time" and item.kind == "period" and item.period is not None and direct and place == self.at + 1:
            return False
        if item.kind == "quoted" and direct and kind == "string":
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (item.text,)))
            self.negated = False
            return not self.wants_grouping()
        if item.kind == "value" and direct and self.value_of(place) == member:
            return not self.wants_grouping() and self.counting is None and self.agg is None
        if (
            item.kind == "number"
            and item.number is not None
            and direct
            and meta.is_number(member)
            and not self.followed_by_name(place)
            and not self.draft.bins
        ):
            nxt = self.items[place + 1] if place + 1 < len(self.items) else None
            if (
                nxt is not None
                and nxt.kind == "unit"
                and place + 2 < len(self.items)
                and self.items[place + 2].is_cue("bins")
            ):
                return False
            if nxt is not None and (nxt.is_cue("bins") or nxt.is_cue("compare")):
                return False
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (tidy(item.number),)))
            self.negated = False
            return True
        if (
            item.kind == "period"
            and item.period is not None
            and not item.period.bare_year
            and item.period.part is None
            and direct
            and meta.is_year(member)
        ):
            bound = years(
                member,
                Condition(
                    member, "period", (iso_or_none(item.period.low), iso_or_none(item.period.high)), words=item.text
                ),
            )
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(bound)
            return True
        if (
            item.kind == "period"
            and item.period is not None
            and item.period.bare_year
            and direct
            and meta.is_number(member)
            and (meta.is_year(member) or not self.said_of_time(place))
        ):
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (tidy(float(item.text)),)))
            return True
        return self.leading_number(member)
