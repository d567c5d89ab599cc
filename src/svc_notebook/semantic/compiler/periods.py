"""The periods of a granularity one after the other: how long they are, where the next begins, a series of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..intervals import STANDARD_GRANULARITIES, parse_interval
from ..model import Granularity
from .timegrain import interval_sql, truncated

__all__ = ["after", "length", "starts", "step_of"]

_STEPS = {
    "second": "INTERVAL (1) SECOND", "minute": "INTERVAL (1) MINUTE", "hour": "INTERVAL (1) HOUR",
    "day": "INTERVAL (1) DAY", "week": "INTERVAL (7) DAY", "month": "INTERVAL (1) MONTH",
    "quarter": "INTERVAL (3) MONTH", "year": "INTERVAL (1) YEAR",
}  # fmt: skip


def _found(granularity: str, custom: Sequence[Granularity]) -> Granularity:
    return next(g for g in custom if g.name.lower() == granularity.lower())


def step_of(granularity: str, custom: Sequence[Granularity] = ()) -> str:
    """The length of a period as SQL."""
    if granularity.lower() in _STEPS:
        return _STEPS[granularity.lower()]
    return interval_sql(parse_interval(_found(granularity, custom).interval))


def length(granularity: str, custom: Sequence[Granularity] = ()) -> float:
    """About how many days a period has, for comparing granularities."""
    if granularity.lower() in STANDARD_GRANULARITIES:
        return {"second": 1 / 86_400, "minute": 1 / 1_440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30.4,
                "quarter": 91.3, "year": 365.2}[granularity.lower()]  # fmt: skip
    interval = parse_interval(_found(granularity, custom).interval)
    return interval.months * 30.4 + interval.days + interval.seconds / 86_400


def after(granularity: str, start: str, custom: Sequence[Granularity] = ()) -> str:
    """Where the period after the one that begins at ``start`` begins."""
    plain = f"{start} + {step_of(granularity, custom)}"
    # From 29 February a month later is 29 March, but a period that began on 31 January has its next start on the 31st.
    return truncated(granularity, f"({plain} + INTERVAL (3) DAY)", custom) if _drifts(granularity, custom) else plain


def starts(granularity: str, low: str, high: str, custom: Sequence[Granularity] = ()) -> str:
    """The beginnings of all periods from ``low`` to ``high``, which are such beginnings, as a list."""
    if not _drifts(granularity, custom):
        return f"generate_series({low}, {high}, {step_of(granularity, custom)})"
    days = f"generate_series({low}, {high} + INTERVAL (1) DAY, INTERVAL (1) DAY)"
    begun = truncated(granularity, "x", custom)
    return f"list_filter(list_distinct(list_transform({days}, lambda x: {begun})), lambda y: y <= {high})"


def _drifts(granularity: str, custom: Sequence[Granularity]) -> bool:
    """Whether counting on from a beginning can miss the next one, in months too short for the day of the origin."""
    if granularity.lower() in _STEPS:
        return False
    found = _found(granularity, custom)
    interval = parse_interval(found.interval)
    return bool(interval.months and (found.origin or found.offset or interval.days or interval.seconds))
