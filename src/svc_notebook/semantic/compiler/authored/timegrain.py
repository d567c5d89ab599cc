"""Truncating times: the built-in granularities, and the model's own by interval with origin or offset."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ...dialects import duckdb as say
from ...intervals import GRANULARITIES, parse_interval
from ...model import Granularity

__all__ = ["calendar_granularity", "truncated"]


def calendar_granularity(granularity: str, custom: Iterable[Granularity]) -> str | None:
    """The SQL of a granularity that a calendar defines by a column of its own; None for all others."""
    name = granularity.lower()
    return next((g.sql for g in custom if g.sql is not None and g.name.lower() == name), None)


def truncated(granularity: str, column: str, custom: Iterable[Granularity] = ()) -> str:
    """``column`` at the start of its period. ``granularity`` is a known name; anything else is a lookup failure."""
    name = granularity.lower()
    standard = GRANULARITIES.get(name)
    if standard is not None:
        if standard.native:
            return say.period_start(name, column)
        return say.bucketed(standard.length, column, None, None)
    # As it is written first: two granularities may differ by case only.
    found = next((g for g in custom if g.name == granularity), None) or next(
        (g for g in custom if g.name.lower() == name), None
    )
    if found is None:
        raise LookupError(granularity)
    return _bucket(found, column)


def _bucket(granularity: Granularity, column: str) -> str:
    written = granularity.origin
    # Origins count in the query's zone, as the times they are compared with are shown in it.
    origin = datetime.fromisoformat(written.strip().removesuffix("Z")).replace(tzinfo=None) if written else None
    offset = parse_interval(granularity.offset) if granularity.offset else None
    return say.bucketed(parse_interval(granularity.interval), column, origin, offset)
