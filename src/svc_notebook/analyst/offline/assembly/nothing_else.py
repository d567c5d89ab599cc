"""Groups all of whose rows are so: *waiters who only take cash*, *receipts with only drinks*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..plans.plan import Condition, Dimension, Having, Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..walk.draft import Draft

__all__ = ["nothing_else", "takes_some_for_all"]

_WHOSE = frozenset({"who", "that", "which", "with", "have", "had", "has", "having", "whose", "containing", "of"})
_ONLY = frozenset({"only", "exclusively", "solely"})
_TURNED = {"in": "not in", "=": "!=", "true": "false", "false": "true", "not in": "in", "!=": "="}
_BEING = frozenset({"is", "are", "was", "were"})
_WHEN = "period"
_BETWEEN = 4  # words between "who" and "only"
_PLACING = frozenset("from to in at on for with by of during since between above below over under the a".split())


def nothing_else(draft: Draft, conditions: Sequence[tuple[str, Condition, int]]) -> Plan | None:
    """The groups all of whose rows are as is said behind *who only*; None where nothing is said so.

    The rows that are so would be another answer: nearly every waiter who takes cash takes cards as well.
    """
    found = _only(draft)
    if found is None or any(joiner == "or" for joiner, _, _ in conditions):
        return None
    whose, place = found
    inner = [condition for _, condition, at in conditions if at >= place]
    outer = [condition for _, condition, at in conditions if at < place]
    if len(inner) > 1:  # "only drinks in March": of the rows of March
        outer += [condition for condition in inner if condition.operator == _WHEN]
        inner = [condition for condition in inner if condition.operator != _WHEN]
    if len(inner) != 1 or inner[0].operator not in _TURNED:
        return None
    relation = inner[0].member.split(".", 1)[0]
    path = _group(draft, whose, relation)
    if path is None or path == inner[0].member:
        return None
    other = replace(inner[0], operator=_TURNED[inner[0].operator])
    met = (Measure(None, "count", (inner[0],), entity=relation), Measure(None, "count", (other,), entity=relation))
    return Plan(
        scope=tuple(dict.fromkeys((relation, path.split(".", 1)[0]))),
        measures=met,
        dimensions=(Dimension(path),),
        conditions=tuple(outer),
        # Both bounds: a group without any row has none that is otherwise either.
        having=(Having(0, ">", (0.0,)), Having(1, "=", (0.0,))),
        hidden=(0, 1),
    )


def takes_some_for_all(plan: Plan, draft: Draft) -> bool:
    """Whether a plan takes groups with some such row for those of which all rows are so."""
    if any(having.operator == "=" and having.values == (0.0,) for having in plan.having):
        return False
    found, relations = _only(draft), {c.member.split(".", 1)[0] for _, c, _ in draft.conditions if c.member}
    if found is None or not any(at >= found[1] and c.operator in _TURNED for _, c, at in draft.conditions):
        return False
    return any(_group(draft, found[0], relation, last=True) is not None for relation in relations)


def _only(draft: Draft) -> tuple[int, int] | None:
    """The items at *who*, and behind the *only* that follows; *airlines only fly* is said of those before it."""
    words = [token.lower for token in draft.tokens]
    for at, word in enumerate(words[:-1]):
        if word not in _ONLY:
            continue
        # The nearest of them: "who" at the head of the question may be of someone else.
        whose = max((place for place in range(max(1, at - _BETWEEN), at) if words[place] in _WHOSE), default=None)
        named = at - (words[at - 1] in _BEING)  # "airlines only fly", "destinations are only served"
        if whose is None and words[at + 1].isalpha() and words[at + 1] not in _PLACING and _ends_a_name(draft, named):
            whose = named
        if whose is not None and (behind := _item_from(draft, at + 1)) is not None:
            return _item_from(draft, whose) or 0, behind
    return None


def _ends_a_name(draft: Draft, token: int) -> bool:
    return any(item.kind == "name" and item.end == token for item in draft.items)


def _item_from(draft: Draft, token: int) -> int | None:
    return next((number for number, item in enumerate(draft.items) if item.start >= token), None)


def _group(draft: Draft, place: int, relation: str, *, last: bool = False) -> str | None:
    """The column of a relation that tells whose rows they are: the one thing, or the last one, that is named before."""
    said = [draft.resolution.choice.get(at) for at in range(place) if draft.items[at].kind == "name"]
    said = [choice for choice in said if not isinstance(choice, ValueMatch)]  # "riders from Kendal who only …"
    # A plan made elsewhere is judged by the last name: those before it may only say whose.
    said = said[-1:] if last else said
    named = [candidate for candidate in said if isinstance(candidate, Candidate) and candidate.full]
    if len(said) != 1 or len(named) != 1:
        return None
    meta, member = draft.metadata, named[0].member
    if member is None or member == meta.label_of(named[0].relation) and named[0].relation != relation:
        keys = meta.join_keys(relation, named[0].relation)
        return (meta.named_by(keys[0]) or keys[0]) if keys is not None else None
    known = meta.members.get(member)
    own = named[0].relation == relation
    return member if own and known is not None and known.type == "string" and not known.primary_key else None
