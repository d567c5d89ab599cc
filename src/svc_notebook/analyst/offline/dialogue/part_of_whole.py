"""Shares in a turn: of which part they are, and of which whole, a number says, and not the rows that it is of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..forms import Aggregate, And, Clause, Compare, Condition, Expression, Form, Over, Ratio
from ..forms.walking import conjuncts
from ..schema.metadata import Metadata
from .conditions import about, conditions_of, with_conditions
from .numbers import plainly

__all__ = ["one_of_shares", "other_part", "shares_within"]


def other_part(form: Form, new: Condition, is_state: Callable[[Condition], bool]) -> Form | None:
    """``and boys?`` after the share that is girls: the other part of the same whole; None where the numbers that are
    shown are of no part that is about the same. ``is_state``: of what else a part may be in its place.
    """
    made = {clause.expression: _of_other_part(clause.expression, new, is_state) for clause in form.measures}
    if not any(other is not None for other in made.values()):
        return None
    order = tuple(replace(one, by=made.get(one.by) or one.by) for one in form.order)
    return form.with_(measures=tuple(Clause(made[one] or one) for one in made), order=order)


def _of_other_part(number: Expression, new: Condition, is_state: Callable[[Condition], bool]) -> Expression | None:
    above = number.above if isinstance(number, Ratio) else None
    if not isinstance(number, Ratio) or not isinstance(above, Aggregate) or above.where is None:
        return None
    terms = list(conjuncts(above.where))
    if is_state(new) and len(terms) == 1 and is_state(terms[0]):
        return replace(number, above=replace(above, where=new))  # "and resolved?" after those that were given up
    if not any(about(term) == about(new) for term in terms):
        return None
    part = [new if about(term) == about(new) else term for term in terms]
    return replace(number, above=replace(above, where=_all(part)))


def one_of_shares(form: Form, before: Form, metadata: Metadata) -> Form:
    """``just romance`` of shares by genre: what that one has of the whole, and not all of itself."""
    known, groups = conditions_of(before), [clause.expression for clause in form.groups]
    new = [one for one in conditions_of(form) if one not in known and _picks(one) in groups]
    shares = [clause.expression for clause in form.measures]
    left = tuple(clause for clause in form.groups if new and clause.expression != _picks(new[0]))
    wholes = {clause.expression for clause in left}
    if len(new) != 1 or form.measures != before.measures or not all(_is_share_of(one, wholes) for one in shares):
        return form
    made = {one: _part(one, new[0], metadata) for one in shares}
    if any(part is None for part in made.values()):
        return form
    parts = tuple(Clause(part) for part in made.values() if part is not None)
    rows = [one for one in conditions_of(form) if one != new[0]]
    rows += [one for one in known if about(one) == about(new[0])]  # what was left out of the whole is no part of it
    return with_conditions(form, rows).with_(groups=left, measures=parts, order=(), having=(), limit=None)


def _picks(condition: Condition) -> Expression | None:
    """What a condition picks one value of."""
    one = isinstance(condition, Compare) and condition.operator == "="
    return condition.left if one and isinstance(condition, Compare) else None


def _is_share_of(number: Expression, wholes: set[Expression]) -> bool:
    """Whether a number is what a group has of all there is in each of these."""
    return isinstance(number, Over) and number.function == "share" and {*number.within} == wholes


def _part(share: Expression, some: Condition, metadata: Metadata) -> Expression | None:
    whole = plainly(share.of, metadata) if isinstance(share, Over) and share.of is not None else None
    if not isinstance(whole, Aggregate) or whole.function == "measure":
        return None
    terms = [*(conjuncts(whole.where) if whole.where is not None else ()), some]
    return Ratio(replace(whole, where=_all(terms)), whole, True)


def _all(terms: Sequence[Condition]) -> Condition:
    return terms[0] if len(terms) == 1 else And(tuple(terms))


def shares_within(form: Form, apart: Expression) -> Form:
    """Shares of what is set side by side: each of its own whole, and not of both together."""
    if all(clause.expression == apart for clause in form.groups):
        return form
    made = [_within(clause.expression, apart) for clause in form.measures]
    return form.with_(measures=tuple(Clause(one) for one in made))


def _within(number: Expression, apart: Expression) -> Expression:
    if not isinstance(number, Over) or number.function != "share" or apart in number.within:
        return number
    return replace(number, within=(*number.within, apart))
