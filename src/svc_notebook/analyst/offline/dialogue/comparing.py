"""What was asked before set beside something: another period, another value, or what was asked before that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from .... import patterns as re
from ..calendar.units import shift
from ..forms import Clause, Compare, Condition, Expression, Form, OneOf, Or, Part, Range, Truncated, Value
from ..forms.partings import PARTINGS
from ..forms.walking import parts
from ..grammar.clauses import Tested, Timed
from ..grammar.partial import Partial
from ..schema.metadata import Metadata
from ..schema.polarity import is_bad_when_high
from .conditions import about, added, conditions_of, ends_of, merged, with_conditions
from .editing import Edit, Unfit, main_number, number_words
from .expressing import is_time, time_of
from .filtering import conditions_said
from .grouping import focus_of
from .hearing import Heard
from .moving import same_thing
from .part_of_whole import shares_within
from .thread import Earlier

__all__ = ["beside", "claimed", "compared"]

_BARE = re.compile(
    r"^\W*(?:can you |could you |please |now |and |then )*(?:compare\s+(?P<one>\w.*?)\s+"
    r"(?:with|to|and|against|versus|vs\.?)\s+(?P<other>\w.*?)"
    r"|(?:(?:in|for|from|at)\s+)?(?P<first>\w.*?)\s+(?:versus|vs\.?|compared (?:to|with))\s+(?P<second>\w.*?))\W*$",
    re.IGNORECASE,
)

_THAN = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)*(?:(?:is|was|are|were)\s+(?:that|this|it|they|those|these)\s+(?:(?:much|also|still)\s+)?)?"
    r"(?P<how>more|higher|bigger|larger|longer|better|less|fewer|lower|smaller|shorter|worse)\s+than\s+"
    r"(?:(?:that|those|the one|the ones)\s+)?(?:(?:of|in|for|at|on|from)\s+)?(?P<what>[^\W\d].*?)\W*$",
    re.IGNORECASE,
)  # "is that more than Delta?"
_OF_TWO = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)*(?:is|was|are|were)\s+(?:that|this|it|they|those|these)\s+(?:(?:much|also|still|any)\s+)?"
    r"(?P<how>more|higher|bigger|larger|longer|better|less|fewer|lower|smaller|shorter|worse)\s+"
    r"(?P<one>(?P<in>in|for|at|on|from|with|during|by)\s+[^\W\d].*?)\s+than\s+(?:(?:for|in)\s+)?(?P<other>\w.*?)\W*$",
    re.IGNORECASE,
)  # "is it higher on county roads than on state routes?"
_LESS = frozenset({"less", "fewer", "lower", "smaller", "shorter"})
_BEFORE = re.compile(
    r"^\W*(?:the\s+)?(?:same\s+(?:period|time|day|week|month|quarter)\s+(?:of\s+)?)?(?:the\s+|a\s+|one\s+)?"
    r"(?:(?:last|previous|prior|preceding|past)\s+(?P<a>year|quarter|month|week|day)"
    r"|(?P<b>year|quarter|month|week|day)\s+(?:before|earlier|ago|prior|previously))\W*$",
    re.IGNORECASE,
)
_WITHIN = {
    "year": {"month": "month", "quarter": "quarter", "week": "week"}, "quarter": {}, "month": {"day": "day"},
    "week": {"day": "isoweekday"}, "day": {"hour": "hour"},
}  # fmt: skip # which units of a period line up with those of another one


def compared(
    heard: Heard, before: Earlier, metadata: Metadata, reads: Callable[[str], Sequence[Partial]]
) -> Form | None:
    """The form with what it is about and what a turn names side by side; None where a turn compares nothing.

    Raises
    ------
    Unfit
        If there is nothing to set beside what was named.
    """
    if "compare" not in heard.acts:
        both = _BARE.match(heard.text)
        halves = [half for half in both.groups() if half] if both is not None else []
        each = [_read(half, heard, before, metadata, reads) for half in halves]
        if all(len(said) == 1 and isinstance(said[0], Range) for said in each) and each:
            return _periods_apart(before.form, *(said[0] for said in each))
        named = _read(" and ".join(halves), heard, before, metadata, reads) if halves else []
        return beside(before.form, named, metadata) if named else None
    words = heard.rest.strip(" ?!.")
    made = earlier_period(words, before.form, metadata)
    if made is not None:
        return made
    found = _read(words, heard, before, metadata, reads)
    if not found:
        raise Unfit(f"I do not know “{words}” as something that it could be set beside")
    return _with_shown(found[0], before) or beside(before.form, found, metadata)


def claimed(
    heard: Heard, before: Earlier, metadata: Metadata, reads: Callable[[str], Sequence[Partial]]
) -> tuple[Form, tuple[Any, ...]] | None:
    """``is that more than Delta?``: the form with both side by side, and what is claimed of the first of them.

    Raises
    ------
    Unfit
        If it is not one group that was shown last, so that nobody knows which of them is meant.
    """
    if (two := _OF_TWO.match(heard.text)) is not None:
        return _claimed_of_two(two, heard, before, metadata, reads)
    said = _THAN.match(heard.text)
    found = _read(said["what"], heard, before, metadata, reads) if said is not None else []
    if said is None or len(found) != 1 or not before.form.measures:
        return None
    form = _with_shown(found[0], before) or beside(before.form, found, metadata)
    both = next((c for c in conditions_of(form) if isinstance(c, OneOf) and about(c) == about(found[0])), None)
    values = [value.value for value in both.values if isinstance(value, Value)] if both is not None else []
    number = main_number(form)
    if len(values) != 2 or number is None:
        return form, ()
    return form, (_sign(said["how"].lower(), number, metadata), *values)


def _sign(how: str, number: Expression, metadata: Metadata) -> str:
    """Which way a comparative points."""
    less = how in _LESS
    if how in ("better", "worse"):
        less = (how == "better") == is_bad_when_high(number_words(number, metadata))
    return "<" if less else ">"


def _claimed_of_two(
    said: re.Match[str], heard: Heard, before: Earlier, metadata: Metadata, reads: Callable[[str], Sequence[Partial]]
) -> tuple[Form, tuple[Any, ...]] | None:
    """The number that was shown, of two values that are named, whatever it was told apart by."""
    each = [_read(said[half], heard, before, metadata, reads) for half in ("one", "other")]
    number = main_number(before.form) if before.form.measures else None
    if number is None or any(len(one) != 1 for one in each):
        return None
    one, other = each[0][0], each[1][0]
    both = _in_one([one, other]) if about(one) == about(other) else None
    if not isinstance(both, OneOf):
        return None
    values = [value.value for value in both.values if isinstance(value, Value)]
    form = beside(before.form.with_(groups=(), order=(), having=(), limit=None), [both], metadata)
    return form, (_sign(said["how"].lower(), number, metadata), *values) if len(values) == len(each) else ()


def _with_shown(new: Condition, before: Earlier) -> Form | None:
    """``compare that to Bea``: with the one group that was shown, where nothing restricts the rows to it."""
    shown = [condition for condition in focus_of(before) if about(condition) == about(new)]
    both = merged(shown, new) if shown and before.form.measures else None
    return with_conditions(before.form, [*conditions_of(before.form), *both]).with_(limit=None) if both else None


def _read(
    words: str, heard: Heard, before: Earlier, metadata: Metadata, reads: Callable[[str], Sequence[Partial]]
) -> list[Condition]:
    """What some words say of rows, where that is all they say."""
    for partial in reads(words):
        said = [clause for clause in partial.clauses if isinstance(clause, (Tested, Timed))]
        if partial.skipped or not said or len(said) < len(partial.clauses):
            continue
        edit = Edit(before, heard, partial, metadata, before.form)
        try:
            found = [condition for clause in said for condition in conditions_said(edit, clause)]
        except Unfit:
            continue
        if edit.form == before.form and (both := _in_one(found)) is not None:
            return [both]
    return []


def _in_one(found: Sequence[Condition]) -> Condition | None:
    """Conditions on one member as one: any of its values."""
    if len(found) < 2:
        return found[0] if found else None
    known = merged(found[:1], found[1])
    return _in_one([*known, *found[2:]]) if known is not None and len(known) == 1 else None


def earlier_period(words: str, form: Form, metadata: Metadata) -> Form | None:
    """``compare that with last year``: the period before the one that was looked at; None where words say no such.

    Raises
    ------
    Unfit
        If no period was looked at that one could go before.
    """
    said = _BEFORE.match(words)
    if said is None:
        return None
    unit = (said["a"] or said["b"]).lower()
    for condition in conditions_of(form):
        ends = ends_of(condition)
        if ends is not None and isinstance(condition, Range) and is_time(condition.of, metadata):
            return beside(form, [_moved(condition, ends, unit)], metadata)
    path = time_of(form, metadata)
    times = [
        c.expression for c in form.groups if isinstance(c.expression, Truncated) and is_time(c.expression, metadata)
    ]
    if path is None or unit != "year" or not times:
        raise Unfit(f"no {unit} was looked at that another one could be set beside; name both")
    return _regrouped(form, times[0].of, "year")


def _moved(condition: Range, ends: tuple[date, date], unit: str) -> Range:
    low, high = (shift(end, unit, -1) for end in ends)
    return replace(condition, low=Value(low), high=Value(high))


def beside(form: Form, said: Sequence[Condition], metadata: Metadata) -> Form:
    """The form over what it was about and what is said now, told apart.

    Raises
    ------
    Unfit
        If there is nothing of its kind in the form.
    """
    if not form.measures or len(said) != 1:
        raise Unfit("it is not clear what should be set beside what")
    known, new = conditions_of(form), said[0]
    same = [c for c in known if about(c) == about(new) and c != new]
    both = merged(known, new) if same else None
    if isinstance(new, OneOf) and not new.negated:
        if both is None or set(_values(same[0])) & set(new.values):  # both are said
            return _apart(with_conditions(form, added(known, [new])), new.of)
        return _apart(with_conditions(form, both), _named_apart(same[0], new) or new.of)
    called = [(c, name) for c in known if (name := same_thing(c, new, metadata)) is not None]
    if both is None and len(called) == 1:  # LGA by its code, and Newark by its name
        (other, name), rest = called[0], [c for c in known if c is not called[0][0]]
        return _apart(with_conditions(form, [*rest, Or((other, new))]), name)
    if both is None:
        raise Unfit("nothing of that kind was looked at that it could be set beside; name both")
    joined = with_conditions(form, both)
    if isinstance(new, Range):
        unit = _unit_of(same[0], new)
        return _regrouped(joined, new.of, unit)
    of = new.left if isinstance(new, Compare) else new.of if isinstance(new, OneOf) else None
    if of is None:
        raise Unfit("it is not clear what should be set beside what")
    return _apart(joined, of)


def _values(condition: Condition) -> tuple[Expression, ...]:
    if isinstance(condition, OneOf):
        return condition.values
    return (condition.right,) if isinstance(condition, Compare) else ()


def _named_apart(one: Condition, other: OneOf) -> Expression | None:
    """What has names for both, where they are parts of time that have: ``summer`` and ``winter`` by season."""
    of = other.of
    both = [{value.value for value in _values(each) if isinstance(value, Value)} for each in (one, other)]
    if not isinstance(of, Part):
        return None
    for parting in PARTINGS.values():
        names = [set(values) for _, values in parting.names]
        if parting.part == of.part and all(said in names for said in both):
            return parting.expression(of.of)
    return None


def _periods_apart(form: Form, one: Condition, other: Condition) -> Form:
    """Two periods side by side, whatever was looked at."""
    both = merged([one], other)
    if both is None or not isinstance(one, Range) or not isinstance(other, Range) or not form.measures:
        raise Unfit("it is not clear what should be set beside what")
    joined = with_conditions(form, added(conditions_of(form), both))
    return _regrouped(joined, other.of, _unit_of(one, other))


def _apart(form: Form, of: Expression) -> Form:
    """Grouped by what the values are of, whatever came first before."""
    groups = [clause for clause in form.groups if clause.expression != of]
    if form.limit is not None and form.limit.count == 1:
        groups = groups[:0]
    return shares_within(form.with_(groups=(Clause(of), *groups), order=(), limit=None), of)


def _unit_of(one: Condition, other: Range) -> str:
    """The shortest unit of time that tells two periods apart and holds each of them."""
    known = [ends for ends in (ends_of(one), ends_of(other)) if ends is not None]
    for unit in ("day", "week", "month", "quarter", "year"):
        starts = [{_start(low, unit), _start(_last(high), unit)} for low, high in known]
        if len(starts) == 2 and all(len(each) == 1 for each in starts) and starts[0] != starts[1]:
            return unit
    raise Unfit("these periods overlap, have no end, or have no unit of time in common")


def _last(end: date) -> date:
    """The last moment before an end."""
    return (end if isinstance(end, datetime) else datetime(end.year, end.month, end.day)) - timedelta(seconds=1)


def _start(moment: date, unit: str) -> tuple[int, ...]:
    if unit == "week":
        return moment.isocalendar()[:2]
    count = {"day": 3, "month": 2, "year": 1}.get(unit)
    return (moment.year, (moment.month - 1) // 3) if count is None else (moment.year, moment.month, moment.day)[:count]


def _regrouped(form: Form, of: Expression, unit: str) -> Form:
    """By the unit that tells periods apart, and by what lines up within it where it was grouped by that."""
    groups = [c for c in form.groups if not _is_of(c.expression, of)]
    within = [
        Clause(Part(of, name))  # type: ignore[arg-type]  # parts by name
        for c in form.groups
        if isinstance(c.expression, Truncated) and c.expression.of == of
        and (name := _WITHIN[unit].get(c.expression.grain)) is not None
    ]  # fmt: skip
    if form.limit is not None and form.limit.count == 1:
        groups = []
    apart = Clause(Truncated(of, unit))  # type: ignore[arg-type]  # one of the grains
    return shares_within(form.with_(groups=(*within, apart, *groups)[:3], order=(), limit=None), apart.expression)


def _is_of(expression: Expression, of: Expression) -> bool:
    return any(part == of for part in parts(expression, inner=False))
