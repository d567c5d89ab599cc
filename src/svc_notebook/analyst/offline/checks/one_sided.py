"""Plans that show one side where two were set against each other, or a flag where rows were said to have it."""

from __future__ import annotations

from functools import cache

from .... import patterns as re
from ..forms.partings import PARTINGS
from ..lexicon import load_lexicon
from ..plans.plan import Plan
from ..plans.walking import conditions_of
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..walk.draft import Draft

__all__ = ["is_one_sided"]


def is_one_sided(plan: Plan, draft: Draft) -> bool:
    """Whether a plan leaves a side out."""
    return _rest_lost(plan, draft) or _flag_shown(plan, draft) or _part_left_out(plan, draft)


def _rest_lost(plan: Plan, draft: Draft) -> bool:
    """``cash against the rest``: cash alone is no answer."""
    if plan.dimensions or plan.parts or plan.calculations or len(plan.measures) > 1:
        return False
    return _against_the_rest().search(_said(draft)) is not None


@cache
def _against_the_rest() -> re.Pattern[str]:
    lexicon = load_lexicon()
    against = "|".join(map(re.escape, (*lexicon.saying("versus"), "than")))
    rest = "|".join(map(re.escape, lexicon.saying("rest")))
    return re.compile(rf"(?<!\w)(?:{against})(?: (?:all|of|the|any))* (?:{rest})(?!\w)")


def _part_left_out(plan: Plan, draft: Draft) -> bool:
    """``morning flights (before noon) with evening ones``: told apart by parts of the day, of which one that is named
    has none of the rows that are chosen.
    """
    words = {token.lower.removesuffix("s") for token in draft.tokens}
    for known in (PARTINGS[str(d.grain)] for d in plan.dimensions if d.grain in PARTINGS):
        chosen = [set(c.values) for c in plan.conditions if c.part == known.condition and c.operator == "in"]
        named = [set(values) for name, values in known.names if name in words]
        if len(named) > 1 and any(not values & kept for kept in chosen for values in named):
            return True
    return False


def _flag_shown(plan: Plan, draft: Draft) -> bool:
    """``list the glazed jugs``: those that are, whether or not it is shown of all jugs, or they are parted by it."""
    choice, meta = draft.resolution.choice, draft.metadata
    shown = {*plan.columns, *(d.member for d in plan.dimensions)} - {c.member for c in conditions_of(plan)}
    named = [one.member for one in choice.values() if isinstance(one, Candidate) and one.member in shown]
    if plan.shape not in ("rows", "distinct") and _opposed().search(_said(draft)):
        return False
    for place, item in enumerate(draft.items[:-1]):
        one, behind, after = choice.get(place), choice.get(place + 1), draft.items[place + 1]
        path = one.member if isinstance(one, Candidate) and one.member in shown else None
        flag = path is not None and meta.members[path].type == "boolean" and named.count(path) == 1
        asked = place > 0 and draft.items[place - 1].is_cue("group")
        rows = isinstance(behind, Candidate) and behind.member is None or isinstance(behind, ValueMatch)
        if flag and rows and not asked and after.start == item.end:
            return True
    return False


@cache
def _opposed() -> re.Pattern[str]:
    """Words that set two sides against each other."""
    words = (*load_lexicon().saying("versus", "rest"), "than", "or", "each", "every", "by", "per")
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")


def _said(draft: Draft) -> str:
    return " ".join(token.lower for token in draft.tokens)
