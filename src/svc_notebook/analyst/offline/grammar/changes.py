"""Change: from one period to another, from each period to the next, and what has run up so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from ..calendar.periods import Period
from ..forms import (
    Aggregate,
    And,
    Arithmetic,
    Clause,
    Comparison,
    Condition,
    Expression,
    Form,
    Member,
    Order,
    Over,
    Part,
    Range,
    Ratio,
    Shift,
    Sort,
    Truncated,
    Value,
)
from ..forms.vocabulary import Grain
from .binding import bound, spans_of
from .clauses import SOME_TIME
from .drafts import Draft
from .partial import Features

__all__ = ["changes", "grain_between", "running"]

_STEPS = frozenset(("quarter", "month", "week", "day"))  # parts of a period that run on in it


def changes(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """The difference or growth of a form's first number."""
    measure = form.measures[0].expression if form.measures else None
    # A measure of the model cannot be given a condition of its own.
    if not isinstance(measure, Aggregate) or measure.function == "measure":
        return
    ends = _ends(d)
    if ends is not None and d.time is not None:
        yield from _between(d, form, measure, ends)
    time = next((g.expression for g in form.groups if isinstance(g.expression, Truncated)), None)
    if time is not None and len(form.measures) == 1:
        shift = Shift(time, 1, time.grain)
        grown = form.with_(compare=Comparison(shift, "growth"), order=(Order(time),))
        yield grown, (("change:each", 1.0),)


def running(form: Form) -> Iterator[tuple[Form, Features]]:
    """The numbers of periods, each with all before it."""
    times = [g.expression for g in form.groups if isinstance(g.expression, Truncated)]
    others = tuple(g.expression for g in form.groups if g.expression not in times)
    if len(times) != 1 or not all(isinstance(m.expression, Aggregate) for m in form.measures):
        return
    lined_up = [one for one in others if isinstance(one, Part) and one.of == times[0].of and one.part in _STEPS]
    along: Expression = lined_up[0] if len(lined_up) == 1 else times[0]
    apart = tuple(one for one in (*times, *others) if one != along)  # of each year, month by month
    totals = tuple(Clause(Over("sum", m.expression, apart, (Sort(along),))) for m in form.measures)
    yield form.with_(measures=totals, order=(Order(along),)), (("running", 1.0),)


def _between(
    d: Draft, form: Form, measure: Aggregate, ends: tuple[Condition, Condition]
) -> Iterator[tuple[Form, Features]]:
    before, after = (replace(measure, where=_both(measure.where, end)) for end in ends)
    timeless = [b.condition for b in bound(d) if b.kind == "period"]
    where = tuple(f for f in form.where if f.condition not in timeless)
    difference: Expression = Arithmetic("-", after, before)
    growth = Ratio(difference, before, True)
    cue = "percent" if d.partial.percent else "plain"
    for name, shown in (("both", (difference, growth)), ("growth", (growth,)), ("difference", (difference,))):
        made = form.with_(measures=tuple(Clause(e) for e in shown), where=where)
        yield made, ((f"change:{name}:{cue}", 1.0),)


def _both(one: Condition | None, other: Condition) -> Condition:
    return other if one is None else And((one, other))


def _ends(d: Draft) -> tuple[Condition, Condition] | None:
    """The two periods that are compared: those that were said, or the first and last unit of one."""
    if d.time is None:
        return None
    spans = spans_of(d)
    known = sorted(
        (low, high) for s in spans
        if s.path in (SOME_TIME, d.time) and (low := s.period.low) is not None and (high := s.period.high) is not None
    )  # fmt: skip
    # One period alone: from its first unit to its last ("how did it grow in 2023").
    if len(known) == 1:
        unit = grain_between(spans[0].period)
        low, high = known[0]
        known = [(low, _moved(low, unit, 1)), (_moved(high, unit, -1), high)]
        if known[0] == known[1] or known[0][0] == known[1][0]:
            return None
    if len(known) != 2:
        return None
    first, last = (Range(Member(d.time), Value(low), Value(high)) for low, high in known)
    return first, last


def grain_between(period: Period) -> Grain:
    """The coarsest unit that both ends of a period begin."""
    ends = [end for end in (period.low, period.high) if end is not None]
    if any(end.hour or end.minute or end.second for end in ends):
        return "hour"
    if any(end.day != 1 for end in ends):
        return "day"
    # From the coarsest on: a year begins its first month as well.
    if all(end.month == 1 for end in ends):
        return "year"
    if all(end.month in (1, 4, 7, 10) for end in ends):
        return "quarter"
    return "month"


def _moved(moment: datetime, unit: Grain, by: int) -> datetime:
    months = {"year": 12, "quarter": 3, "month": 1}.get(unit)
    if months is None:
        return moment + timedelta(days=by) if unit == "day" else moment + timedelta(hours=by)
    at = moment.year * 12 + moment.month - 1 + months * by
    return moment.replace(year=at // 12, month=at % 12 + 1)
