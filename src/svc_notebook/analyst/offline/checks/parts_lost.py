"""Plans that hold one part of what was asked for: of two groups one, of columns set in a row not all of them."""

from __future__ import annotations

from itertools import pairwise

from .... import patterns as re
from ..plans.plan import Measure, Plan
from ..plans.walking import conditions_of
from ..walk.draft import Draft
from .guessed import named, shown
from .leftover import is_done

__all__ = ["is_part_lost"]

_PARTLY = frozenset({"partly", "partially"})
_OWNED = re.compile(r"\band (?:their|its|his|her) \w+\W*$")
_BARE = re.compile(r", (?:from|to|by|when|where|who) ,")
_BOTH = 2


def is_part_lost(plan: Plan, draft: Draft) -> bool:
    """Whether something that was asked for beside the rest is not in a plan."""
    lost = (
        _part_lost, _group_as_condition, _theirs_lost, _share_of_all, _bare_columns_lost, _part_of_a_count,
        _sum_for_average, _spread_lost,
    )  # fmt: skip
    return any(is_lost(plan, draft) for is_lost in lost)


def _sum_for_average(plan: Plan, draft: Draft) -> bool:
    """``what do they cost on average``: the average of that, and no sum beside the average of something else."""
    meta = draft.metadata
    sums = {plain.member for m in plan.measures if (plain := meta.plain(m)).aggregate == "sum"}
    for place, item, said in named(draft):
        behind = draft.items[place + 1] if place + 1 < len(draft.items) else None
        if behind is None or not behind.is_cue("agg", "avg") or behind.start != item.end or said.member is None:
            continue
        if behind.text.lower() == "on average" and sums & {
            said.member,
            meta.plain(Measure(said.member, "measure")).member,
        }:
            return True
    return False


def _spread_lost(plan: Plan, draft: Draft) -> bool:
    """``distribution of delivery times``: how they lie, which one number of all of them does not tell."""
    return draft.spread and plan.shape == "aggregate" and not plan.dimensions and not plan.parts


def _part_of_a_count(plan: Plan, draft: Draft) -> bool:
    """``where more than half of the flights go from Newark``: half of them, and no half of a flight."""
    counts = {at for at, m in enumerate(plan.measures) if draft.metadata.plain(m).aggregate.startswith("count")}
    return any(h.measure in counts and any(0 < value < 1 for value in h.values) for h in plan.having)


def _part_lost(plan: Plan, draft: Draft) -> bool:
    """``partly paid``: some of it, which a sum of what was paid does not tell."""
    words = [token.lower for token in draft.tokens]
    said = any(one in _PARTLY and is_done(two) for one, two in pairwise(words))
    tested = any(c.other or any("part" in str(value).lower() for value in c.values) for c in conditions_of(plan))
    return said and not tested and not plan.having


def _group_as_condition(plan: Plan, draft: Draft) -> bool:
    """``revenue by sales agent and year``: groups of both, where the first was read as a value."""
    groups = len(plan.dimensions) + (plan.nested is not None) + len(plan.parts)
    for place, item in enumerate(draft.items):
        behind = draft.items[place + 1 : place + 5]
        joined = next((at for at, one in enumerate(behind[:-1]) if one.is_cue("logic", "and")), 0)
        called = all(one.kind in ("name", "value", "word") for one in behind[:joined])
        if item.is_cue("group") and item.text.lower() == "by" and joined and called:
            return behind[joined + 1].kind == "grain" and plan.shape == "aggregate" and groups < _BOTH
    return False


def _theirs_lost(plan: Plan, draft: Draft) -> bool:
    """``cancelled orders and their value``: two things are asked for."""
    said = _OWNED.search(" ".join(token.lower for token in draft.tokens))
    told = len(plan.columns) + len(plan.dimensions) + len(plan.measures) + len(plan.calculations)
    return said is not None and told < _BOTH and not plan.parts


def _share_of_all(plan: Plan, draft: Draft) -> bool:
    """``express share by depot``: of each depot, and not of everything."""
    within = any(c.kind == "share" and c.within is None for c in plan.calculations)
    if not within or len(plan.dimensions) != _BOTH:
        return False
    grouped = {d.member for d in plan.dimensions}
    return any(
        said.member in grouped and draft.items[place + 1].is_cue("calc", "share")
        for place, _, said in named(draft) if place + 1 < len(draft.items)
    )  # fmt: skip


def _bare_columns_lost(plan: Plan, draft: Draft) -> bool:
    """``departure, from, to, ship``: each of them is a column."""
    said = " ".join(token.lower for token in draft.tokens)
    return bool(_BARE.search(said)) and len(shown(plan)) <= said.count(" ,")
