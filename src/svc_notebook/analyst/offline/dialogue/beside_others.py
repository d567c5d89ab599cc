"""``vs the others``: those that were looked at and all others, side by side."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Case, Clause, Compare, Condition, Expression, Form, Holds, Missing, OneOf, Value
from ..forms.walking import conjuncts
from .conditions import conditions_of, with_conditions
from .hearing import Heard

__all__ = ["beside_others"]

_AGAINST = re.compile(r"\b(?:vs|versus|against|compare[ds]?|comparing|comparison|than)\b", re.IGNORECASE)


def beside_others(heard: Heard, form: Form, older: Form | None) -> Form | None:
    """The form with what was picked out last, and the rest, as groups; None where only they are meant."""
    if heard.wants != "others" or not _AGAINST.search(heard.text) or form.limit is not None or not form.measures:
        return None
    every = conditions_of(form)
    before = conditions_of(older) if older is not None else []
    picked = [c for c in every if c not in before and not (isinstance(c, Missing) and c.negated)]
    group = _parted(picked[0]) if len(picked) == 1 else None
    if group is None or len(form.groups) > 1:
        return None
    rest = with_conditions(form, [condition for condition in every if condition not in picked])
    old = tuple(clause for clause in form.groups if clause.expression != _of(picked[0]))
    return rest.with_(groups=(*old, Clause(group)), order=())


def _parted(condition: Condition) -> Expression | None:
    """A flag itself; of values these and the rest."""
    if isinstance(condition, Holds):
        return condition.of
    said = _said(condition)
    return (
        Case(((condition, Value(said)),), Value("the rest")) if said and len(list(conjuncts(condition))) == 1 else None
    )


def _said(condition: Condition) -> str:
    if isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, Value):
        return str(condition.right.value)
    if isinstance(condition, OneOf) and not condition.negated:
        return " or ".join(str(one.value) for one in condition.values if isinstance(one, Value))
    return ""


def _of(condition: Condition) -> Expression | None:
    if isinstance(condition, (Holds, OneOf)):
        return condition.of
    return condition.left if isinstance(condition, Compare) else None
