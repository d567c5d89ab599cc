"""What a page asks of a table whose rows stay where they are computed: a page of them, a copy, a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from ..results.pages import Look
from ..results.result import Result

__all__ = ["LOOKS", "look_at"]

Told = tuple[dict[str, Any], list[bytes] | None]


def look_at(result: Result, message: Mapping[str, Any]) -> Told:
    """The reply to a page's look at a result, and its buffers; rows that are not here are fetched first."""
    look = Look.of(message, len(result.schema))
    told, buffers = LOOKS[message["t"]](result, look, message)
    return {"t": "rows", "for": message.get("id", 0), **told}, buffers


def _rows(result: Result, look: Look, _message: Mapping[str, Any]) -> Told:
    """One page: sorted and filtered as it is asked for."""
    pages = result.pages()
    found = pages.page(look)
    numbers = {"keys": found.keys, "tops": pages.tops}
    return {"rows": found.rows, "page": found.page, "found": found.found, "all": len(pages), **numbers}, None


def _copied(result: Result, look: Look, _message: Mapping[str, Any]) -> Told:
    """The first rows that are found, to be copied."""
    rows, found = result.pages().copied(look)
    return {"rows": rows, "found": found}, None


def _file(result: Result, look: Look, message: Mapping[str, Any]) -> Told:
    """All rows that are found, as a file."""
    kind: Literal["csv", "parquet"] = "parquet" if message.get("kind") == "parquet" else "csv"
    return {"kind": kind}, [result.pages().file(look, kind)]


LOOKS: dict[str, Callable[[Result, Look, Mapping[str, Any]], Told]] = {"rows": _rows, "copied": _copied, "file": _file}
"""By the name of the message."""
