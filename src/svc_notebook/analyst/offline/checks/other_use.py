"""Names that were said for one thing and are used for another: a condition shown as a number, a state as a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..plans.plan import Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..walk.draft import Draft
from ..words.text import singular, stem

__all__ = ["is_of_another_use"]

_CLAUSES = frozenset({"that", "who", "which", "when", "while", "if", "whose"})
_BEING = frozenset({"are", "were", "is", "was", "be", "been"})
_AUXILIARY = frozenset(
    "is has was are were been can did does had have got get for in on of no not as with by to at an a via any".split()
)
_EARNING = frozenset(
    "earn earns earned earning generate generates generated collect collects collected spend spends spent".split()
)
_PRICES = frozenset({"price", "prices", "rate", "per"})
_MEAN = frozenset({"average", "averages", "avg", "mean", "median", "typical", "typically", "usually"})
_ALSO = frozenset({"and", "or", ",", "by", "per", "each", "every", "with", "their", "its"})
_EACH = frozenset({"each", "per", "every", "by"})


def is_of_another_use(plan: Plan, draft: Draft) -> bool:
    """Whether something that was named has another part in the plan than in the question."""
    return any(check(plan, draft) for check in _CHECKS)


def _named(draft: Draft) -> list[tuple[int, Candidate]]:
    return [(place, c) for place, c in draft.resolution.choice.items() if isinstance(c, Candidate)]


def _clause_measured(plan: Plan, draft: Draft) -> bool:
    """``delay of flights that left on time``, ``when it rains``: which rows are meant, and no second number of all."""
    measured = {m.member for m in plan.measures if m.member}
    measured |= {path for m in plan.measures if (path := draft.metadata.plain(m).member)}
    if len(plan.measures) < 2 or plan.having:
        return False
    for place, said in _named(draft):
        at = draft.items[place].start
        words = [token.lower for token in draft.tokens[:at]]
        begins = next((p for p in range(len(words) - 1, max(0, len(words) - 4), -1) if words[p] in _CLAUSES), 0)
        ranked = any(item.is_cue("top") or item.is_cue("agg") for item in draft.items if item.start > begins)
        if begins and said.member in measured and not ranked and not _ALSO & set(words[begins:]):
            return True
    return False


def _state_grouped(plan: Plan, draft: Draft) -> bool:
    """``how many accounts are overdrawn``: those that are, and no groups by what is called alike."""
    grouped = {d.member for d in plan.dimensions if d.grain is None}
    for one, (place, said) in ((place - 1, (place, said)) for place, said in _named(draft) if place > 1):
        state = draft.items[one].text.lower() in _BEING and draft.items[0].is_cue("count")
        last = place + 1 == len(draft.items) or draft.items[place + 1].kind == "period"
        if state and last and not said.full and said.member in grouped:
            return True
    return False


def _flag_by_its_noun(plan: Plan, draft: Draft) -> bool:
    """``follow-up visits`` over ``first_visit``: that they are visits makes them no first ones."""
    meta, words = draft.metadata, {token.stem for token in draft.tokens}
    flags = {c.member for c in plan.conditions if c.operator in ("true", "false")}
    flags |= {d.member for d in plan.dimensions if meta.is_flag(d.member) or meta.member(d.member).type == "boolean"}
    for place, said in _named(draft):
        if said.member not in flags or said.full or draft.items[place].kind != "name":
            continue
        own = [part for part in meta.parts(str(said.member)) if part not in _AUXILIARY]
        text = draft.items[place].text.lower()
        rows = singular(text) != text and len(own) > 1 and stem(own[-1]) == stem(text)
        if rows and not words & {stem(part) for part in own[:-1]}:
            return True
    return False


def _owner_grouped(plan: Plan, draft: Draft) -> bool:
    """``by manufacturer of the plane``: of one thing, and no second group by something else of it."""
    grouped = {d.member for d in plan.dimensions if d.grain is None}
    for place, said in _named(draft):
        before = draft.items[place - 1] if place else None
        whose = draft.resolution.choice.get(place - 2)
        owned = isinstance(whose, Candidate) and whose.member in grouped and whose.member != said.member
        if owned and before is not None and before.text.lower() in ("of the", "of a", "of an", "of its", "of their"):
            return not said.full and said.member in grouped
    return False


def _which_one_lost(plan: Plan, draft: Draft) -> bool:
    """``which customer has the earliest start``: one of them, and not when each of them did."""
    words = [token.lower for token in draft.tokens]
    if words[:1] not in (["which"], ["who"]) or _EACH & set(words) or plan.shape != "aggregate":
        return False
    cut = plan.limit or plan.limit_per or plan.having or plan.claim or plan.calculations or plan.parts
    ends = bool(plan.measures) and all(m.aggregate in ("min", "max") for m in plan.measures)
    return ends and bool(plan.dimensions) and not cut and any(item.is_cue("top") for item in draft.items)


def _how_much_of_nothing(plan: Plan, draft: Draft) -> bool:
    """``how much did we harvest``: a number, and no list of the rows or of what they are called."""
    words = [token.lower for token in draft.tokens]
    if words[:2] != ["how", "much"] or plan.shape not in ("rows", "distinct"):
        return False
    meta = draft.metadata
    return not any(path in meta.members and meta.is_number(path) and not meta.is_key(path) for path in plan.columns)


def _total_of_a_mass(plan: Plan, draft: Draft) -> bool:
    """``total milk``: how much there was, and not how many rows hold it."""
    meta = draft.metadata
    counts = bool(plan.measures) and all(meta.plain(m).aggregate == "count" for m in plan.measures)
    if not counts or plan.nested is not None or plan.parts:
        return False
    for place, said in _named(draft):
        before = draft.items[place - 1] if place else None
        text = draft.items[place].text.lower()
        if before is None or not before.is_cue("agg", "sum") or said.member is not None or " " in text:
            continue
        return singular(text) == text and text not in _own_words(said.relation, meta)
    return False


def _own_words(relation: str, meta: Metadata) -> set[str]:
    return {one for word in meta.words_of(relation) for one in (word.lower(), singular(word.lower()))}


def _earned_on_average(plan: Plan, draft: Draft) -> bool:
    """``which crop earns the most``: all that it does, and no average of a price."""
    words = {token.lower for token in draft.tokens}
    if not words & _EARNING or words & _MEAN or plan.shape != "aggregate" or plan.nested is not None:
        return False
    meta = draft.metadata
    plain = [meta.plain(m) for m in plan.measures]
    return bool(plain) and all(m.aggregate == "avg" and m.member and _PRICES & set(meta.parts(m.member)) for m in plain)


_CHECKS: Sequence[Callable[[Plan, Draft], bool]] = (
    _clause_measured, _state_grouped, _flag_by_its_noun, _owner_grouped, _which_one_lost, _how_much_of_nothing,
    _total_of_a_mass, _earned_on_average,
)  # fmt: skip
