"""Turns that are nothing but a phrase about the form before: ``ascending``, ``as a share``, ``how many is that``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime

from ..forms import ROWS, Clause, Condition, Expression, Form, Limit, Member, Order, Range, Value
from ..forms.walking import has_aggregate
from ..metadata import Metadata
from ..polarity import is_bad_when_high
from .conditions import conditions_of, with_conditions
from .editing import Unfit, main_number
from .expressing import is_time, members_of, with_function
from .numbers import as_rate, as_share

__all__ = ["wished"]


def wished(want: str, form: Form, metadata: Metadata, older: Form | None = None) -> Form | None:
    """The form with what the phrase wants; None where the phrase is no wish about a form.

    Raises
    ------
    Unfit
        If it is one that has no place in this form.
    """
    if want in ("share", "rate") and older is not None and (form.groups == () or want == "rate"):
        return as_rate(form, metadata, conditions_of(older) if older.groups == form.groups else ())
    wish = _WISHES.get(want)
    return wish(form, metadata) if wish is not None else None


def _all(form: Form, metadata: Metadata) -> Form:
    if form.limit is None:
        raise Unfit("all is shown already")
    return form.with_(limit=None)


def _unfiltered(form: Form, metadata: Metadata) -> Form:
    if not form.where:
        raise Unfit("there is no filter")
    return form.with_(where=())


def _overall(form: Form, metadata: Metadata) -> Form:
    if not form.groups or not form.measures or form.having:
        raise Unfit("it is one number already")
    return form.with_(groups=(), order=(), limit=None)


def _count(form: Form, metadata: Metadata) -> Form:
    """How many rows a list has, or how many groups there are."""
    if form.columns and form.limit is None:
        return form.with_(columns=(), order=(), measures=(Clause(ROWS),))
    if form.groups and form.limit is None:
        return Form(form.with_(order=()), measures=(Clause(ROWS),))
    raise Unfit("nothing to count")


def _share(form: Form, metadata: Metadata) -> Form:
    return as_share(form, metadata)


def _rate(form: Form, metadata: Metadata) -> Form:
    return as_rate(form, metadata)


def _sorted(descending: bool) -> Callable[[Form, Metadata], Form]:
    def sort(form: Form, metadata: Metadata) -> Form:
        return _ordered(form, main_number(form), descending)

    return sort


def _ordered(form: Form, by: Expression | None, descending: bool) -> Form:
    if by is None or not (form.groups or form.columns):
        raise Unfit("nothing to sort by")
    return form.with_(order=(Order(by, descending),))


def _quality(best: bool) -> Callable[[Form, Metadata], Form]:
    """Whether much of a number is good goes by its name."""

    def sort(form: Form, metadata: Metadata) -> Form:
        number = main_number(form)
        words = (
            {word for member in _members(number) for word in metadata.parts(member)} if number is not None else set()
        )
        return _ordered(form, number, best != is_bad_when_high(words))

    return sort


def _members(expression: Expression | None) -> list[str]:
    return [member.path for member in members_of(expression)]


def _reversed(form: Form, metadata: Metadata) -> Form:
    if not form.order:
        return _ordered(form, main_number(form), False)
    return form.with_(order=tuple(replace(order, descending=not order.descending) for order in form.order))


def _alphabetical(form: Form, metadata: Metadata) -> Form:
    texts = [
        clause.expression for clause in (*form.groups, *form.columns)
        if isinstance(clause.expression, Member) and clause.expression.path in metadata.members
        and metadata.members[clause.expression.path].type == "string"
    ]  # fmt: skip
    return _ordered(form, texts[0] if texts else None, False)


def _chronological(form: Form, metadata: Metadata) -> Form:
    shown = [c.expression for c in (*form.groups, *form.columns) if not has_aggregate(c.expression)]
    return _ordered(form, next((e for e in shown if is_time(e, metadata)), None), False)


def _put_together(function: str, descending: bool) -> Callable[[Form, Metadata], Form]:
    """``the maximum``: of each number, or the first where numbers cannot be put together so."""

    def change(form: Form, metadata: Metadata) -> Form:
        changed = [with_function(clause, function, metadata) for clause in form.measures]
        made = [clause for clause in changed if clause is not None]
        if not made or len(made) < len(changed):
            return _extreme(descending)(form, metadata)
        return form.with_(measures=tuple(made), order=(), limit=None)

    return change


def _whole_year(form: Form, metadata: Metadata) -> Form:
    """The year that a period lies in."""
    known = conditions_of(form)
    for place, condition in enumerate(known):
        year = _year_of(condition, metadata)
        if year is not None:
            assert isinstance(condition, Range)
            ends = Value(datetime(year, 1, 1)), Value(datetime(year + 1, 1, 1))
            whole = Range(condition.of, *ends)
            return with_conditions(form, [*known[:place], whole, *known[place + 1 :]])
    return _all_time(form, metadata)


def _year_of(condition: Condition, metadata: Metadata) -> int | None:
    if (
        not isinstance(condition, Range)
        or not isinstance(condition.low, Value)
        or not isinstance(condition.high, Value)
    ):
        return None
    low, high = condition.low.value, condition.high.value
    if not isinstance(low, date) or not isinstance(high, date) or not is_time(condition.of, metadata):
        return None
    within = high.year == low.year or (high.year == low.year + 1 and (high.month, high.day) == (1, 1))
    return low.year if within else None


def _all_time(form: Form, metadata: Metadata) -> Form:
    known = conditions_of(form)
    left = [c for c in known if not any(is_time(member, metadata) for member in members_of(c))]
    if len(left) == len(known):
        raise Unfit("there is no period in it")
    return with_conditions(form, left)


def _extreme(descending: bool, skip: int = 0) -> Callable[[Form, Metadata], Form]:
    def first(form: Form, metadata: Metadata) -> Form:
        return _ordered(form, main_number(form), descending).with_(limit=Limit(1, skip=skip))

    return first


_WISHES: dict[str, Callable[[Form, Metadata], Form]] = {
    "all": _all, "unfiltered": _unfiltered, "overall": _overall, "share": _share, "rate": _rate, "count": _count,
    "ascending": _sorted(False), "descending": _sorted(True), "best_first": _quality(True),
    "worst_first": _quality(False), "reversed": _reversed, "alphabetical": _alphabetical,
    "chronological": _chronological, "extreme": _extreme(True), "least": _extreme(False),
    "second": _extreme(True, 1), "second_least": _extreme(False, 1),
    "maximum": _put_together("max", True), "minimum": _put_together("min", False), "whole_year": _whole_year,
    "all_time": _all_time,
}  # fmt: skip
