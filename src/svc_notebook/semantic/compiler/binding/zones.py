"""Time zones: model times in the zone of the query, and ``AT TIME ZONE``.

Every time is a value without a zone here, as the clocks of the query's zone show it. :attr:`Bound.zoned` says what kind
of time it stands for: a moment (PostgreSQL's ``timestamptz``) or a clock's reading (``timestamp``), which
``AT TIME ZONE`` turns into each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from ...dialects import duckdb as say
from ...errors import InvalidQuery
from ..join_tree.context import Compilation
from ..names import fold, nearest
from ..values import Bound, text_literal
from .binding import Binder

__all__ = ["at_time_zone", "in_zone", "zone_named"]


@cache
def _zones() -> Mapping[str, str]:
    """The names of zones by their folded form."""
    # Imported here: most queries are asked in UTC.
    from zoneinfo import available_timezones

    # "localtime" is a file of the machine and not a zone of the database.
    return {fold(name): name for name in available_timezones() - {"localtime"}}


def zone_named(name: str) -> str | None:
    """A zone of the tz database in its own spelling; None if there is none."""
    # The usual case, without reading the folder of zones.
    return "UTC" if name == "UTC" else _zones().get(fold(name))


def in_zone(compilation: Compilation, sql: str, kind: str) -> tuple[str, str]:
    """A column of the model in the query's zone, without a zone: naive timestamps are UTC, dates have no zone."""
    zone = compilation.timezone
    # Shown as text, so that it compares with a text that is pasted.
    if kind == "uuid":
        return say.cast(sql, say.TEXT), "string"
    if kind == "timestamptz":
        return say.in_zone(compilation.params.add(zone), sql), "timestamp"
    if kind == "timestamp" and zone != "UTC":
        return say.in_zone(compilation.params.add(zone), sql, of=text_literal("UTC")), "timestamp"
    return sql, kind


def at_time_zone(b: Binder, value: Bound, zone: Bound) -> Bound:
    """``value AT TIME ZONE zone``: of a moment the clock's reading in that zone, of a reading the moment."""
    if not zone.is_literal or not isinstance(zone.literal, str):
        raise InvalidQuery("AT TIME ZONE takes the constant name of a zone, such as 'Europe/Berlin'.")
    name = zone_named(zone.literal)
    if name is None:
        close = nearest(zone.literal[:60], list(_zones().values()), 1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise InvalidQuery(f"The time zone '{zone.literal[:60]}' is unknown; write one such as 'Europe/Berlin'.{hint}")
    # Times are shown in that zone already, and a second shift would be one too many.
    if b.compilation.timezone != "UTC":
        raise InvalidQuery(
            f"The times of this query are in the zone {b.compilation.timezone} already; AT TIME ZONE is for queries "
            "in UTC."
        )
    if value.kind != "timestamp" or value.zoned is None:
        raise InvalidQuery(
            "AT TIME ZONE follows a timestamp; write CAST(… AS TIMESTAMP) for a clock's reading, or CAST(… AS "
            "TIMESTAMPTZ) for a moment in UTC."
        )
    b.risky(value)  # at the edges of the calendar there is no such time in the other zone
    other = b.compilation.params.add(name)
    first, second = (text_literal("UTC"), other) if value.zoned else (other, text_literal("UTC"))
    sql = value.sql if name == "UTC" else say.in_zone(second, value.sql, of=first)
    return replace(Bound.of(sql, "timestamp", value), zoned=not value.zoned)
