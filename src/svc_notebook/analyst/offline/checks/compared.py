"""Plans that compare nothing where something is compared: *over their limit*, *per 100*, *this month against last*."""

from __future__ import annotations

from itertools import pairwise

from ..plans.plan import Plan
from ..plans.walking import conditions_of, measures_of
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..walk.draft import Draft

__all__ = ["is_comparison_lost"]

_OVER = frozenset({">", "<", ">=", "<="})
_OWN = frozenset({"their", "its", "his", "her"})
_BOUNDING = _OVER | {"between", "period", "not period"}
_LITTLE = frozenset({"the", "any", "a", "an"})
_AGAINST = frozenset({"vs", "versus", "against", "compared"})
_BOTH = 2
_RATES = frozenset({"rate", "rates"})
_SAYING_LITTLE = frozenset("the a an our all other others rest each to with that those last this".split())


def is_comparison_lost(plan: Plan, draft: Draft) -> bool:
    """Whether a bound, a base or one of two times that are set against each other is not in a plan."""
    lost = _own_bound_lost(plan, draft) or _base_lost(plan, draft) or _times_as_one(plan, draft)
    lost = lost or _bound_by_a_value(plan, draft)
    return lost or _other_side_lost(plan, draft) or _rate_of_rows_lost(plan, draft) or _another_rate(plan, draft)


def _other_side_lost(plan: Plan, draft: Draft) -> bool:
    """``rent versus takings``: what nobody knows is set against what is known; glazed and unglazed are one flag's."""
    apart = {part for dimension in plan.dimensions for part in draft.metadata.parts(dimension.member)}
    return any(
        one.text.lower() in _AGAINST and two.kind == "word" and two.text.lower() not in _SAYING_LITTLE
        and two.text not in plan.unread and two.start == one.end and two.text.lower().removeprefix("un") not in apart
        for one, two in pairwise(draft.items)
    )  # fmt: skip


def _rate_of_rows_lost(plan: Plan, draft: Draft) -> bool:
    """``remake rate per technician``: how many there are for each of what they are of, and no part of all remakes."""
    shared = any(calculation.kind == "share" for calculation in plan.calculations)
    return shared and any(
        isinstance(named := draft.resolution.choice.get(place), Candidate) and named.member is None
        and one.kind == "name" and two.text.lower() in _RATES
        for place, (one, two) in enumerate(pairwise(draft.items))
    )  # fmt: skip


def _another_rate(plan: Plan, draft: Draft) -> bool:
    """``cancellation rate``: how many were cancelled, and no other number that is called a rate."""
    meta, choice = draft.metadata, draft.resolution.choice
    used = {path for m in measures_of(plan) for path in (m.member, meta.plain(m).member) if path is not None}
    for place, (one, two) in enumerate(pairwise(draft.items)):
        said, rate = choice.get(place), choice.get(place + 1)
        path = rate.member if isinstance(rate, Candidate) and two.text.lower() in _RATES else None
        if path is None or said is None or one.end != two.start or len(meta.parts(path)) < _BOTH:
            continue
        other = said.member is not None and said.member != path and not meta.is_number(said.member)
        if other and any(taken.endswith(path.split(".", 1)[1]) for taken in used):
            return True
    return False


def _own_bound_lost(plan: Plan, draft: Draft) -> bool:
    """``accounts over their credit limit``: something is compared with it."""
    for place, item in enumerate(draft.items[:-_BOTH]):
        owned, said = draft.items[place + 1], draft.resolution.choice.get(place + _BOTH)
        bounded = item.cue is not None and item.cue.kind == "compare" and item.cue.value in _OVER
        if bounded and owned.text.lower() in _OWN and isinstance(said, Candidate) and said.member is not None:
            return not any(said.member in (c.member, c.other) for c in conditions_of(plan))
    return False


def _bound_by_a_value(plan: Plan, draft: Draft) -> bool:
    """``planes later than Airbus``: nothing is later than a maker, and those that are by it are not what was asked."""
    bounds = any(c.operator in _BOUNDING or c.operator.endswith("average") for c in conditions_of(plan))
    bounds = bounds or any(exists.operator for exists in plan.exists) or bool(plan.having or plan.claim)
    if bounds or plan.parts or plan.compare or plan.limit is not None or plan.calculations:
        return False
    for place, item in enumerate(draft.items[:-1]):
        behind = place + 1 + (draft.items[place + 1].text.lower() in _LITTLE)
        bound = item.cue is not None and item.cue.kind == "compare" and item.cue.value in _OVER
        if bound and isinstance(draft.resolution.choice.get(behind), ValueMatch):
            return True
    return False


def _base_lost(plan: Plan, draft: Draft) -> bool:
    """``complaints per 100 deliveries``: one number divided by another."""
    said = any(
        one.is_cue("group") and one.text.lower() == "per" and two.kind == "number"
        for one, two in zip(draft.items, draft.items[1:], strict=False)
    )
    divided = any(m.aggregate in ("ratio", "share_true") or m.divided_by for m in measures_of(plan))
    return said and not divided and not plan.parts and not any(d.bin for d in plan.dimensions)


def _times_as_one(plan: Plan, draft: Draft) -> bool:
    """``May compared with April``: one number of both is none of either."""
    against = _AGAINST & {token.lower for token in draft.tokens}
    times = sum(item.kind == "period" for item in draft.items)
    if not against or times < _BOTH or plan.shape != "aggregate" or plan.dimensions or plan.calculations:
        return False
    apart = any(c.operator.endswith("period") for m in plan.measures for c in m.conditions)
    apart = apart or bool(plan.parts or plan.compare or plan.claim)
    return not apart and len(plan.measures) == 1
