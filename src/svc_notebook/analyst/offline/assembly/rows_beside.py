"""*Flights and average delay by airline*: rows in a list of numbers stand for how many there are."""

from __future__ import annotations

from ..plans.plan import Measure
from ..schema.lexicon import Candidate
from ..walk.segments import Item
from ..words.text import singular
from .assembly import Assembly

__all__ = ["rows_beside"]

_BOTH = 2
_LITTLE = frozenset({"the", "their", "its", "total", "overall", "all"})


def rows_beside(state: Assembly) -> None:
    """Count the rows that are named beside a number, where each group is told both."""
    if state.shape != "aggregate" or not state.dimensions or not state.measures or state.draft.top is not None:
        return
    if state.draft.mark or state.draft.axes or state.draft.relate or state.draft.compare:
        return
    for relation, place in state.draft.entities:
        if relation == state.scope[0] and _is_listed(state, place) and not any(map(state.is_count, state.measures)):
            count = state.count_of(relation)
            first = not any(_numbers_before(state, place))
            state.measures[:] = [count, *state.measures] if first else [*state.measures, count]


def _is_listed(state: Assembly, place: int) -> bool:
    """Whether rows, in the plural, stand beside a number and an *and* or a comma."""
    items = state.draft.items
    word = state.draft.tokens[items[place].end - 1].lower
    if singular(word) == word:
        return False
    behind = place + 1 < len(items) and _joins(items[place + 1]) and _is_number(state, place + 2)
    before = place > 1 and _joins(items[place - 1]) and _ends_number(state, place - 2)
    grouped = place == 0 and len(items) > _BOTH and items[1].is_cue("group")
    behind = behind or grouped and any(_joins(one) and _is_number(state, at + 1) for at, one in enumerate(items))
    ends = place + 1 == len(items) or items[place + 1].is_cue("group") or _joins(items[place + 1])
    return (behind and (place == 0 or place == 1 and items[0].is_cue("ask", "list"))) or before and ends


def _joins(item: Item) -> bool:
    return item.is_cue("logic", "and") or item.is_cue("logic", ",")


def _is_number(state: Assembly, place: int) -> bool:
    """Whether what begins at a place is a number of the rows: its aggregate, or its name."""
    items = state.draft.items
    while place < len(items) and (items[place].text.lower() in _LITTLE or items[place].is_cue("agg")):
        if items[place].is_cue("agg"):
            return True
        place += 1
    return place < len(items) and _ends_number(state, place)


def _ends_number(state: Assembly, place: int) -> bool:
    said = state.draft.resolution.choice.get(place)
    path = said.member if isinstance(said, Candidate) else None
    return path is not None and any(_is_of(measure, path, state) for measure in state.measures)


def _is_of(measure: Measure, path: str, state: Assembly) -> bool:
    return path in (measure.member, state.meta.plain(measure).member)


def _numbers_before(state: Assembly, place: int) -> list[bool]:
    return [_ends_number(state, at) for at in range(place)]
