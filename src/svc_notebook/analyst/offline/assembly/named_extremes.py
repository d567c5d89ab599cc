"""Superlatives that name: the cheapest product of each category, the worst rated shop, the top three of each group."""

from __future__ import annotations

from ..plans.plan import Dimension, Measure
from ..schema.lexicon import Candidate
from ..walk.draft import Mention, OrderWish
from ..walk.walker import SMALL_WORDS
from .extremes import Extremes

__all__ = ["NamedExtremes"]

_BY = frozenset({"by", "based on", "in terms of", "according to"})


class NamedExtremes(Extremes):
    """What the noun behind a superlative names is shown, with the number it is ranked by beside it."""

    def between_or_behind(self, place: int, entity_at: int) -> Mention | None:
        """The number said with the superlative (``highest grossing``), or behind what is ranked (``by gross``)."""
        numbers = [m for m in self.draft.mentions if self.raw_number(m)]
        if len(numbers) != 1 or len(self.draft.mentions) != 1 + len(self.whose(place)):
            return None
        at = numbers[0].place
        behind = at > entity_at and self.draft.items[at - 1].text.lower() in _BY
        return numbers[0] if place < at < entity_at or behind else None

    def whose(self, place: int) -> list[Mention]:
        """``which studio has the highest rated film``: what is asked of the one that is first; of several, averages."""
        asked = self.draft.which and not (self.dimensions or self.draft.grouped_entities or self.several(place))
        return [m for m in self.draft.mentions if asked and m.place < place and not self.raw_number(m)][:1]

    def noun_behind(self, place: int) -> tuple[str, int] | None:
        """The relation whose rows a superlative ranks, past a number, small words and the number it is ranked by."""
        named = {at: name for name, at in self.draft.entities}
        numbers = {m.place for m in self.draft.mentions if self.raw_number(m)}
        at, items = place + 1, self.draft.items
        while at < len(items) and (
            items[at].kind == "number" or at in numbers or items[at].text.lower() in SMALL_WORDS
        ):
            at += 1
        return (named[at], at) if at in named else None

    def groups_behind(self, entity: str, at: int) -> list[Dimension]:
        """What is grouped by behind the noun that is ranked: ``of each studio``, ``by genre``."""
        choice, found = self.draft.resolution.choice, []
        known = {d.member: d for d in self.dimensions}
        grouped = {place: name for name, place in self.draft.grouped_entities}
        for later in range(at + 1, len(self.draft.items)):
            chosen = choice.get(later)
            if later in grouped and grouped[later] != entity and (label := self.meta.label_of(grouped[later])):
                found.append(Dimension(label))
            elif isinstance(chosen, Candidate) and chosen.member in known and not self.meta.is_number(chosen.member):
                found.append(known[chosen.member])
        return found

    def rank_within(
        self, group: Dimension, entity: str, measure: Measure, descending: bool, number: int | None
    ) -> None:
        """Rank an entity's rows within each group."""
        draft = self.draft
        label = self.meta.label_of(entity)
        assert label is not None
        draft.grouped_entities = []
        self.dimensions = [group, Dimension(label)]
        self.measures = [measure]
        draft.orders.append(OrderWish(descending, measure=measure))
        self.limit, self.limit_per, draft.top = number or 1, 0, None

    def said_extreme(self) -> bool:
        """Rank what a superlative names by the number said with it; ``False`` where it says none, or names nothing."""
        draft = self.draft
        if draft.top is None or draft.measures or draft.counting or draft.orders or draft.mark or draft.axes:
            return False
        direction, number, place = draft.top
        noun = self.noun_behind(place)
        if noun is None or (label := self.meta.label_of(noun[0])) is None:
            return False
        entity, at = noun
        said = self.between_or_behind(place, at)
        groups = self.groups_behind(entity, at)
        if len(groups) != len(self.dimensions) + len([g for g in draft.grouped_entities if g[0] != entity]):
            return False
        descending = direction == "desc"
        if said is None:
            return self.adjective_extreme(entity, groups, descending, number)
        own = said.member.split(".", 1)[0] == entity
        if own and not groups and draft.having or len(groups) > 1:
            return False
        whose = [m.member for m in self.whose(place)]
        if whose and not own:
            return False
        draft.mentions = []
        if groups:
            extreme = ("max" if descending else "min") if own else self.default_aggregate(said.member)
            self.rank_within(groups[0], entity, Measure(said.member, extreme), descending, number)
        elif own:
            self.rank_alone(entity, said.member, descending, number, place)
            self.columns[:0] = whose
        else:
            draft.grouped_entities = []
            self.dimensions = [Dimension(label)]
            self.measures = [Measure(said.member, self.default_aggregate(said.member))]
            draft.orders.append(OrderWish(descending, measure=self.measures[0]))
            self.limit, draft.top = self.how_many(number, place), None
        return True

    def adjective_extreme(self, entity: str, groups: list[Dimension], descending: bool, number: int | None) -> bool:
        """``longest film of each studio``: by what the adjective measures."""
        draft = self.draft
        assert draft.top is not None
        place = draft.top[2]
        whose = [m.member for m in self.whose(place)]
        if len(groups) + len(whose) != 1 or len(draft.mentions) != len(whose):
            return False
        text = draft.items[place].text.lower()
        member, flipped = self.ranking_member(entity, text)
        if member is None:
            found = self.adjective_member(entity, text)
            if found is None:
                return False
            member, flipped = found
        up = descending != flipped
        if groups:
            self.rank_within(groups[0], entity, Measure(member, "max" if up else "min"), up, number)
        else:
            draft.mentions = []
            self.rank_alone(entity, member, up, number, place)
            self.columns[:0] = whose
        return True
