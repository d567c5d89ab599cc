"""Values, numbers, periods, grains and left-over words in their use."""

from __future__ import annotations

from typing import Any

from ..forms.partings import PARTINGS
from ..plans.plan import Condition, Measure
from ..schema.lexicon import Candidate
from ..schema.roles import holder_of_role
from ..schema.values import ValueMatch
from ..words.text import stem
from ..words.thesaurus import FILLER, OPPOSITES
from .heads_of_values import heads_value
from .naming import Names
from .segments import Item
from .walker import iso_or_none, tidy

__all__ = ["Operands"]


_KEYS = ("id", "ids", "identifier", "identifiers", "number", "numbers")
_PAYING = frozenset({"paid", "pay", "pays", "paying"})
_HELPERS = frozenset("is has was can had at on date time flag".split())


def _all_of(match: ValueMatch, item: Item) -> tuple[Any, ...]:
    """A word that several values begin or end with means all of them: ``Chicago`` has two airports."""
    alike = [v.value for v in item.values if (v.member, v.end, v.quality) == (match.member, match.end, match.quality)]
    # The whole value, as it is written, means itself alone.
    return tuple(dict.fromkeys(alike)) if match.quality < 1.0 and match.value in alike else (match.value,)


class Operands(Names):
    """Values, numbers, periods and words that are no names."""

    def on_value(self, item: Item) -> None:
        match = self.chosen(self.at)
        if self.at in self.absorbed:
            return
        if not isinstance(match, ValueMatch):
            if item.text.lower() not in FILLER:
                self.draft.unread.append(item.text)
            return
        holder = self.holder(match)
        if holder is not None:
            self.add_condition(Condition(match.member, "in", (match.value,), words=item.text))
            after, named = self.peek(), self.chosen(self.at + 1)
            if (
                after is not None
                and after.kind == "name"
                and isinstance(named, Candidate)
                and after.text.lower() in _KEYS
            ):
                self.absorbed.add(self.at + 1)
            # A row has one role; that two were named is told by the assembly.
            self.draft.roles.add(str(match.value))
            self.member(holder, item)
            by, key = self.peek(), self.peek(2)
            if by is not None and by.text.lower() == "by" and key is not None and key.text.lower() in _KEYS:
                self.absorbed.update((self.at + 1, self.at + 2))
            return
        values = _all_of(match, item)
        near = self.peek()
        follower = self.chosen(self.at + 1) if near is not None else None
        if self.wants_grouping() and self.at and self.items[self.at - 1].is_cue("group"):
            self.group_used = True  # "paid by card" groups by nothing
            if heads_value(self.draft, self.at + 1):
                self.absorbed.add(self.at + 1)
        if isinstance(follower, Candidate) and follower.member == match.member and not self.wants_grouping():
            self.absorbed.add(self.at + 1)
        if (
            self.last_member == match.member
            and self.draft.mentions
            and self.draft.mentions[-1].member == match.member
            and self.draft.mentions[-1].place >= self.at - 3
        ):
            self.drop_mention(match.member)
        self.add_condition(Condition(match.member, "not in" if self.negated else "in", values, words=item.text))
        # A denial holds for a list of values: "not A, B or C".
        nxt = self.peek()
        if not (
            nxt is not None and (nxt.is_cue("logic", "or") or nxt.is_cue("logic", "and") or nxt.is_cue("logic", ","))
        ):
            self.negated = False

    def holder(self, match: ValueMatch) -> str | None:
        """Who has the role that a value names."""
        named = [c.relation for c in self.draft.resolution.choice.values() if isinstance(c, Candidate)]
        return holder_of_role(self.meta, match.member, named)

    def on_number(self, item: Item) -> None:
        if self.at in self.absorbed:
            return
        nxt = self.peek()
        chosen = self.chosen(self.at + 1)
        if nxt is not None and (
            nxt.is_cue("top")
            or nxt.is_cue("bins")
            or nxt.is_cue("compare")
            or nxt.kind == "unit"
            or isinstance(chosen, Candidate)
        ):
            # A number before a noun of rows is how many of them; before a number it belongs to that.
            noun = isinstance(chosen, Candidate) and (
                chosen.member is None
                or not self.meta.is_number(chosen.member)
                and not self.meta.is_measure(chosen.member)
            )
            if self.clause and isinstance(chosen, Candidate) and chosen.member is None and item.number is not None:
                self.draft.having.append((Measure(None, "count", entity=chosen.relation), "=", (item.number,)))
                self.draft.entities.append((chosen.relation, self.at + 1))
                self.absorbed.add(self.at + 1)
                return
            if (
                noun
                and item.number is not None
                and not self.draft.bins
                and self.draft.top is None
                and item.number == int(item.number)
                # More than a thousand of something is a condition, and no length of a list.
                and 0 < item.number <= 1000
            ):
                self.draft.noun_number = int(item.number)
            return
        if (
            self.draft.bins
            or self.draft.top is not None
            and self.draft.top[1] is None
            and item.number is not None
            and item.number <= 100
        ):
            if self.draft.top is not None and item.number is not None:
                self.draft.top = (self.draft.top[0], int(item.number), self.draft.top[2])
            return
        if (
            self.last_member is not None
            and self.meta.is_number(self.last_member)
            and item.number is not None
            and self.member_close_before()
        ):
            self.drop_mention(self.last_member)
            self.add_condition(Condition(self.last_member, "=", (tidy(item.number),)))
            return
        # Small numbers in words are mostly none ("one of", "half").
        if item.text.lower() not in ("one", "two", "half"):
            self.draft.unread.append(item.text)

    def on_unit(self, item: Item) -> None:
        return None

    def on_quoted(self, item: Item) -> None:
        if self.at in self.absorbed:
            return
        target = self.last_member
        if target is not None and self.meta.member(target).type == "string":
            self.drop_mention(target)
            self.add_condition(Condition(target, "!=" if self.negated else "=", (item.text,)))
            self.negated = False
            return
        label = next(
            (
                self.meta.label_of(relation)
                for relation, _ in reversed(self.draft.entities)
                if self.meta.label_of(relation)
            ),
            None,
        )
        if label is not None and self.meta.member(label).type == "string":
            self.add_condition(Condition(label, "!=" if self.negated else "=", (item.text,)))
            return
        self.draft.unread.append(item.text)

    def on_period(self, item: Item) -> None:
        period = item.period
        if self.at in self.absorbed or period is None or self.only_a_limit():
            return
        if period.part is not None:
            self.add_condition(Condition("", "in", period.values, part=period.part, words=item.text))
        elif (
            period.bare_year
            and self.last_member is not None
            and self.meta.is_number(self.last_member)
            and not self.meta.is_year(self.last_member)
            and self.member_close_before()
            and self.lies_within(self.last_member, item.text)
            # A year behind a number that has such values, where the rows know no time, is a value.
            and not self.meta.times(self.draft.resolution.scope)
        ):
            self.drop_mention(self.last_member)
            self.add_condition(Condition(self.last_member, "=", (tidy(float(item.text)),)))
        else:
            self.add_condition(
                Condition(
                    "",
                    "not period" if self.negated else "period",
                    (iso_or_none(period.low), iso_or_none(period.high)),
                    words=item.text,
                )
            )
        self.negated = False

    def only_a_limit(self) -> bool:
        """``in the past 30 days, inclusive of 30 days ago``: the rider says how a period is cut, it is none itself."""
        back = self.at - 1
        while back >= 0 and self.items[back].text.lower() in ("of", "the"):
            back -= 1
        return (
            back >= 0
            and self.items[back].text.lower() in ("inclusive", "exclusive", "including", "includes", "excluding")
            and any(c.operator == "period" for _, c, _ in self.draft.conditions)
        )

    def on_grain(self, item: Item) -> None:
        grain = item.grain
        if grain is None or self.at in self.absorbed:
            return
        if self.order is not None and not (self.group and not self.group_used):
            self.order.axis = self.order.axis or "x"
            return
        if self.counting and not grain.adverb:
            self.draft.doubts.append(f"countgrain:{grain.unit}")
            self.counting = None
            return
        wanted = (
            grain.adverb
            or self.group is not None
            and (not self.group_used or self.continues())
            or self.draft.bins
            or self.draft.trend
            or self.draft.when
        )
        before = self.items[self.at - 1] if self.at else None
        which = before is not None and (
            before.is_cue("ask", "which") or before.text.lower() in ("which", "what") or before.is_cue("top")
        )
        top = self.draft.top is not None and self.draft.top[2] >= self.at - 2
        if (
            wanted
            or which
            or top
            or grain.unit in ("weekday", "hour_of_day", *PARTINGS)
            or (before is not None and before.is_cue("group"))
        ):
            self.draft.grains.append((grain.unit, self.at, grain.adverb))
            # An adverb stays open: "monthly sales by region" groups by both.
            self.group_used = True if not grain.adverb else self.group_used
        else:
            self.draft.doubts.append(f"grain:{grain.unit}")

    def on_word(self, item: Item) -> None:
        token = self.draft.tokens[item.start]
        if self.at in self.absorbed or token.stem in FILLER or len(token.lower) < 2 or token.kind != "word":
            return
        if token.lower in _PAYING and self.pays_with():
            return
        opposite = self.opposite(token.lower)
        if opposite is not None:
            self.add_condition(opposite)
            return
        self.draft.unread.append(item.text)

    def pays_with(self) -> bool:
        """``who paid cash``: the verb only says of what the value is."""
        place = self.skip_small(self.at + 1)
        item = self.items[place] if place < len(self.items) else None
        if item is not None and item.text.lower() in ("by", "via"):
            place += 1
        return isinstance(self.chosen(place), ValueMatch)

    def opposite(self, word: str) -> Condition | None:
        """``closed`` where the model knows ``is_open``, ``unpaid`` where it knows ``paid_on``: the reverse holds."""
        # The word is made of the flag's by a prefix, or is its known opposite.
        base = OPPOSITES.get(word) or next((word[len(p) :] for p in ("un", "in", "non") if word.startswith(p)), "")
        if len(base) < 4:
            return None
        for relation in self.draft.resolution.scope:
            for known in self.meta.relation(relation).members.values():
                path = known.path
                if path not in self.meta.members or known.kind != "dimension":
                    continue
                parts = [part for part in self.meta.parts(path) if part not in _HELPERS]
                if [stem(part) for part in parts] != [stem(base)]:
                    continue
                if known.type == "boolean" or self.meta.is_flag(path):
                    return self.flagged(path, False)
                if known.type == "time" and self.meta.profile(path).missing:
                    return Condition(path, "null")
        return None
