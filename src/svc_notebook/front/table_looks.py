"""What a page asks of a table whose rows stay where they are computed: a page of them, or a copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..results.pages import Look, Pages

__all__ = ["LOOKS", "gone", "look_at"]

Told = tuple[dict[str, Any], list[bytes] | None]


def look_at(pages: Pages, message: Mapping[str, Any]) -> Told:
    """The reply to a page's look at the rows of a result, and its buffers."""
    look = Look.of(message, pages.width)
    told, buffers = LOOKS[message["t"]](pages, look, message)
    return {"t": "rows", "for": message.get("id", 0), **told}, buffers


def gone(message: Mapping[str, Any], why: str) -> Told:
    """The reply to a look at rows that cannot be had: the table says ``why`` where it tells which rows it shows."""
    return {"t": "rows", "for": message.get("id", 0), "gone": why}, None


def _rows(pages: Pages, look: Look, _message: Mapping[str, Any]) -> Told:
    """One page: sorted and filtered as it is asked for."""
    found = pages.page(look)
    pages.warm_beside()
    numbers = {"keys": found.keys, "tops": pages.tops}
    return {"rows": found.rows, "page": found.page, "found": found.found, "all": len(pages), **numbers}, None


def _copied(pages: Pages, look: Look, _message: Mapping[str, Any]) -> Told:
    """The first rows that are found, to be copied."""
    rows, found = pages.copied(look)
    return {"rows": rows, "found": found}, None


LOOKS: dict[str, Callable[[Pages, Look, Mapping[str, Any]], Told]] = {"rows": _rows, "copied": _copied}
"""By the name of the message."""
