"""A page of a list, whatever its envelope: read as it was meant, or said that it cannot be; never a wrong empty."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from ...protocol.admin import Page, PageInfo
from ...protocol.spelling import spelled
from ..errors import NotAService
from .replies import check
from .transport import Reply

__all__ = ["read_page"]

T = TypeVar("T")
_LISTS = ("items", "edges", "data", "nodes", "results", "records")
_CURSORS = (spelled(PageInfo, "end_cursor"), "end_cursor", "nextCursor", "next_cursor")
_MORE = (spelled(PageInfo, "has_next_page"), "has_next_page", "hasMore", "has_more")
_WITHIN = (spelled(Page, "page_info"), "page_info", "pagination", "meta", "data")


def read_page(reply: Reply, record: type[T], after: str | None) -> tuple[list[T], str | None]:
    """The records of a page, and the cursor of the next one; None where this is the last.

    Parameters
    ----------
    after
        The cursor that this page was asked with.

    Raises
    ------
    ApiError
        For an error answer.
    NotAService
        It holds no list; a record is none of this kind; there is more, and no way to it.
    """
    check(reply.status, reply.headers, reply.body)
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError):
        raise NotAService(f"The answer is no list, and no JSON: check the URL. It begins {_begins(reply)!r}") from None
    found = _listed(value)
    if found is None:
        raise NotAService(f"The answer holds no list that is known: {_begins(reply)!r}")
    records = [_record(each, record) for each in found]
    return records, _next(value, after)


def _listed(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return [_node(each) for each in value]
    if not isinstance(value, dict):
        return None
    for name in _LISTS:
        if name in value:
            return [] if value[name] is None else _listed(value[name])
    lists = [each for each in value.values() if isinstance(each, list)]
    return _listed(lists[0]) if len(lists) == 1 else None


def _node(entry: Any) -> Any:
    inner = entry.get("node") if isinstance(entry, dict) else None
    return inner if isinstance(inner, dict) else entry


def _record(value: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        pass
    try:
        return msgspec.convert(value, kind, strict=False)  # a number as text
    except msgspec.ValidationError as error:
        found = str(value)[:200]
        raise NotAService(
            f"The answer is not what this endpoint gives: an entry cannot be read as {kind.__name__} ({error}): {found}"
        ) from None


def _next(value: Any, after: str | None) -> str | None:
    places = _places(value)
    more = next((place[name] for place in places for name in _MORE if name in place), None)
    cursor = next((str(place[name]) for place in places for name in _CURSORS if place.get(name)), None)
    if more is False or (more is None and cursor is None) or (cursor is not None and cursor == after):
        return None
    if cursor is None:
        raise NotAService("The list goes on, and the answer gives no way to its next page.")
    return cursor


def _places(value: Any) -> list[dict[str, Any]]:
    """Where an envelope may say how it goes on; the last edge of a list of edges last, and only where there is more."""
    if not isinstance(value, dict):
        return []
    inner = [value[name] for name in _WITHIN if name in value]
    found = [value, *(place for each in inner for place in _places(each))]
    edges = value.get("edges")
    if isinstance(edges, list) and edges and isinstance(edges[-1], dict) and edges[-1].get("cursor"):
        more = any(place.get(name) for place in found for name in _MORE)
        found += [{_CURSORS[0]: edges[-1]["cursor"]}] if more else []
    return found


def _begins(reply: Reply) -> str:
    return " ".join(reply.body[:200].decode("utf-8", "replace").split())
