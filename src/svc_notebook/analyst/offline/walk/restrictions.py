"""Names that restrict the rows: what a member is compared with, a yes or no, what is missing."""

from __future__ import annotations

from ..plans.plan import Condition
from ..schema.profiles import as_number
from ..words.text import singular
from .comparisons import Comparisons
from .segments import Item
from .times import years
from .walker import SMALL_WORDS, iso_or_none, tidy

__all__ = ["Restrictions"]

_BEING = frozenset({"is", "are", "was", "were", "=", "equals", "equal", "to", "equal to", "is equal to", ":"})
_AFFIRMED, _DENIED = frozenset({"yes", "true", "y"}), frozenset({"no", "false", "n"})
_WITH_ONE = frozenset({"with a", "with an", "with any", "having a", "have a", "has a", "had a"})
_WITHOUT = frozenset({"without", "without a", "without an", "without any", "with no", "have no", "has no", "had no"})
_LACKING = frozenset({"without", "not", "no", "are not", "is not", "do not", "does not", "did not", "never", "lack"})


class Restrictions(Comparisons):
    """Members by their names, as conditions on the rows."""

    def try_condition(self, member: str) -> bool:
        """A member that is followed (or led) by what it is compared with."""
        meta, kind = self.meta, self.meta.member(member).type
        if meta.is_measure(member):
            return False
        place = self.skip_small(self.at + 1)
        negated = self.negated
        # A denial between the name and what it is compared with: "status is not open".
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
        # A part of the calendar is bound later, when it is known which times there are.
        if kind == "time" and item.kind == "period" and item.period is not None and direct and place == self.at + 1:
            return False
        if item.kind == "quoted" and direct and kind == "string":
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (item.text,)))
            self.negated = False
            return not self.wants_grouping()
        if item.kind == "value" and direct and self.value_of(place) == member:
            # Grouped by or counted, the value restricts and the name keeps its use.
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
            # A year may be any number: only one that the column could hold, and that no time explains.
            and (meta.is_year(member) or self.lies_within(member, item.text) and not self.said_of_time(place, member))
        ):
            self.absorbed.update(range(self.at + 1, place + 1))
            self.add_condition(Condition(member, "!=" if negated else "=", (tidy(float(item.text)),)))
            return True
        return self.leading_number(member)

    def lies_within(self, member: str, text: str) -> bool:
        """Whether a number is one that the rows may have: no fare is 2025 where they end at 60."""
        profile = self.meta.profile(member)
        low, high = as_number(profile.low), as_number(profile.high)
        return low is None or high is None or low <= float(text) <= high

    def said_of_time(self, place: int, member: str) -> bool:
        """``price in 2024``: a year after ``in`` is a year where the rows have a time; so is one after an amount."""
        if self.meta.member(member).meta.get("aggregate") == "sum" and self.meta.times(self.draft.resolution.scope):
            return True
        between = {self.items[p].text.lower() for p in range(self.at + 1, place)}
        return bool(between & {"in", "in the", "for", "from", "during"}) and bool(
            self.meta.times(self.draft.resolution.scope)
        )

    def said_so(self) -> bool:
        """``where smoker is no``: the yes or no behind a member that is one; yes where nothing is said."""
        place = self.at + 1
        while place < len(self.items) and self.items[place].text.lower() in _BEING:
            place += 1
        said = self.items[place].text.lower().split() if place < len(self.items) else []
        if not said or said[-1] not in (*_AFFIRMED, *_DENIED) or set(said[:-1]) - _BEING:
            return True
        self.absorbed.update(range(self.at + 1, place + 1))
        return said[-1] in _AFFIRMED

    def flagged(self, member: str, holds: bool) -> Condition:
        """A yes or no as a condition, kept as truth or as 1 and 0."""
        if self.meta.is_flag(member):
            return Condition(member, "=", (int(holds),))
        return Condition(member, "true" if holds else "false")

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

    def amount_there(self, member: str, item: Item) -> Condition | None:
        """``students with a scholarship``, ``gifts without a fee``: an amount that is more than nothing, or is none."""
        known, before = self.meta.member(member), self.items[self.at - 1] if self.at else None
        number = known.kind == "dimension" and self.meta.is_number(member) and not self.meta.is_key(member)
        if before is None or not number or self.meta.is_year(member):
            return None
        text = before.text.lower()
        if text in ("a", "an", "any") and self.at > 1:
            text = f"{self.items[self.at - 2].text.lower()} {text}"
        word = self.draft.tokens[item.end - 1].lower
        there = text in _WITH_ONE and not self.negated
        # In the plural ("with fees") it is asked for what they have, not whether.
        if not there and text not in _WITHOUT or word != singular(word) and there:
            return None
        nxt = self.peek()
        if nxt is not None and (nxt.kind in ("number", "value", "quoted", "unit") or nxt.is_cue("compare")):
            return None
        profile = self.meta.profile(member)
        if profile.low == 0 and (there or not profile.missing):
            return Condition(member, ">" if there else "=", (0,), words=item.text)
        # Nought and missing both: which of them is "without" is not known.
        if profile.missing and profile.low != 0:
            return Condition(member, "not null" if there else "null", words=item.text)
        return None

    def is_rate(self, item: Item, member: str) -> bool:
        """``return rate``: the share of rows for which a flag is set, where the model defines no such measure."""
        known, nxt = self.meta.member(member), self.peek()
        if known.type != "boolean" or known.kind != "dimension":
            return False
        if nxt is not None and nxt.kind == "word" and nxt.text.lower() in ("rate", "rates"):
            self.absorbed.add(self.at + 1)
            return True
        return item.text.lower().split()[-1] in ("rate", "rates") and "rate" not in self.meta.parts(member)
