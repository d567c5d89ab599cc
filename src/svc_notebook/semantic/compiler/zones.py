"""Time zones: model times in the zone of the query."""

from __future__ import annotations

from .context import Compilation

__all__ = ["in_zone"]


def in_zone(compilation: Compilation, sql: str, kind: str) -> tuple[str, str]:
    """A column of the model in the query's zone, without a zone: naive timestamps are UTC, dates have no zone."""
    zone = compilation.timezone
    if kind == "uuid":
        return f"CAST({sql} AS VARCHAR)", "string"
    if kind == "timestamptz":
        return f"timezone({compilation.params.add(zone)}, {sql})", "timestamp"
    if kind == "timestamp" and zone != "UTC":
        return f"timezone({compilation.params.add(zone)}, timezone('UTC', {sql}))", "timestamp"
    return sql, kind
