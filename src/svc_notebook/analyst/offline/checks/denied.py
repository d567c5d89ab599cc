"""Plans that say yes where a question says no: *without a battery* is none with one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from .... import patterns as re
from ..plans.plan import Condition, Plan
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..walk.draft import Draft

__all__ = ["is_denial_lost", "is_no"]

_DENYING = frozenset("not without never no isn't aren't wasn't weren't isnt arent wasnt werent".split())
_CONTRACTED = frozenset("haven't hasn't hadn't didn't havent hasnt hadnt didnt".split())  # of verbs
_BETWEEN = frozenset("a an any the on in at of with yet been to".split())
_YES = frozenset({"true", "in", "=", "not null", "contains", "starts"})
_NO = re.compile(r"(?:no?|none|never)$|(?:no|not|non)[\W_]|noshow|un\w+(?:ed|en|id|wn)$", re.IGNORECASE)
"""Values that deny: *no*, *not yet*, *unpaid*; but not *North*."""
_AFFIRMING = _YES | {"period", "between"}


def is_denial_lost(plan: Plan, draft: Draft) -> bool:
    """Whether what is denied is a condition that holds, or shown as if it were asked for."""
    if _denied_of_some(plan, draft) or _verb_affirmed(plan, draft):
        return True
    lacking = any(e.negated for e in plan.exists) or any(h.operator == "=" and h.values == (0.0,) for h in plan.having)
    for path in () if lacking else _denied(draft):  # who has no such rows is told by what those are like
        tests = [c for c in _tests(plan) if c.member == path]
        if tests and all(c.operator in _YES and c.other is None for c in tests):
            return True
        if not tests and draft.metadata.is_time(path) and path in plan.columns and plan.shape != "aggregate":
            return True
    return False


def _denied_of_some(plan: Plan, draft: Draft) -> bool:
    """``riders without a delivery``, ``accounts with no complaints``: who has none, and not who has one without."""
    meta, opening = draft.metadata, draft.resolution.choice.get(0)
    words = [token.lower for token in draft.tokens]
    without = "without" in words or any(one == "with" and two == "no" for one, two in pairwise(words))
    if not without or not isinstance(opening, Candidate) or draft.items[0].kind != "name":
        return False
    subject = meta.relation_referred(opening.member) if opening.member is not None else opening.relation
    missing = {c.member.split(".", 1)[0] for c in plan.conditions if c.operator == "null"}
    beside = {plan.scope[0] for e in plan.exists if e.negated and plan.shape != "aggregate"}
    return any(of != subject and meta.leads_to(of, subject) for of in missing | beside)


def _verb_affirmed(plan: Plan, draft: Draft) -> bool:
    """``cars that haven't been in``: what a verb denies, where nothing of the plan denies anything."""
    denied = bool(_CONTRACTED & {token.lower for token in draft.tokens}) or _is_deed_denied(draft)
    if not denied or plan.having or any(e.negated for e in plan.exists):
        return False
    return all(c.operator in _AFFIRMING and not is_no(c.values) for c in _tests(plan))


def _is_deed_denied(draft: Draft) -> bool:
    """``not been paid``, ``not yet billed``: of what a number is called by as well."""
    numbers = (
        draft.items[place].start
        for place, said in draft.resolution.choice.items()
        if isinstance(said, Candidate)
        and said.member in draft.metadata.members
        and draft.metadata.is_number(said.member)
    )
    before = ([token.lower for token in draft.tokens[max(0, at - 3) : at]] for at in numbers)
    return any(words[-1:] in (["been"], ["yet"]) and bool(_DENYING & set(words)) for words in before)


def is_no(values: tuple[object, ...]) -> bool:
    return any(value in (None, False) or _NO.match(str(value)) is not None for value in values)


def _denied(draft: Draft) -> Iterator[str]:
    """The members that a denial stands right before."""
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        path = said.member if isinstance(said, (Candidate, ValueMatch)) else None
        if path is None or path not in draft.metadata.members or draft.metadata.is_number(path):
            continue
        at = item.start - 1
        while at >= 0 and draft.tokens[at].lower in _BETWEEN:
            at -= 1
        own = draft.tokens[item.start].lower
        only = draft.tokens[at + 1].lower == "only" if at + 1 < len(draft.tokens) else False
        if not only and (own == "without" or at >= 0 and draft.tokens[at].lower in _DENYING):
            yield path


def _tests(plan: Plan) -> Iterator[Condition]:
    yield from plan.conditions
    yield from (c for group in plan.alternatives for c in group)
    yield from (c for m in plan.measures for c in (*m.conditions, *(m.divided_by or ())))
    yield from (c for e in plan.exists for c in e.conditions)
    for part in plan.parts:
        yield from _tests(part)
