"""Times: intervals, the beginnings of periods, zones, and what is read off a time or made into one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...intervals import Interval
from ..nodes import among, word
from ..nodes import sql as piece
from .types import DOUBLE, INTEGER, TEXT, TIMESTAMP, WHOLE, cast, safe_cast

__all__ = [
    "DATE_PARTS", "DAY", "a_moment_after", "a_moment_before", "age", "bucketed", "date_diff", "date_part",
    "epoch_moment", "fraction_of", "in_zone", "interval", "made_moment", "moment", "now", "period_start",
    "plus_days", "quarter_as_text", "read_time", "time_bucket",
]  # fmt: skip

DATE_PARTS = frozenset({
    "century", "day", "decade", "dow", "doy", "epoch", "hour", "isodow", "isoyear", "microsecond", "millennium",
    "millisecond", "minute", "month", "quarter", "second", "week", "year",
})  # fmt: skip
_MICROSECONDS = {"second": 1_000_000, "millisecond": 1000}


DAY = word("INTERVAL (1) DAY")


def interval(length: Interval) -> str:
    """A length; its parts are whole numbers read from the model, so nothing of its text is left."""
    parts = [
        # In parentheses DuckDB takes a negative number, too.
        f"INTERVAL ({quantity}) {unit}"
        for quantity, unit in ((length.months, "MONTH"), (length.days, "DAY"), (length.seconds, "SECOND"))
        if quantity
    ]
    return word("(" + " + ".join(parts or ["INTERVAL (0) DAY"]) + ")")


def moment(value: datetime) -> str:
    """A constant moment; whole seconds are written without a fraction."""
    return word(f"TIMESTAMP '{value:%Y-%m-%d %H:%M:%S}'")


def plus_days(sql: str, days: int) -> str:
    return piece(f"{{}} + INTERVAL ({days}) DAY", sql)


def a_moment_after(sql: str) -> str:
    return piece("({} + INTERVAL (1) MICROSECOND)", cast(sql, TIMESTAMP))


def a_moment_before(sql: str) -> str:
    return piece("{} - INTERVAL (1) MICROSECOND", sql)


# --- periods ----------------------------------------------------------------------------------------------------

_EPOCH, _MONDAY = datetime(2000, 1, 1), datetime(2000, 1, 3)


def period_start(name: str, sql: str) -> str:
    """The beginning of the period of a granularity that the engine knows by name."""
    return piece(f"date_trunc('{name}', {{}})", sql)


def time_bucket(step: str, *times: str) -> str:
    """The beginning of a step of constant length, counted from the second time if there is one."""
    return among("time_bucket({})", [step, *(cast(time, TIMESTAMP) for time in times)])


def bucketed(length: Interval, sql: str, origin: datetime | None, offset: Interval | None) -> str:
    """The beginning of the period of a length, counted from ``origin`` (or a natural one) moved by ``offset``."""
    start = _origin(length, origin, offset)
    at = cast(sql, TIMESTAMP)
    if not length.months:
        return piece("time_bucket({}, {}, {})", interval(length), at, start)
    if not (length.days or length.seconds):
        return _whole_months(length, at, start)
    # Months mixed with days have no fixed length: estimate the number of steps, then correct it by two either way, from
    # the latest on: the first start that is not past the moment is its own.
    step = interval(length)
    # A month of 365.2425 days by twelve.
    days = length.months * 30.436875 + length.days + length.seconds / 86_400
    passed = date_diff("day", start, at)
    guess = cast(piece(f"floor({{}} / {days:f})", passed), WHOLE)
    starts = [piece(f"({{}} + ({{}} + ({n})) * {{}})", start, guess, step) for n in (2, 1, 0, -1, -2)]
    tried = " ".join(f"WHEN {{{i}}} <= {{5}} THEN {{{i}}}" for i in range(5))
    return piece(f"(CASE {tried} END)", *starts, at)


def _whole_months(length: Interval, at: str, start: str) -> str:
    """``time_bucket`` counts months from the month of the origin and forgets its day and time."""
    passed = date_diff("month", start, at)
    count = piece(f"{{}} * {length.months}", cast(piece(f"floor({{}} / {length.months})", passed), WHOLE))
    begun = piece("({} + to_months({}))", start, cast(count, INTEGER))
    before = piece(f"{{}} - {length.months}", count)
    # date_diff counts boundaries of months, and the origin's day may not be reached in the last of them.
    earlier = piece("({} + to_months({}))", start, cast(before, INTEGER))
    return piece("(CASE WHEN {0} <= {1} THEN {0} ELSE {2} END)", begun, at, earlier)


def _origin(length: Interval, origin: datetime | None, offset: Interval | None) -> str:
    base: str
    if origin is not None:
        base = word(f"TIMESTAMP '{origin:%Y-%m-%d %H:%M:%S.%f}'")
    else:
        whole_weeks = not length.months and not length.seconds and length.days % 7 == 0
        base = moment(_MONDAY if whole_weeks else _EPOCH)
    return base if offset is None else piece("({} + {})", base, interval(offset))


# --- read off a time --------------------------------------------------------------------------------------------


def date_part(part: str, sql: str) -> str:
    return piece(f"date_part('{part}', {{}})", sql)


def fraction_of(part: str, sql: str) -> str | None:
    """A part with what is left of it, as PostgreSQL has it (the engine cuts it off); None for parts without any."""
    micros = _MICROSECONDS.get(part)
    return None if micros is None else piece(f"({{}} / {micros})", date_part("microsecond", sql))


def date_diff(unit: str, start: str, end: str) -> str:
    """How many boundaries of the unit are passed."""
    return piece(f"date_diff('{unit}', {{}}, {{}})", start, end)


def age(times: Sequence[str]) -> str:
    """Years, months and days from the second time to the first."""
    return among("age({})", [cast(time, TIMESTAMP) for time in times])


# --- zones and clocks -------------------------------------------------------------------------------------------


def in_zone(zone: str, sql: str, *, of: str | None = None) -> str:
    """A moment as the clocks of a zone show it; with ``of``, what the clocks of that zone show is the moment."""
    return piece("timezone({}, {})", zone, sql if of is None else piece("timezone({}, {})", of, sql))


def now(zone: str) -> str:
    return in_zone(zone, word("now()"))


# --- made into a time -------------------------------------------------------------------------------------------


def read_time(text: str, form: str) -> str:
    """A text read by a format; NULL where it is of another form."""
    return piece("try_strptime({}, {})", text, form)


def epoch_moment(zone: str, seconds: str) -> str:
    """The moment so many seconds after 1970, as a zone's clocks show it; NULL beyond the calendar."""
    # to_timestamp fails past the calendar, which one row's number can be.
    return in_zone(zone, piece("TRY(to_timestamp({}))", cast(seconds, DOUBLE)))


def made_moment(parts: Sequence[str]) -> str:
    """A moment of year, month, day, hour, minute and second; NULL where there is none."""
    whole = [safe_cast(part, DOUBLE if i == 5 else WHOLE) for i, part in enumerate(parts)]
    return among("TRY(make_timestamp({}))", whole)


def quarter_as_text(sql: str) -> str:
    return cast(date_part("quarter", sql), TEXT)
