"""Names that only qualify others, or that are verbs and hints: what stands beside a name decides what it says."""

from __future__ import annotations

from ..calendar.units import UNITS
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..words.cues import find_cues
from ..words.shares_said import SHARE_WORDS
from ..words.text import is_participle, name_parts, singular
from .heads_of_values import heads_value
from .restrictions import Restrictions
from .segments import Item

__all__ = ["Qualifiers"]

_NAMING = frozenset({"name", "names", "title", "titles", "label", "labels"})
_BEING = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_DONE_BY = frozenset({"by", "with", "in", "on", "at", "from", "under", "through"})
_HELPING = frozenset({"do", "does", "did"})
_FARTHEST = 4  # from what helps a verb to the verb


class Qualifiers(Restrictions):
    """Names read together with the names, superlatives and units beside them."""

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
            and self.meta.member(follower.member).type != "boolean"  # "open urgent orders": it heads no name
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

    def counts_small(self, item: Item) -> bool:
        """``cylinder count``: right after a number of few values the word belongs to it."""
        before = self.chosen(self.at - 1) if self.at else None
        if item.text.lower() not in ("count", "counts") or not isinstance(before, Candidate) or before.member is None:
            return False
        return self.meta.is_number(before.member) and self.meta.is_small(before.member)

    def is_verb(self, item: Item, member: str) -> bool:
        """``clients filed more than 3 claims``: a participle that a date is named after says no date here."""
        token, after = self.draft.tokens[item.end - 1], self.peek()
        chosen = self.chosen(self.at)
        if self.is_deed(item, member) or self.is_paid(item, member) or self.is_asked_of(item, member):
            return True
        if item.end - item.start > 1 or not is_participle(token.lower):
            return False
        if heads_value(self.draft, self.at + 2):  # "how many flights used Airbus planes"
            return True
        if not self.meta.is_time(member):
            return False
        if not isinstance(chosen, Candidate) or chosen.full or after is None or self.group and not self.group_used:
            return False
        return after.is_cue("compare") and self.number_at(self.at + 2) is not None

    def is_deed(self, item: Item, member: str) -> bool:
        """``how many accidents caused damage`` over a column ``cause``, ``flights were operated by planes older than 20
        years`` over one of operators: what rows did, or what was done to them, is not what is counted or grouped by.
        """
        after, being = self.peek(), self.at > 1 and self.items[self.at - 1].text.lower() in _BEING
        word = self.draft.tokens[item.end - 1].lower
        plain = item.end - item.start == 1 and is_participle(word) and word not in self.meta.parts(member)
        if not plain or after is None or self.meta.member(member).type != "string":
            return False
        return self.are_counted(self.at - 1 - being) or being and after.text.lower() in _DONE_BY

    def is_asked_of(self, item: Item, member: str) -> bool:
        """``how many seats did Delta fly to Atlanta``: what the number before was done by is no second number."""
        word = self.draft.tokens[item.start].lower
        if not self.draft.measures or item.end - item.start > 1 or word in self.meta.parts(member):
            return False
        before = [known.text.lower() for known in self.items[max(0, self.at - _FARTHEST) : self.at - 1]]
        named = isinstance(self.chosen(self.at - 1), Candidate | ValueMatch)
        return named and not _HELPING.isdisjoint(before) and self.meta.is_measure(member)

    def are_counted(self, place: int) -> bool:
        """Whether rows are counted whose noun stands at a place."""
        rows = self.chosen(place) if place >= 0 else None
        if not isinstance(rows, Candidate):
            return False
        if rows.member is None:
            return place > 0 and self.items[place - 1].is_cue("count")
        return self.meta.member(rows.member).agg_type == "count"

    def is_paid(self, item: Item, member: str) -> bool:
        """``trips paid in cash``: how rows were paid, and no amount."""
        rows, after = (self.chosen(self.at - 1) if self.at else None), self.peek()
        told = after is not None and after.text.lower() in ("in", "by", "with", "via")
        own = isinstance(rows, Candidate) and rows.member is None and isinstance(self.chosen(self.at + 2), ValueMatch)
        word = self.draft.tokens[item.end - 1].lower
        known = self.meta.member(member)
        shared = any(token.lower in SHARE_WORDS for token in self.draft.tokens)  # of a share that amount is the whole
        amount = known.kind == "measure" or known.type == "number" and not shared
        return own and told and word in ("paid", "settled") and amount

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
