"""Plans about other rows than those that were named: a number of strangers, what people are like for who they are."""

from __future__ import annotations

from ..lexicon import persons
from ..plans.plan import Plan
from ..plans.walking import relations_used
from ..schema.acts import scope_of_deeds
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..words.text import singular, stem

__all__ = ["is_of_other_deeds", "is_of_other_rows", "measures_the_unspoken"]

_COMPARED = frozenset({"=", "!=", "<", "<=", ">", ">=", "between"})
_SAID = 0.9
_GUESSED = 0.6
_NAMING = frozenset("name id no nr number code key email mail card phone login account first last".split())


def is_of_other_rows(plan: Plan, draft: Draft) -> bool:
    """Whether a plan is about rows that nobody spoke of, in place of those that were named."""
    return (
        _rows_lost(plan, draft)
        or _guessed_elsewhere(plan, draft)
        or _like_for_whom(plan, draft)
        or _averages_keys(plan, draft)
        or is_of_other_deeds(plan, draft)
    )


def is_of_other_deeds(plan: Plan, draft: Draft) -> bool:
    """``customers who bought roses`` by the reviews that they wrote of roses."""
    return scope_of_deeds(draft.tokens, plan.scope, relations_used(plan), draft.metadata) is not None


def _averages_keys(plan: Plan, draft: Draft) -> bool:
    """``the average booking`` over a key ``booked_by``: who somebody is has no average."""
    meta = draft.metadata
    averaged = [m.member for m in map(meta.plain, plan.measures) if m.member and m.aggregate in ("avg", "median")]
    for path in averaged:
        own = path.split(".", 1)[0]
        if any(path in (meta.join_keys(own, other) or ()) for other in meta.edges.get(own, ())):
            return True
    return False


def measures_the_unspoken(plan: Plan, draft: Draft) -> bool:
    """``is the average booking bigger``: not by the area of homes, of which neither was spoken."""
    chosen = list(draft.resolution.choice.values())
    spoken, meta = {_relation_of(said) for said in chosen}, draft.metadata
    averaged = [m.member for m in map(meta.plain, plan.measures) if m.member and m.aggregate in ("avg", "median")]
    said = {said.member for said in chosen}
    return bool(spoken) and any(path.split(".", 1)[0] not in spoken and path not in said for path in averaged)


def _rows_lost(plan: Plan, draft: Draft) -> bool:
    """``hours of hearings`` as those of somebody else: rows that were named take part in the answer, or each row of it
    belongs to one of them.
    """
    if plan.parts or plan.shape == "exists" or plan.nested is not None:
        return False
    meta = draft.metadata
    chosen = [c for c in draft.resolution.choice.values() if isinstance(c, Candidate)]
    named = {c.relation for c in chosen if c.member is None and c.full and c.quality >= _SAID}
    used = {*plan.scope, *(e.relation for e in plan.exists), *(e.relation for m in plan.measures for e in m.exists)}
    used |= {c.member.split(".", 1)[0] for c in plan.conditions} | {m.entity for m in plan.measures if m.entity}
    return any(not any(meta.leads_to(one, lost) for one in used) for lost in named - used)


def _guessed_elsewhere(plan: Plan, draft: Draft) -> bool:
    """``how much did each firm charge``: no number by a like word of rows that nothing else speaks of."""
    chosen = list(draft.resolution.choice.values())
    meta = draft.metadata
    measured = {path for m in plan.measures for path in (m.member, meta.plain(m).member) if path is not None}
    measured |= {c.member for c in plan.conditions if c.operator in _COMPARED}
    for said in chosen:
        if not isinstance(said, Candidate) or said.member not in measured or said.quality >= _GUESSED:
            continue
        others = {_relation_of(other) for other in chosen if other is not said}
        led = said.relation in others or any(meta.leads_to(said.relation, other) for other in others)
        if others and not led and len(plan.scope) > 1:
            return True
    return False


def _relation_of(said: Candidate | ValueMatch) -> str:
    return said.relation if isinstance(said, Candidate) else said.member.split(".", 1)[0]


def _like_for_whom(plan: Plan, draft: Draft) -> bool:
    """``the oldest driver`` over a column ``driver_sex``: a driver is asked for, and not what drivers are like."""
    meta = draft.metadata
    shown = {*plan.columns, *(d.member for d in plan.dimensions if d.grain is None)}
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        if not isinstance(said, Candidate) or said.member not in shown or said.full or item.kind != "name":
            continue
        parts = meta.parts(str(said.member))
        words = {token.lower for token in draft.tokens} | {singular(token.lower) for token in draft.tokens}
        text = len(parts) > 1 and meta.member(str(said.member)).type == "string"
        alone = plan.shape == "distinct" and plan.columns == (said.member,) and stem(parts[0]) in _stems(item.text)
        if (
            text
            and (alone or stem(parts[0]) in persons())
            and parts[-1] not in words
            and parts[-1] not in _NAMING
            and not meta.is_key(str(said.member))
        ):
            return True
    return False


def _stems(text: str) -> set[str]:
    """The stems of words in the plural: things, and none of what is asked of them."""
    return {stem(word) for word in text.lower().split() if singular(word) != word}
