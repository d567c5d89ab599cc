"""Plans that answer one of two questions: *which film sold most, and who is its studio* asks for a studio too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..plans.plan import Plan
from ..walk.draft import Draft

__all__ = ["is_half_answered"]

_ASKING = frozenset("what which who whom whose when where how".split())
_NAMES = frozenset({"who", "whom", "whose", "where"})
_THINGS = frozenset({"which", "what"})
_BEFORE = frozenset({"and", "plus", "?", ";"})
_LEADS = frozenset("in on at for from to by with of".split())
_HELPING = frozenset("is are was were do does did has have had can could will would 's".split())
_POINTING = frozenset("it that this they those these".split())
_NUMBERS = frozenset("share percentage percent proportion fraction number total average mean median rate part".split())


def is_half_answered(plan: Plan, draft: Draft) -> bool:
    """Whether fewer things are told than questions are asked, or fewer that have a name."""
    if plan.parts or plan.nested is not None or plan.shape == "exists":
        return False
    words = [token.lower for token in draft.tokens]
    asked = list(_asked(words))
    if len(asked) < 2 or asked[0] != 0:
        return False
    if words[:2] == ["how", "many"] and plan.limit is not None and any(_is_name(words, place) for place in asked[1:]):
        return True  # the number of one group is not the number of all that was asked for first
    names = len(plan.columns) + len(plan.dimensions) + sum(m.aggregate in ("min", "max") for m in plan.measures)
    told = len(plan.columns) + len(plan.dimensions) + len(plan.measures) + len(plan.calculations)
    return told < len(asked) or names < sum(_is_name(words, place) for place in asked)


def _asked(words: Sequence[str]) -> Iterator[int]:
    """Where a question begins: at first, and behind what joins another to it."""
    for place, word in enumerate(words):
        lead = place - (place > 0 and words[place - 1] in _LEADS)
        joined = not lead or words[lead - 1] in _BEFORE
        whether = place and word in _HELPING and words[place + 1 : place + 2] and words[place + 1] in _POINTING
        if joined and (word in _ASKING or whether):
            yield place


def _is_name(words: Sequence[str], place: int) -> bool:
    """Whether somebody, some place or one of things is asked for, and no number."""
    word, behind = words[place], words[place + 1] if place + 1 < len(words) else ""
    return word in _NAMES or word in _THINGS and bool(behind) and behind not in _HELPING | _NUMBERS
