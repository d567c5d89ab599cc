"""A share or a change that was written over the numbers of groups, as one form: what its edits change lies within."""

from __future__ import annotations

from typing import Any

from ..forms import Clause, Expression, Form, Order, Output
from ..forms.walking import changed, has_aggregate

__all__ = ["flat"]


def flat(form: Form) -> Form:
    """The groups and numbers that a form shows over another one, in that one; itself where it does more."""
    if not isinstance(form.root, Form):
        return form
    inner = flat(form.root)
    if isinstance(inner.root, Form) or not _only_shows(form) or inner.limit is not None or not inner.measures:
        return form
    shown = [(_plain(clause.expression), clause.name) for clause in form.columns]
    groups = [clause.expression for clause in inner.groups]
    numbers = [Clause(of, name=name) for of, name in shown if of not in groups]
    if any(of not in [each for each, _ in shown] for of in groups) or not all(map(_is_number, numbers)):
        return form
    order = tuple(Order(_plain(one.by), one.descending) for one in form.order)
    return inner.with_(measures=tuple(numbers), order=order, limit=form.limit)


def _only_shows(form: Form) -> bool:
    """Whether a form picks columns of the one below it, sorts and cuts them, and no more."""
    return not (form.groups or form.measures or form.where or form.having or form.joins or form.compare)


def _plain(of: Expression) -> Expression:
    """An expression over the columns of a form as one over its rows."""

    def step(one: Any) -> Any:
        return _plain(one.of) if isinstance(one, Output) else one

    return changed(of, step)


def _is_number(clause: Clause) -> bool:
    """Whether it is put together of rows."""
    return has_aggregate(clause.expression)
