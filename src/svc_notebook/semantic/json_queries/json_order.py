"""``order``, ``limit`` and ``offset`` of JSON queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InvalidQuery

__all__ = ["directions", "limits"]

# Without a limit, and at most: those of the query format that clients know.
ROW_LIMIT = 10_000
MAX_ROWS = 50_000


def directions(order: Any) -> list[tuple[str, str]]:
    """Members and ``asc``, ``desc`` or ``none``, from an object, a list of pairs, or a list of ``{id, desc}``.

    Raises
    ------
    InvalidQuery
        It is none of these.
    """
    if not isinstance(order, Mapping | Sequence) or isinstance(order, str):
        raise InvalidQuery("'order' is a list of pairs such as ['orders.count', 'desc']")
    return [_direction(item) for item in (order.items() if isinstance(order, Mapping) else order)]


def _direction(item: Any) -> tuple[str, str]:
    if isinstance(item, Mapping) and set(item) <= {"id", "desc"}:
        item = (item.get("id"), "desc" if item.get("desc") else "asc")
    whole = isinstance(item, list | tuple) and len(item) == 2 and isinstance(item[0], str)
    if not whole or item[1] not in ("asc", "desc", "none"):
        raise InvalidQuery("an order is a member with 'asc' or 'desc'")
    return item[0], item[1]


def limits(query: Mapping[str, Any]) -> str:
    """LIMIT and OFFSET.

    Raises
    ------
    InvalidQuery
        They are no whole numbers, or ask for too many rows.
    """
    limit, offset = query.get("limit"), query.get("offset")
    for name, value in (("limit", limit), ("offset", offset)):
        # True is an int to Python.
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise InvalidQuery(f"'{name}' is a whole number, 0 or more")
    if limit is not None and limit > MAX_ROWS:
        raise InvalidQuery(f"'limit' is at most {MAX_ROWS}")
    return f" LIMIT {ROW_LIMIT if limit is None else limit}" + (f" OFFSET {offset}" if offset else "")
