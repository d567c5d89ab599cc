"""``vs the others``: those that were looked at and all others, side by side."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Case, Clause, Condition, Expression, Form, Holds, Missing, Value
from .conditions import conditions_of, picked, with_conditions
from .hearing import Heard

__all__ = ["beside_others"]

_AGAINST = re.compile(r"\b(?:vs|versus|against|compare[ds]?|comparing|comparison|than)\b", re.IGNORECASE)


def beside_others(heard: Heard, form: Form, older: Form | None) -> Form | None:
    """The form with what was picked out last, and the rest, as groups; None where only they are meant."""
    if heard.wants != "others" or not _AGAINST.search(heard.text) or form.limit is not None or not form.measures:
        return None
    every = conditions_of(form)
    before = conditions_of(older) if older is not None else []
    said = [c for c in every if c not in before and not (isinstance(c, Missing) and c.negated)]
    parting = _parting(said[0]) if len(said) == 1 else None
    if parting is None or len(form.groups) > 1:
        return None
    of, group = parting
    rest = with_conditions(form, [condition for condition in every if condition not in said])
    old = tuple(clause for clause in form.groups if clause.expression != of)
    return rest.with_(groups=(*old, Clause(group)), order=())


def _parting(condition: Condition) -> tuple[Expression, Expression] | None:
    """What a condition is on, and the group that parts its rows from the rest: a flag itself; or these values."""
    if isinstance(condition, Holds):
        return condition.of, condition.of
    found = picked(condition)
    if found is None:
        return None
    of, values = found
    these = " or ".join(str(one.value) for one in values if isinstance(one, Value))
    return of, Case(((condition, Value(these)),), Value("the rest"))
