"""Plans that count where an amount is asked for, add up where rows are counted, or count other rows than are named."""

from __future__ import annotations

from itertools import pairwise

from ..plans.plan import Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.money import amounts
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..words.text import is_participle, singular

__all__ = ["counts_amiss"]

_COUNTING = frozenset({"count", "number", "many", "counts", "numbers", "often", "times"})
_US = frozenset({"we", "they", "i", "people"})
_MOMENTS = frozenset("date day time datetime timestamp moment week month year hour minute night birthday".split())
_TWO = 2


def counts_amiss(plan: Plan, draft: Draft) -> bool:
    """Whether a number of rows stands for an amount, an amount for a number of rows, or one for another's."""
    if plan.shape != "aggregate" or not plan.measures or plan.parts or plan.nested is not None:
        return False
    return (
        _counts_moments(plan, draft)
        or _adds_money(plan, draft)
        or _counts_what_was_done(plan, draft)
        or _counts_those_beside(plan, draft)
    )


def _counted(measure: Measure, draft: Draft) -> str | None:
    """The relation whose rows a measure counts."""
    plain = draft.metadata.plain(measure)
    if plain.aggregate not in ("count", "count_values"):
        return None
    if measure.member is not None and measure.member in draft.metadata.members:
        return measure.entity or measure.member.split(".", 1)[0]
    return measure.entity


def _counts_moments(plan: Plan, draft: Draft) -> bool:
    """``number of attendees`` by when something was attended: different moments are nobody."""
    meta, words = draft.metadata, {singular(token.lower) for token in draft.tokens}
    paths = {m.member for m in plan.measures if m.aggregate == "count_distinct" and m.member in meta.members}
    return any(meta.is_time(path) for path in paths if path) and not words & _MOMENTS


def _adds_money(plan: Plan, draft: Draft) -> bool:
    """``how many went for more than asking``: how many, and not how much money."""
    money = amounts(draft.metadata)
    for one, two in pairwise(draft.items):
        if one.is_cue("count") and one.text.lower() == "how many" and two.kind == "word" and one.end == two.start:
            plain = [draft.metadata.plain(m) for m in plan.measures]
            return all(m.aggregate in ("sum", "avg", "measure") and m.member in money for m in plain)
    return False


def _counts_what_was_done(plan: Plan, draft: Draft) -> bool:
    """``running total of what we invoiced``: the amount, where the rows have one."""
    words = [token.lower for token in draft.tokens]
    if _COUNTING & set(words):
        return False
    rows = [_counted(m, draft) for m in plan.measures]
    if not all(rows) or any(m.conditions for m in plan.measures):
        return False
    owners = {path.split(".", 1)[0] for path in amounts(draft.metadata)}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        relation = said.relation if isinstance(said, Candidate) and said.member is None else None
        if relation is None or relation not in owners or relation not in rows or item.end - item.start != 1:
            continue
        if is_participle(item.text.lower()):
            before = words[max(0, item.start - _TWO) : item.start]
            return before[:1] == ["what"] and before[-1] in _US or item.end == len(words) or words[item.end] == ","
    return False


def _counts_those_beside(plan: Plan, draft: Draft) -> bool:
    """``how many dogs are registered``: dogs, and not whose they are."""
    rows = {_counted(m, draft) for m in plan.measures}
    named = {c.relation for c in draft.resolution.choice.values() if isinstance(c, Candidate) and c.member is None}
    for place, (one, two) in enumerate(pairwise(draft.items), 1):
        said = draft.resolution.choice.get(place)
        if not one.is_cue("count") or not isinstance(said, ValueMatch) or two.kind != "value":
            continue
        own = said.member.split(".", 1)[0]
        return len(rows) == 1 and None not in rows and own not in rows and rows.isdisjoint(named)
    return False
