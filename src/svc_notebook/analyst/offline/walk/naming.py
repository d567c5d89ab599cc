"""Names in their use: measured, counted, grouped by, ordered by, compared, or only mentioned."""

from __future__ import annotations

from ..calendar.units import UNITS
from ..plans.plan import Condition, Measure
from ..schema.lexicon import Candidate
from ..schema.money import ADDED_UP
from ..schema.values import ValueMatch
from ..words.text import singular
from .draft import Mention
from .entities import Entities
from .heads_of_values import heads_value
from .segments import Item
from .walker import EACH

__all__ = ["Names"]

_KINDS = frozenset(
    "type kind category class status severity level reason cause result outcome description method stage phase "
    "mode".split()
)  # what such a column tells of each row


_OF_WHOM = frozenset({"from", "of", "for", "with", "at"})
_TRADED = frozenset({"sell", "sold", "buy", "bought", "order", "ordered"})
_PIECES = frozenset({"quantity", "units", "pieces", "sold"})
_AVERAGED, _SUMMED = frozenset({"average", "avg", "mean"}), frozenset({"total", "sum", "overall"})
_LASTING = frozenset({"time", "times", "duration", "durations", "length"})


class Names(Entities):
    """Relations and members by their names."""

    def on_name(self, item: Item) -> None:
        candidate = self.chosen(self.at)
        if self.at in self.absorbed:
            return
        if not isinstance(candidate, Candidate):
            if not self.heads_markers(item):
                self.draft.unread.append(item.text)
            return
        # Each asks whether the word is part of what stands beside it; only then is it a name of its own.
        if self.modifies_next(item, candidate) or self.repeats_last(item) or self.ranked_unit(item, candidate):
            return
        if self.heads_last(item, candidate):
            return
        if candidate.member is None or self.stands_for_rows(item, candidate) or self.are_happenings(item, candidate):
            self.entity(candidate.relation)
        else:
            self.member(candidate.member, item)

    def stands_for_rows(self, item: Item, candidate: Candidate) -> bool:
        """``how many injuries`` over a column ``injury_type``: the kind is told of each row, and rows are meant.

        Behind a question word, a superlative or *by* the kinds are.
        """
        grouped = self.group not in (None, "versus") and not self.group_used
        if candidate.full or self.negated or grouped:
            return False
        member, parts = str(candidate.member), self.meta.parts(str(candidate.member))
        known = self.meta.member(member)
        said = {singular(token.lower) for token in self.draft.tokens[item.start : item.end]}
        if known.kind != "dimension" or known.type != "string" or len(parts) < 2 or parts[-1] not in _KINDS:
            return False
        before = self.items[self.at - 1] if self.at else None
        asked = before is not None and (before.is_cue("ask") or before.is_cue("top") or before.is_cue("unique"))
        return parts[-1] not in said and not asked and not self.draft.axes and self.axis is None and not self.series

    def are_happenings(self, item: Item, candidate: Candidate) -> bool:
        """``share of on-time arrivals`` over a ``scheduled_arrival``: in the plural they are rows, and no times."""
        word, member = self.draft.tokens[item.end - 1].lower, candidate.member
        if candidate.full or member is None or item.end - item.start > 1 or not self.meta.is_time(member):
            return False
        grouped = self.group is not None and not self.group_used
        before = self.items[self.at - 1] if self.at else None
        asked = before is not None and (before.is_cue("ask") or before.is_cue("top") or before.is_cue("unique"))
        return singular(word) != word and self.meta.parts(member)[-1:] == (singular(word),) and not (grouped or asked)

    def heads_value(self, member: str) -> bool:
        """``tickets from finance companies``: behind a value of theirs, companies only say whose tickets are meant."""
        value = self.chosen(self.at - 1) if self.at > 1 else None
        relation = member.split(".", 1)[0]
        if not isinstance(value, ValueMatch) or value.member.split(".", 1)[0] != relation:
            return False
        before = self.items[self.at - 2].text.lower().split()[:1]
        spoken = bool(self.draft.entities) and all(name != relation for name, _ in self.draft.entities)
        own = member == self.meta.label_of(relation) and value.member != member
        return spoken and own and bool(before) and before[0] in _OF_WHOM

    def heads_last(self, item: Item, candidate: Candidate) -> bool:
        """``engine type``, ``hold time``: right behind another name of the same rows, its head is no second name."""
        before = self.chosen(self.at - 1) if self.at else None
        if candidate.member is None or not isinstance(before, Candidate) or before.member is None:
            return False
        beside = self.items[self.at - 1].end == item.start and before.member != candidate.member
        if not beside or before.relation != candidate.relation or self.draft.axes:
            return False
        if self.meta.member(before.member).type == "string":
            return item.text.lower() in _KINDS
        return item.text.lower() in _LASTING and not candidate.full and not self.meta.is_time(before.member)

    def member(self, member: str, item: Item) -> None:
        if self.is_done_by(member):
            self.absorbed.add(self.at + 1)
            return
        # Before all else: what is compared with is no column to be shown.
        if self.try_condition(member):
            self.last_member = member
            return
        if self.is_verb(item, member) or self.heads_value(member) or heads_value(self.draft, self.at):
            return
        self.last_member = member
        meta = self.meta
        known = meta.member(member)
        # A text or time that is denied is missing; a number may be nought (below).
        if self.lacks(member):
            self.negated = False
            self.add_condition(Condition(member, "null"))
            return
        if (some := self.amount_there(member, item)) is not None:
            self.negated = False
            self.add_condition(some)
            return
        if self.is_rate(item, member):
            self.draft.add_measure(Measure(None, "share_true", (Condition(member, "true"),)))
            self.counting = None
            return
        if self.prefix and known.type != "boolean" and known.kind != "segment":
            return
        if self.is_hint(item):
            # A verb that names a time: which of the times is meant for the unit behind it.
            if meta.is_time(member) and any(later.kind == "grain" for later in self.items[self.at :]):
                self.draft.mentions.append(Mention(member, self.at))  # "released each month": which time is meant
            else:
                self.draft.unread.append(item.text)
            return
        if (
            known.kind == "segment"
            or (known.type == "boolean" or meta.is_flag(member))
            # Behind a word of grouping a flag parts the rows; in a list it is shown.
            and not (self.group and not self.group_used)
            and not (self.draft.listing and not self.negated and self.counting is None)
        ):
            self.add_condition(self.flagged(member, self.said_so() != self.negated))
            self.negated = False
            return
        # A pending order takes the next name, whatever else it may be.
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
        if self.counting and (pieces := self.pieces_sold(member, item)) is not None:
            self.counting = None
            self.measure_named(Measure(pieces, "sum"))
            return
        if known.agg_type == "count" and self.counts_small(item):
            return
        if (shared := self.averaged_too(member, item)) is not None:
            self.measure_named(Measure(shared, "avg"))
            return
        if self.counting == "count" and not self.agg and self.is_quantity(member):
            self.counting = None
            self.measure_named(Measure(member, "sum"))
            return
        if (column := self.added_up(item, member)) is not None:
            self.counting = None
            self.measure_named(Measure(column, "sum"))
            return
        if known.kind == "measure":
            told = self.agg if not self.agg_used else None
            # Its measure is a sum or a count of each already: the aggregate goes over those.
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
        # Keys are numbers that nobody adds up, unless just that was said.
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
        # "by A and B": what continues a grouping is one, though its cue is used up.
        if self.group is not None and (not self.group_used or self.continues()):
            direct, self.group_used = not self.group_used, True
            self.grouped(member, direct, counted)
            return
        self.mention(member, counted=counted)

    def pieces_sold(self, member: str, item: Item) -> str | None:
        """``how many croissants did we sell``: not how much money that was, but how many pieces a row is of."""
        if item.text.lower() not in _TRADED or not self.meta.members[member].meta.get("computed"):
            return None
        relation = member.split(".", 1)[0]
        own = [m.path for m in self.meta.relation(relation).members.values() if m.kind == "dimension"]
        found = [p for p in own if p in self.meta.members and _PIECES & {*self.meta.parts(p)[-1:]}]
        whole = [p for p in found if len(self.meta.parts(p)) == 1] or found
        return whole[0] if len(whole) == 1 else None

    def added_up(self, item: Item, member: str) -> str | None:
        """``payroll``, ``revenue``: the column whose sum that is, where another number of it was not asked for."""
        word = self.draft.tokens[item.end - 1].lower
        if word not in ADDED_UP or self.agg and not self.agg_used and self.agg != "sum":
            return None
        plain = self.meta.plain(Measure(member, "measure")) if self.meta.is_measure(member) else Measure(member, "avg")
        column = plain.member
        if (
            column is None
            or plain.aggregate != "avg"
            or not self.meta.is_number(column)
            or word in self.meta.parts(column)
        ):
            return None
        self.agg_used = True
        return column

    def is_quantity(self, member: str) -> bool:
        """``the number of injured``: a column that holds how many they were of each row."""
        known = self.meta.member(member)
        return known.kind == "dimension" and known.meta.get("kind") == "quantity" and self.group is None

    def averaged_too(self, member: str, item: Item) -> str | None:
        """``average amount and fee by country``: the column of a number right behind an average and an *and*."""
        before, joint = self.chosen(self.at - 2) if self.at > 1 else None, self.items[self.at - 1]
        if not joint.is_cue("logic", "and") or not isinstance(before, Candidate) or self.agg and not self.agg_used:
            return None
        averaged = self.meta.members.get(before.member or "")
        first = self.items[self.at - 2].text.lower().split()[0]
        if averaged is None or averaged.agg_type != "avg" or first not in _AVERAGED or self.counting:
            return None
        measured = self.meta.is_measure(member)
        if measured and self.meta.member(member).agg_type != "sum" or item.text.lower().split()[0] in _SUMMED:
            return None
        column = self.meta.plain(Measure(member, "measure")).member if measured else member
        number = column is not None and self.meta.is_number(column) and not self.meta.is_category(column)
        return column if number else None

    def is_done_by(self, member: str) -> bool:
        """``caused by speeding``: the participle belongs to the value behind it."""
        by, value = self.peek(), self.chosen(self.at + 2)
        return by is not None and by.text.lower() == "by" and isinstance(value, ValueMatch) and value.member == member

    def is_label(self, member: str) -> bool:
        """A number kept as text that tells rows apart (a section, a room): there are so many of it, not so much."""
        return self.meta.is_numeric_text(member) and not self.meta.is_flow(member)

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
        if not number or draft.top is None:
            return False
        behind = [m.member for m in draft.mentions if m.place > draft.top[2]]
        return bool(draft.grouped_entities or draft.dimensions) or any(map(meta.is_category, behind))
