"""A time of a cube that is read from a rollup: its periods. Any other use leaves it, a column that no rollup holds."""

from __future__ import annotations

from collections.abc import Mapping

from ...intervals import divides
from ..values import Bound, quote
from .binding import Binder

__all__ = ["held_for", "held_for_part"]

_NEEDED: Mapping[str, str] = {
    # Weeks lie across months, and the ISO year across years: only days tell them.
    "year": "year", "quarter": "quarter", "month": "month", "week": "day", "isoyear": "day", "day": "day", "dow": "day",
    "isodow": "day", "doy": "day", "hour": "hour",
}  # fmt: skip
"""The period that decides a part of a date."""


def held_for(b: Binder, value: Bound, granularity: str) -> Bound:
    """The column that holds a time for its periods of a granularity, where ``value`` is one of a rolled cube."""
    if len(value.uses) != 1:
        return value
    (use,) = value.uses
    source = b.compilation.sources.get(use[0])
    if source is None or value.sql != f"{use[0]}.{quote(use[1])}":
        return value
    held = source.period_held(use)
    return source.held_time(use) if held is not None and divides(held, granularity) else value


def held_for_part(b: Binder, value: Bound, part: str) -> Bound:
    """The same for a part of a date, such as its year."""
    return held_for(b, value, _NEEDED[part]) if part in _NEEDED else value
