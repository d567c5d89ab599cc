"""Conditions of a form that a turn adds, replaces or takes away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from ..forms import (
    Compare,
    Condition,
    Expression,
    Filter,
    Form,
    Holds,
    Like,
    Member,
    Missing,
    Moved,
    Not,
    OneOf,
    Or,
    Part,
    Range,
    Related,
    Truncated,
    Value,
)
from ..forms.canonical import key
from ..forms.vocabulary import OPPOSITE
from ..forms.walking import conjuncts
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from .expressing import paths_of

__all__ = [
    "about", "added", "among", "conditions_of", "ends_of", "merged", "negated", "picked", "restored",
    "says_so", "says_whose", "with_conditions", "without", "without_others",
]  # fmt: skip

_YEAR = 12  # months
_STATES = (("status",), ("state",), ("outcome",), ("result",), ("stage",))


def conditions_of(form: Form) -> list[Condition]:
    """The conditions on the rows of a form, all of which hold."""
    return [term for item in form.where for term in conjuncts(item.condition)]


def with_conditions(form: Form, conditions: Iterable[Condition]) -> Form:
    """The form with these conditions on its rows, and no others."""
    return form.with_(where=tuple(Filter(condition) for condition in conditions))


def says_so(condition: Condition, metadata: Metadata) -> bool:
    """Whether a condition says that rows are so: a flag, or a state that is told in words."""
    paths = paths_of(condition)
    return bool(paths) and all(path in metadata.members and _is_state(path, metadata) for path in paths)


def says_whose(condition: Condition, metadata: Metadata) -> bool:
    """Whether a condition picks out whose rows are looked at: an airline, and not how late they are."""
    if not isinstance(condition, Compare) or condition.operator != "=" or not isinstance(condition.left, Member):
        return False
    path = condition.left.path
    return path in metadata.members and kind_of(metadata, path) == "text" and not says_so(condition, metadata)


def _is_state(path: str, metadata: Metadata) -> bool:
    kind = kind_of(metadata, path)
    return kind == "flag" or kind == "text" and metadata.parts(path)[-1:] in _STATES


def about(condition: Condition) -> object:
    """What a condition speaks of: two about the same cannot both be meant when one is said after the other."""
    match condition:
        case Compare(left, _, _):
            return key(left), "value" if isinstance(condition.right, Value) else "other"
        case OneOf(of=of) | Range(of=of) | Like(of=of) | Missing(of=of) | Holds(of=of):
            return key(of), "value"
        case Not(term):
            return about(term)
        case Related(form=form):
            return key(form), "related"
        case Or(terms) if len(kinds := {about(term) for term in terms}) == 1:  # two periods
            return kinds.pop()
    return tuple(sorted(paths_of(condition))), "whole"


def added(known: Sequence[Condition], new: Sequence[Condition]) -> list[Condition]:
    """The conditions with new ones in the place of those about the same."""
    gone = {about(condition) for condition in new}
    kept = [c for c in known if about(c) not in gone]
    return [*(c for c in kept if not any(_leaves_no_month(c, other) for other in new)), *new]


def _leaves_no_month(one: Condition, other: Condition) -> bool:
    """Whether two conditions on one time are of no month together: a summer, and December after it."""
    both = _months(one), _months(other)
    if both[0] is None or both[1] is None or paths_of(one) != paths_of(other):
        return False
    return not both[0] & both[1]


def _months(condition: Condition) -> set[int] | None:
    """The months of the year that a condition leaves; None where it is about no months."""
    of = condition.left if isinstance(condition, Compare) else condition.of if isinstance(condition, OneOf) else None
    if isinstance(of, Part) and of.part == "month" and not _denies(condition):
        said = _values(condition) or ()
        return {value.value for value in said if isinstance(value, Value) and isinstance(value.value, int)} or None
    ends = ends_of(condition)
    if ends is None:
        return None
    first, last = (end.year * 12 + end.month - 1 for end in ends)
    last -= ends[1].day == 1  # an end is no part of its period
    return {month % 12 + 1 for month in range(first, last + 1)} if last - first < _YEAR else None


def merged(known: Sequence[Condition], new: Condition) -> list[Condition] | None:
    """The conditions with the values of ``new`` beside those that are there; None where there are none of its kind."""
    for place, condition in enumerate(known):
        if isinstance(condition, Range) and isinstance(new, Range) and about(condition) == about(new):
            return [*known[:place], _both_ranges(condition, new), *known[place + 1 :]]
        one, other = _values(condition), _values(new)
        if one is None or other is None or about(condition) != about(new) or _denies(condition) != _denies(new):
            continue
        values = tuple(dict.fromkeys((*one, *other)))
        both = OneOf(_of(condition), values, _denies(condition))
        return [*known[:place], both, *known[place + 1 :]]
    return None


def _both_ranges(one: Range, other: Range) -> Condition:
    """Two periods as one where they touch."""
    if one.high == other.low and not one.negated and not other.negated:
        return replace(one, high=other.high, closed=other.closed)
    if other.high == one.low and not one.negated and not other.negated:
        return replace(other, high=one.high, closed=one.closed)
    return Or((one, other))


def restored(known: Sequence[Condition], back: Condition) -> list[Condition] | None:
    """The conditions with the values of ``back`` left out no longer; None where they were not."""
    values = _values(back)
    for place, condition in enumerate(known):
        there = _values(condition)
        if about(condition) != about(back) or there is None or values is None or not _denies(condition):
            continue
        if set(values) & set(there):
            left = tuple(value for value in there if value not in values)
            rest = [_one_of(_of(condition), left, True)] if left else []
            return [*known[:place], *rest, *known[place + 1 :]]
    return None


def without(known: Sequence[Condition], gone: Condition) -> list[Condition]:
    """The conditions less what ``gone`` says, where it was asked for; else with its opposite."""
    values = _values(gone)
    for place, condition in enumerate(known):
        if about(condition) != about(gone):
            continue
        there = _values(condition)
        if _lies_within(gone, condition):
            return [*known, negated(gone)]
        if there is None or values is None:  # a period, a comparison
            return [*known[:place], *known[place + 1 :]]
        if not _denies(condition) and set(values) & set(there):
            left = tuple(value for value in there if value not in values)
            rest = [_one_of(_of(condition), left, False)] if left else []
            return [*known[:place], *rest, *known[place + 1 :]]
        if _denies(condition):
            both = _one_of(_of(condition), tuple(dict.fromkeys((*there, *values))), True)
            return [*known[:place], both, *known[place + 1 :]]
    return [*known, negated(gone)]


def without_others(known: Sequence[Condition], denied: Condition, before: Sequence[Condition]) -> list[Condition]:
    """The conditions less those of ``before`` that pick other values than are denied now.

    Of the rejected, ``everything not accepted`` says nothing: all but the accepted are meant.
    """
    values = set(_values(denied) or ())

    def is_idle(condition: Condition) -> bool:
        there = picked(condition) if condition in before and about(condition) == about(denied) else None
        return there is not None and bool(values) and not values & set(there[1])

    return [condition for condition in known if not is_idle(condition)]


def picked(condition: Condition) -> tuple[Expression, tuple[Expression, ...]] | None:
    """Of what a condition picks values, and which; None where it picks none, or all but some."""
    values = _values(condition)
    return (_of(condition), values) if values is not None and not _denies(condition) else None


def _lies_within(gone: Condition, known: Condition) -> bool:
    """Whether a period is a part of the one that is looked at."""
    part, whole = ends_of(gone), ends_of(known)
    if part is None or whole is None or part == whole:
        return False
    low, high = (end.isoformat()[:10] for end in part)
    return whole[0].isoformat()[:10] <= low and high <= whole[1].isoformat()[:10]


def negated(condition: Condition) -> Condition:
    """The opposite of a condition."""
    match condition:
        case Compare(left, operator, right):
            return Compare(left, OPPOSITE[operator], right)
        case OneOf() | Range() | Like() | Missing() | Related():
            return replace(condition, negated=not condition.negated)
        case Not(term):
            return term
    return Not(condition)


def ends_of(condition: Condition) -> tuple[date, date] | None:
    """The first moment of a period and the one after its last."""
    if not isinstance(condition, Range) or condition.negated or condition.closed:
        return None
    if not isinstance(condition.low, Value) or not isinstance(condition.high, Value):
        return None
    low, high = condition.low.value, condition.high.value
    return (low, high) if isinstance(low, date) and isinstance(high, date) else None


def among(of: Expression, values: Sequence[Any]) -> Condition | None:
    """Rows whose group is one of those that a result showed."""
    known = tuple(value for value in values if value is not None)
    if not known:
        return None
    if isinstance(of, Truncated):
        if len(known) != 1:
            return OneOf(of, tuple(Value(_moment(value)) for value in known))
        start = _moment(known[0])
        return Range(of.of, Value(start), _ended(start, of.grain))
    if isinstance(of, Part) or not isinstance(known[0], (list, dict)):
        return _one_of(of, tuple(Value(value) for value in known), False)
    return None


def _ended(start: Any, grain: str) -> Expression:
    """The end of a unit of time that begins at ``start``."""
    if not isinstance(start, date):
        return Moved(Value(start), 1, grain)  # type: ignore[arg-type]  # one of the grains
    months = {"month": 1, "quarter": 3, "year": 12}.get(grain)
    if (days := {"day": 1, "week": 7}.get(grain)) is not None:
        return Value(start + timedelta(days=days))
    if months is None:
        return Moved(Value(start), 1, grain)  # type: ignore[arg-type]  # one of the grains
    whole = start.year * 12 + start.month - 1 + months
    return Value(start.replace(year=whole // 12, month=whole % 12 + 1))


def _moment(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return value
    return value


def _one_of(of: Expression, values: tuple[Expression, ...], denied: bool) -> Condition:
    return OneOf(of, values, denied) if len(values) > 1 else Compare(of, "!=" if denied else "=", values[0])


def _values(condition: Condition) -> tuple[Expression, ...] | None:
    if isinstance(condition, OneOf):
        return condition.values
    if isinstance(condition, Compare) and condition.operator in ("=", "!=") and isinstance(condition.right, Value):
        return (condition.right,)
    return None


def _denies(condition: Condition) -> bool:
    return (
        isinstance(condition, OneOf)
        and condition.negated
        or (isinstance(condition, Compare) and condition.operator == "!=")
    )


def _of(condition: Condition) -> Expression:
    return condition.left if isinstance(condition, Compare) else condition.of  # type: ignore[union-attr]  # has values
