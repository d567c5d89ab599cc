"""A JSON query, answered: translated, asked of the layer under the asker's policies, and annotated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from ...records import dataclass
from ..context import SecurityContext
from ..errors import InvalidQuery
from ..naming import title_of
from .json_query import JsonQuery, translate

if TYPE_CHECKING:
    from svc_notebook.cancellation import CancellationToken

    from ..layer import QueryResult, SemanticLayer

__all__ = ["JsonAnswer", "annotation", "load"]


@dataclass(frozen=True)
class JsonAnswer:
    """One result: the query as put into SQL, its rows, and the number of rows before ``limit`` if it was asked for."""

    query: JsonQuery
    result: QueryResult
    total: int | None = None


def load(
    layer: SemanticLayer,
    ctx: SecurityContext,
    query: Mapping[str, Any],
    *,
    now: datetime,
    cancel: CancellationToken | None = None,
) -> list[JsonAnswer]:
    """Answer a JSON query: one result, or one for each range of a ``compareDateRange``.

    Parameters
    ----------
    layer, ctx
        What to ask, and who asks.
    query
        Dimensions, measures, time dimensions, filters, segments, order, limits; see :func:`.json_query.translate`.
    now
        The present moment, with a time zone; relative date ranges count from it in the query's own zone.

    Raises
    ------
    QueryError
        As from any query.
    """
    local = now.astimezone(_zone(query.get("timezone") or "UTC"))
    found = []
    for one in translate(query, layer.catalog(ctx), now=local):
        result = layer.query(ctx, one.sql, timezone=one.timezone, cancel=cancel)
        total = None
        if one.total_sql is not None:
            total = layer.query(ctx, one.total_sql, timezone=one.timezone, cancel=cancel).table.column(0)[0].as_py()
        found.append(JsonAnswer(one, result, total))
    return found


def annotation(query: JsonQuery) -> dict[str, dict[str, dict[str, Any]]]:
    """Titles, types and formats of the columns, by kind and key."""
    found: dict[str, dict[str, dict[str, Any]]] = {
        "measures": {},
        "dimensions": {},
        "segments": {},
        "timeDimensions": {},
    }
    for column in query.columns:
        member = column.member
        kind = f"{member.kind}s" if column.key == member.path else "timeDimensions"
        title = f"{column.relation_title} {member.title}"
        entry: dict[str, Any] = {"title": title, "shortTitle": member.title, "type": member.type}
        if column.key != member.path:
            grain = column.key.rpartition(".")[2]
            own = next((g for g in member.granularities if g.name == grain), None)
            interval = (own.interval if own is not None else "") or f"1 {grain}"
            titled = (own.title if own is not None else None) or title_of(grain)
            entry["granularity"] = {"name": grain, "title": titled, "interval": interval}
        if member.description:
            entry["description"] = member.description
        if member.format:
            entry["format"] = member.format
        if member.currency:
            entry["currency"] = member.currency
        found[kind][column.key] = entry
    return found


def _zone(name: Any) -> tzinfo:
    # Imported here: the first question in words comes without it.
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    # ZoneInfo reads files: ValueError of a path that leads out of its folder, OSError of a name that is a folder.
    except (KeyError, ValueError, TypeError, OSError):
        raise InvalidQuery(f"{name!r} is not a time zone; write a name such as 'Europe/Paris'") from None
