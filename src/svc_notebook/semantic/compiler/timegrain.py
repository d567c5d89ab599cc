"""Truncating times: the built-in granularities, and the model's own by interval with origin or offset."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ..intervals import GRANULARITIES, Interval, parse_interval
from ..model import Granularity

__all__ = ["calendar_granularity", "interval_sql", "truncated"]

_EPOCH = "TIMESTAMP '2000-01-01 00:00:00'"
_MONDAY = "TIMESTAMP '2000-01-03 00:00:00'"


def interval_sql(interval: Interval) -> str:
    """An interval as SQL; the parts are whole numbers read from the model, so nothing of its text is left."""
    parts = [
        f"INTERVAL ({quantity}) {unit}"
        for quantity, unit in ((interval.months, "MONTH"), (interval.days, "DAY"), (interval.seconds, "SECOND"))
        if quantity
    ]
    return "(" + " + ".join(parts or ["INTERVAL (0) DAY"]) + ")"


def calendar_granularity(granularity: str, custom: Iterable[Granularity]) -> str | None:
    """The SQL of a granularity that a calendar defines by a column of its own; None for all others."""
    name = granularity.lower()
    return next((g.sql for g in custom if g.sql is not None and g.name.lower() == name), None)


def truncated(granularity: str, column: str, custom: Iterable[Granularity] = ()) -> str:
    """``column`` at the start of its period. ``granularity`` is a known name; anything else is a lookup failure."""
    name = granularity.lower()
    standard = GRANULARITIES.get(name)
    if standard is not None:
        native = standard.native
        return f"date_trunc('{name}', {column})" if native else _bucket(Granularity(name, str(standard.length)), column)
    found = next((g for g in custom if g.name == granularity), None) or next(
        (g for g in custom if g.name.lower() == name), None
    )
    if found is None:
        raise LookupError(granularity)
    return _bucket(found, column)


def _bucket(granularity: Granularity, column: str) -> str:
    interval = parse_interval(granularity.interval)
    origin = _origin(granularity, interval)
    moment = f"CAST({column} AS TIMESTAMP)"
    if not interval.months:
        return f"time_bucket({interval_sql(interval)}, {moment}, {origin})"
    if not (interval.days or interval.seconds):
        # time_bucket counts months from the month of the origin and forgets its day and time.
        months = (
            f"CAST(floor(date_diff('month', {origin}, {moment}) / {interval.months}) AS BIGINT) * {interval.months}"
        )
        start = f"({origin} + to_months(CAST({months} AS INTEGER)))"
        earlier = f"({origin} + to_months(CAST({months} - {interval.months} AS INTEGER)))"
        return f"(CASE WHEN {start} <= {moment} THEN {start} ELSE {earlier} END)"
    # Months mixed with days have no fixed length: estimate the number of steps, then correct it by one either way.
    step = interval_sql(interval)
    length = interval.months * 30.436875 + interval.days + interval.seconds / 86_400
    guess = f"CAST(floor(date_diff('day', {origin}, {moment}) / {length:f}) AS BIGINT)"
    starts = [f"({origin} + ({guess} + ({n})) * {step})" for n in (2, 1, 0, -1, -2)]
    tried = " ".join(f"WHEN {start} <= {moment} THEN {start}" for start in starts)
    return f"(CASE {tried} END)"


def _origin(granularity: Granularity, interval: Interval) -> str:
    if granularity.origin:
        moment = datetime.fromisoformat(granularity.origin.strip().removesuffix("Z")).replace(tzinfo=None)
        base = f"TIMESTAMP '{moment:%Y-%m-%d %H:%M:%S.%f}'"
    else:
        base = _MONDAY if not interval.months and not interval.seconds and interval.days % 7 == 0 else _EPOCH
    if granularity.offset:
        return f"({base} + {interval_sql(parse_interval(granularity.offset))})"
    return base
