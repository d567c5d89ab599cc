"""A form beside itself at another time, or beside another form: as one form over the rows of both.

The rows of the other time are found by the time itself, never by their place in the result: a month without rows has
no predecessor to the month after it, and changes no growth rate.
"""

from __future__ import annotations

import calendar
import datetime as dt
from typing import Any

from .conditions import Compare, Range
from .expressions import Arithmetic, Expression, Moved, Output, Ratio, Value
from .form import Clause, Comparison, Filter, Form, Join, Order, Shift
from .walking import changed
from .writing.scope import CannotWrite

__all__ = ["beside", "compared"]


def beside(form: Form) -> Form:
    """A form with a comparison as one over the rows of both.

    Raises
    ------
    CannotWrite
        If the form does not show the time it is shifted by, or the two do not show the same groups.
    """
    comparison = form.compare
    assert comparison is not None
    here = form.with_(compare=None, order=(), limit=None)
    there = _moved(here, comparison.with_) if isinstance(comparison.with_, Shift) else _plain(comparison.with_)
    if len(there.groups) != len(here.groups) or len(there.measures) != len(here.measures):
        raise CannotWrite("Two forms are compared by the same groups and as many numbers.")
    pairs = tuple(
        (Output(near.expression), Output(far.expression, 1))
        for near, far in zip(here.groups, there.groups, strict=True)
    )
    groups = tuple(Clause(Output(g.expression), g.anchor, g.name) for g in here.groups if not g.hidden)
    order = tuple(Order(_output(o.by, form), o.descending, o.anchor) for o in form.order)
    join = Join(there, pairs, outer=bool(pairs), crossed=not pairs)
    columns = (*groups, *_shown(here, there, comparison))
    return Form(here, (join,), columns=columns, order=order, limit=form.limit)


def compared(form: Form) -> Form:
    """A form over the rows of two as a comparison, where that writes the same."""
    there = form.joins[0].role if len(form.joins) == 1 else None
    if not isinstance(form.root, Form) or not isinstance(there, Form) or not form.columns:
        return form
    here = form.root
    shifts = [
        Shift(near.expression, far.expression.amount, far.expression.unit)
        for near, far in zip(here.groups, there.groups, strict=False)
        if isinstance(far.expression, Moved) and far.expression.of == near.expression
    ]
    order = tuple(
        Order(o.by.of, o.descending, o.anchor) for o in form.order if isinstance(o.by, Output) and not o.by.source
    )
    for show in ("both", "difference", "growth"):
        made = here.with_(compare=Comparison(shifts[0] if shifts else there, show), order=order, limit=form.limit)
        try:
            if beside(made) == form:
                return made
        except CannotWrite:
            return form
    return form


def _shown(here: Form, there: Form, comparison: Comparison) -> list[Clause]:
    found = []
    for near, far in zip(here.measures, there.measures, strict=True):
        now, then = Output(near.expression), Output(far.expression, 1)
        found.append(Clause(now, near.anchor, near.name))
        found.append(Clause(then))
        difference = Arithmetic("-", now, then)
        if comparison.show == "difference":
            found.append(Clause(difference))
        if comparison.show == "growth":
            found.append(Clause(Ratio(difference, then)))
    return found


def _moved(form: Form, shift: Shift) -> Form:
    """The form whose rows bear the time they are compared at, with its periods as much earlier."""
    if all(group.expression != shift.by for group in form.groups):
        raise CannotWrite("A form that is compared with another time groups by it.")
    groups = tuple(
        Clause(Moved(g.expression, shift.amount, shift.unit), hidden=g.hidden) if g.expression == shift.by else g
        for g in form.groups
    )
    of = {shift.by, getattr(shift.by, "of", shift.by)}

    def earlier(part: Any) -> Any:
        if isinstance(part, Range) and part.of in of:
            return Range(part.of, _back(part.low, shift), _back(part.high, shift), part.closed, part.negated)
        if isinstance(part, Compare) and part.left in of and isinstance(part.right, Value):
            return Compare(part.left, part.operator, _back(part.right, shift))
        return part

    where = tuple(Filter(changed(f.condition, earlier), f.anchor) for f in form.where)
    return form.with_(groups=groups, where=where)


def _back(of: Expression, shift: Shift) -> Expression:
    if not isinstance(of, Value) or not isinstance(of.value, dt.date):
        return Moved(of, -shift.amount, shift.unit)
    months = {"year": 12, "quarter": 3, "month": 1}.get(shift.unit)
    if months is None:
        return Value(of.value - dt.timedelta(seconds=_SECONDS[shift.unit] * shift.amount))
    at = of.value.year * 12 + of.value.month - 1 - months * shift.amount
    last = calendar.monthrange(at // 12, at % 12 + 1)[1]
    return Value(of.value.replace(year=at // 12, month=at % 12 + 1, day=min(of.value.day, last)))


_SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}


def _plain(form: Form) -> Form:
    return form.with_(compare=None, order=(), limit=None)


def _output(of: Expression, form: Form) -> Expression:
    if all(of != clause.expression for clause in form.shown):
        raise CannotWrite("A comparison is ordered by what it shows.")
    return Output(of)
