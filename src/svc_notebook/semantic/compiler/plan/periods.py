"""The periods of a granularity one after the other: how long they are, where the next begins, a series of them."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import duckdb as say
from ...dialects.nodes import name, sql
from ...intervals import GRANULARITIES, Interval, parse_interval
from ...model import Granularity
from ..authored.timegrain import truncated

__all__ = ["after", "length", "starts", "step_of"]


def _found(granularity: str, custom: Sequence[Granularity]) -> Granularity:
    return next(g for g in custom if g.name.lower() == granularity.lower())


def _length(granularity: str, custom: Sequence[Granularity]) -> Interval:
    standard = GRANULARITIES.get(granularity.lower())
    return standard.length if standard is not None else parse_interval(_found(granularity, custom).interval)


def step_of(granularity: str, custom: Sequence[Granularity] = ()) -> str:
    """The length of a period as SQL."""
    return say.interval(_length(granularity, custom))


def length(granularity: str, custom: Sequence[Granularity] = ()) -> float:
    """About how many days a period has, for comparing granularities."""
    interval = _length(granularity, custom)
    # 30.44 days: a year of 365.2425 days by twelve, to the second place.
    return interval.months * 30.44 + interval.days + interval.seconds / 86_400


def after(granularity: str, start: str, custom: Sequence[Granularity] = ()) -> str:
    """Where the period after the one that begins at ``start`` begins."""
    plain = sql("{} + {}", start, step_of(granularity, custom))
    # From 29 February a month later is 29 March, but a period that began on 31 January has its next start on the 31st.
    return (
        truncated(granularity, sql("({})", say.plus_days(plain, 3)), custom) if _drifts(granularity, custom) else plain
    )


def starts(granularity: str, low: str, high: str, custom: Sequence[Granularity] = ()) -> str:
    """The beginnings of all periods from ``low`` to ``high``, which are such beginnings, as a list."""
    if not _drifts(granularity, custom):
        return say.counted(low, high, step_of(granularity, custom))
    # Every day is truncated and each start taken once, for no step leads from a start to the next.
    days = say.counted(low, say.plus_days(high, 1), say.DAY)
    return say.distinct_starts(days, truncated(granularity, name("x"), custom), high)


def _drifts(granularity: str, custom: Sequence[Granularity]) -> bool:
    """Whether counting on from a beginning can miss the next one, in months too short for the day of the origin."""
    if granularity.lower() in GRANULARITIES:
        return False
    found = _found(granularity, custom)
    interval = parse_interval(found.interval)
    return bool(interval.months and (found.origin or found.offset or interval.days or interval.seconds))
