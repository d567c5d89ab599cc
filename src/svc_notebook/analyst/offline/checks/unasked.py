"""Plans with times that nobody asked for: the months of a verb, a text for *monthly*, one period for two."""

from __future__ import annotations

from itertools import combinations

from ..assembly.of_all_times import TIMED
from ..plans.plan import Plan
from ..plans.walking import conditions_of
from ..schema.lasting import BIRTH, DUE
from ..schema.lexicon import Candidate
from ..walk.draft import Draft
from ..words.text import stem

__all__ = ["ENDS", "has_times_unasked"]

_EVERY = frozenset("hourly daily weekly monthly quarterly yearly annual annually".split())


def has_times_unasked(plan: Plan, draft: Draft) -> bool:
    """Whether a time is in a plan in a way that nothing of the question says."""
    return (
        _grouped_by_a_verb(plan, draft)
        or _text_for_a_time(plan, draft)
        or _periods_crossed(plan)
        or _least_for_first(plan, draft)
        or _due_for_done(plan, draft)
        or _births(plan, draft)
    )


def _grouped_by_a_verb(plan: Plan, draft: Draft) -> bool:
    """``which station do most rides start from``: of all times."""
    words = {token.lower for token in draft.tokens}
    if plan.limit is None or not any(d.grain == "month" for d in plan.dimensions) or len(plan.dimensions) < 2:
        return False
    said = any(item.kind in ("grain", "period") for item in draft.items) or draft.trend or draft.when or draft.axes
    return not said and not words & TIMED and draft.mark is None


def _least_for_first(plan: Plan, draft: Draft) -> bool:
    """``the first job we ever did, what did it cost``: the first by time, and no least price."""
    told = [draft.metadata.plain(m) for m in plan.measures]
    ends = [m.member for m in told if m.aggregate in ("min", "max") and m.member]
    if plan.shape != "aggregate" or not ends or len(ends) < len(told) or plan.dimensions:
        return False
    said = any(item.is_cue("top") and item.text.lower() in ENDS for item in draft.items)
    return said and not any(draft.metadata.is_time(path) or draft.metadata.is_year(path) for path in ends)


def _due_for_done(plan: Plan, draft: Draft) -> bool:
    """``how many cars came in last month``: none of those whose next test will be due then."""
    said, meta = {token.stem for token in draft.tokens}, draft.metadata
    times = {c.member for c in plan.conditions if c.operator == "period" and meta.is_time(c.member)}
    due = [path for path in times if path in meta.members and DUE & set(meta.parts(path))]
    return any(said.isdisjoint(map(stem, meta.parts(path))) for path in due)


def _births(plan: Plan, draft: Draft) -> bool:
    """``how many guests stayed in 2025``: none of those who were born then."""
    meta = draft.metadata
    tested = {c.member for c in conditions_of(plan) if c.operator == "period" or meta.is_year(c.member)}
    tested |= {d.member for d in plan.dimensions if d.grain or meta.is_year(d.member)}
    if not any(item.kind in ("period", "grain") for item in draft.items):
        return False
    born = [path for path in tested if path in meta.members and BIRTH & set(meta.parts(path))]
    return bool(born) and not any(token.lower in BIRTH | _AGES for token in draft.tokens)


_AGES = frozenset("age aged ages old older oldest young younger youngest generation birthdays births".split())
ENDS = frozenset({"first", "last", "latest", "earliest", "newest"})


def _text_for_a_time(plan: Plan, draft: Draft) -> bool:
    """``monthly wages`` over a text ``pay_mth``: a way to pay is no month."""
    shown = {*plan.columns, *(d.member for d in plan.dimensions)}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        path = said.member if isinstance(said, Candidate) and not said.full else None
        if path is not None and path in shown and item.text.lower().split()[0] in _EVERY:
            return draft.metadata.member(path).type == "string"
    return False


def _periods_crossed(plan: Plan) -> bool:
    """``first half of this year against first half of last``, ``new year 2025, 20 Dec to 10 Jan``: two times that are
    said apart are not one and the same, and neither begins within the other and ends behind it.
    """
    spans = [c for c in plan.conditions if c.operator == "period" and c.part is None]
    for one, two in combinations(spans, 2):
        if one.member != two.member or one.words == two.words:
            continue
        (low, high), (start, end) = one.values, two.values
        if one.values == two.values:
            return True
        if all((low, high, start, end)) and not (low <= start and end <= high or start <= low and high <= end):
            return True
    return False
