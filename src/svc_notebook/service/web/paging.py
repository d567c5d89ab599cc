"""Cursor pagination: ``first`` and ``after``, opaque cursors that stay valid while rows come and go.

A cursor names the last row of its page by the value the list is ordered by, and the list it belongs to; the next page
starts after that value, whether or not the row still exists.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any

from starlette.datastructures import QueryParams

from ...protocol.admin import DEFAULT_PAGE, MAX_PAGE
from ...protocol.errors import BadRequest
from .jsonbody import parse_json

__all__ = ["decode_cursor", "encode_cursor", "read_page"]

_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


def read_page(query: QueryParams) -> tuple[int, str | None]:
    """``first`` and ``after`` of a list request.

    Raises
    ------
    BadRequest
        ``first`` is not a number from 1 to 1000, or a parameter is sent twice or empty.
    """
    for name in ("first", "after"):
        if len(query.getlist(name)) > 1:
            raise BadRequest(f"{name} must be sent once.")
    text = query.get("first", str(DEFAULT_PAGE))
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= MAX_PAGE:
        raise BadRequest(f"first must be a number from 1 to {MAX_PAGE}.")
    after = query.get("after")
    if after == "":
        raise BadRequest("after must be the endCursor of the previous page.")
    return int(text), after


def encode_cursor(of: str, *position: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps([of, *position]).encode()).decode().rstrip("=")


def decode_cursor(of: str, cursor: str, *kinds: type) -> tuple[Any, ...]:
    """The position a cursor of the list ``of`` stands for.

    Raises
    ------
    BadRequest
        Not a cursor of this list.
    """
    try:
        # validate=True, or letters that are none of the alphabet would be skipped and many texts be one cursor.
        raw = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        name, *position = parse_json(raw)
        good = name == of and len(position) == len(kinds) and all(map(_is, position, kinds))
    except (ValueError, TypeError, binascii.Error, BadRequest):
        good, position = False, []
    if not good:
        raise BadRequest("after must be the endCursor of the previous page of this list.")
    return tuple(position)


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    # What the stores can compare: PostgreSQL refuses larger numbers and U+0000.
    return 0 < value < 2**63 if isinstance(value, int) else "\0" not in str(value)
