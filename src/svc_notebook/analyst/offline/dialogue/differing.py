"""``what's the difference?``: between the last two answers, or between the two groups of one."""

from __future__ import annotations

from dataclasses import replace

from ..forms import Clause, Compare, Condition, Form, OneOf, Or, Range, Value
from ..schema.metadata import Metadata
from .changing import change_between
from .comparing import beside
from .conditions import about, conditions_of, ends_of, merged, with_conditions
from .editing import Unfit

__all__ = ["difference", "side_by_side", "together"]


def difference(form: Form, older: Form | None, metadata: Metadata) -> Form:
    """``what's the difference?``: between two answers that differ in one condition, the two groups of one, or the two
    periods that each of its groups has.

    Raises
    ------
    Unfit
        If they differ in something else.
    """
    unclear = "the last two answers differ in more than one value, so that there is no one difference"
    if _are_two(form):
        return form
    if (each := change_between(form, metadata)) is not None:
        return each
    differ = _differ(form, older)
    if differ is None:
        raise Unfit("it shows more than two groups; name the two that should be compared" if form.groups else unclear)
    new, old = differ
    base = with_conditions(form, [*(c for c in conditions_of(form) if c != new), old])
    return beside(base, [_rest(new, old) or new], metadata)


def side_by_side(form: Form, older: Form | None, metadata: Metadata) -> Form:
    """``put them side by side``: what the last two answers were about, each by itself.

    Raises
    ------
    Unfit
        If they differ in something else than one condition, or their numbers.
    """
    if (numbers := _numbers_differ(form, older)) is not None:
        return form.with_(measures=numbers)
    return difference(form, older, metadata)


def together(form: Form, older: Form | None) -> Form:
    """``both together``: over what the last two answers were about.

    Raises
    ------
    Unfit
        If they differ in something else than one condition.
    """
    if (numbers := _numbers_differ(form, older)) is not None:
        return form.with_(measures=numbers)
    differ = _differ(form, older)
    both = merged([differ[1]], differ[0]) if differ is not None else None
    if differ is None or both is None:
        raise Unfit("the last two answers differ in more than one value, so that it is not clear what both are")
    return with_conditions(form, [*(c for c in conditions_of(form) if c != differ[0]), *both])


def _numbers_differ(form: Form, older: Form | None) -> tuple[Clause, ...] | None:
    """The numbers of two answers that differ in nothing else: ``both`` after one took the place of the other."""
    if older is None or not form.measures or not older.measures or older.measures == form.measures:
        return None
    same = (form.groups, form.where, form.having, form.joins, form.root)
    if same != (older.groups, older.where, older.having, older.joins, older.root):
        return None
    return (*older.measures, *(clause for clause in form.measures if clause not in older.measures))


def _differ(form: Form, older: Form | None) -> tuple[Condition, Condition] | None:
    """The one condition in which an answer differs from the one before it, and what stood there."""
    if older is None or (older.measures, older.groups) != (form.measures, form.groups):
        return None
    new = [c for c in conditions_of(form) if c not in conditions_of(older)]
    old = [c for c in conditions_of(older) if c not in conditions_of(form)]
    return (new[0], old[0]) if len(new) == len(old) == 1 and about(new[0]) == about(old[0]) else None


def _are_two(form: Form) -> bool:
    """Whether a form shows two groups, as far as it says so itself."""
    if form.limit is not None and form.limit.count == 2:
        return True
    grouped = [clause.expression for clause in form.groups]
    for condition in conditions_of(form):
        if isinstance(condition, OneOf) and len(condition.values) == 2 and condition.of in grouped:
            return len(grouped) == 1
        if isinstance(condition, Or) and len(condition.terms) == 2:
            return len(grouped) == 1
    return False


def _rest(wider: Condition, within: Condition) -> Condition | None:
    """What a period, or a list of values, has beside the part that was looked at before."""
    one, other = ends_of(wider), ends_of(within)
    if one is not None and other is not None and isinstance(wider, Range):
        if one[0] == other[0] and other[1] < one[1]:
            return replace(wider, low=Value(other[1]))
        if one[1] == other[1] and one[0] < other[0]:
            return replace(wider, high=Value(other[0]))
    if isinstance(wider, Or):
        left = [term for term in wider.terms if term != within]
        return left[0] if len(left) == 1 else None
    if isinstance(wider, OneOf) and isinstance(within, Compare):
        values = tuple(value for value in wider.values if value != within.right)
        return Compare(wider.of, "=", values[0]) if len(values) == 1 else None
    return None
