"""Superlatives that name: the cheapest product of each category, the worst rated shop, the top three of each group."""

from __future__ import annotations

from ..plans.plan import Dimension, Measure
from ..schema.lexicon import Candidate
from ..schema.member_kinds import labels_of
from ..walk.draft import Mention, OrderWish
from ..walk.walker import SMALL_WORDS
from .assembly import Assembly
from .extremes import adjective_member, how_many, rank_alone, ranking_member, several

__all__ = ["said_extreme"]


_BY = frozenset({"by", "based on", "in terms of", "according to"})


def _between_or_behind(state: Assembly, place: int, entity_at: int) -> Mention | None:
    """The number said with the superlative (``highest grossing``), or behind what is ranked (``by gross``)."""
    numbers = [m for m in state.draft.mentions if state.raw_number(m)]
    # Any further name would be neither ranked by nor asked of whoever is first, and be lost.
    if len(numbers) != 1 or len(state.draft.mentions) != 1 + len(_asked_whose(state, place)):
        return None
    at = numbers[0].place
    # Behind the noun only with a word for it: else it is asked for, or restricts.
    behind = at > entity_at and state.draft.items[at - 1].text.lower() in _BY
    return numbers[0] if place < at < entity_at or behind else None


def _asked_whose(state: Assembly, place: int) -> list[Mention]:
    """``which studio has the highest rated film``: what is asked of the one that is first; of several, averages."""
    asked = state.draft.which and not (state.dimensions or state.draft.grouped_entities or several(state, place))
    return [m for m in state.draft.mentions if asked and m.place < place and not state.raw_number(m)][:1]


def _noun_behind(state: Assembly, place: int) -> tuple[str, int] | None:
    """The relation whose rows a superlative ranks, past a number, small words and the number it is ranked by."""
    named = {at: name for name, at in state.draft.entities}
    numbers = {m.place for m in state.draft.mentions if state.raw_number(m)}
    at, items = place + 1, state.draft.items
    while at < len(items) and (items[at].kind == "number" or at in numbers or items[at].text.lower() in SMALL_WORDS):
        at += 1
    return (named[at], at) if at in named else None


def _groups_behind(state: Assembly, entity: str, at: int) -> list[Dimension]:
    """What is grouped by behind the noun that is ranked: ``of each studio``, ``by genre``."""
    choice = state.draft.resolution.choice
    found: list[Dimension] = []
    known = {d.member: d for d in state.dimensions}
    grouped = {place: name for name, place in state.draft.grouped_entities}
    for later in range(at + 1, len(state.draft.items)):
        chosen = choice.get(later)
        if state.draft.items[later].kind == "grain":
            found.extend(d for d in state.dimensions if d.grain is not None and d not in found)
        elif later in grouped and grouped[later] != entity and (label := state.meta.label_of(grouped[later])):
            found.append(Dimension(label))
        elif isinstance(chosen, Candidate) and chosen.member in known and not state.meta.is_number(chosen.member):
            found.append(known[chosen.member])
    return found


def _name_of(state: Assembly, entity: str) -> str | None:
    """What names a row: its label, or a text that each of them has another of."""
    label = state.meta.label_of(entity)
    if label is not None:
        return label
    named = labels_of(state.meta, entity)[:1]
    return named[0] if named and state.meta.profile(named[0]).unique else None


def _rank_within(
    state: Assembly, group: Dimension, entity: str, measure: Measure, descending: bool, number: int | None
) -> None:
    """Rank an entity's rows within each group."""
    draft = state.draft
    label = _name_of(state, entity)
    assert label is not None
    draft.grouped_entities = []
    state.dimensions = [group, Dimension(label)]
    state.measures = [measure]
    draft.orders.append(OrderWish(descending, measure=measure))
    state.limit, state.limit_per, draft.top = number or 1, 0, None


def said_extreme(state: Assembly) -> bool:
    """Rank what a superlative names by the number said with it; ``False`` where it says none, or names nothing."""
    draft = state.draft
    if draft.top is None or draft.measures or draft.counting or draft.orders or draft.mark or draft.axes:
        return False
    direction, number, place = draft.top
    noun = _noun_behind(state, place)
    if noun is None or (label := _name_of(state, noun[0])) is None:
        return False
    entity, at = noun
    said = _between_or_behind(state, place, at)
    groups = _groups_behind(state, entity, at)
    # Each group there is must be one that was said behind the noun: else another step ranks with them.
    if not groups and state.meta.label_of(entity) is None:
        return False
    if len(groups) != len(state.dimensions) + len([g for g in draft.grouped_entities if g[0] != entity]):
        return False
    descending = direction == "desc"
    if said is None:
        return _adjective_extreme(state, entity, groups, descending, number)
    own = said.member.split(".", 1)[0] == entity
    # A bound would need groups, and the rows themselves are none; of two groups it is not said within which is
    # ranked.
    if own and not groups and draft.having or len(groups) > 1:
        return False
    whose = [m.member for m in _asked_whose(state, place)]
    if whose and not own:
        return False
    draft.mentions = []
    if groups:
        # Of a row's own number the extreme; over its facts, what such numbers come to.
        extreme = ("max" if descending else "min") if own else state.default_aggregate(said.member)
        _rank_within(state, groups[0], entity, Measure(said.member, extreme), descending, number)
    elif own:
        rank_alone(state, entity, said.member, descending, number, place)
        state.columns[:0] = whose
    else:
        draft.grouped_entities = []
        state.dimensions = [Dimension(label)]
        state.measures = [Measure(said.member, state.default_aggregate(said.member))]
        draft.orders.append(OrderWish(descending, measure=state.measures[0]))
        state.limit, draft.top = how_many(state, number, place), None
    return True


def _adjective_extreme(
    state: Assembly, entity: str, groups: list[Dimension], descending: bool, number: int | None
) -> bool:
    """``longest film of each studio``: by what the adjective measures."""
    draft = state.draft
    assert draft.top is not None
    place = draft.top[2]
    whose = [m.member for m in _asked_whose(state, place)]
    if len(groups) + len(whose) != 1 or len(draft.mentions) != len(whose):
        return False
    text = draft.items[place].text.lower()
    member, flipped = ranking_member(state, entity, text)
    if member is None:
        found = adjective_member(state, entity, text)
        if found is None:
            return False
        member, flipped = found
    up = descending != flipped
    if groups:
        _rank_within(state, groups[0], entity, Measure(member, "max" if up else "min"), up, number)
    else:
        draft.mentions = []
        rank_alone(state, entity, member, up, number, place)
        state.columns[:0] = whose
    return True
