"""Whole answers read: status and error bodies, typed JSON, and the rows of the data API."""

from __future__ import annotations

import codecs
import email.utils
import json
import time
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import pyarrow as pa

from ...protocol.errors import ErrorBody, error_message
from ...protocol.ndjson import LineDecoder
from ...protocol.rows import column_type
from ...protocol.spelling import spelled
from ...protocol.tools import Column, RowFilter
from ...results.rows import Rows, read_rows, rows_of_table
from ...results.tool_calls import columns_of
from ..errors import NotAService, QueryFailed, api_error
from .transport import Reply

__all__ = ["ContinueWait", "Loaded", "check", "decode", "read_data", "retry_after"]

T = TypeVar("T")
METADATA = b"svc"
COLUMNS = b"svc.columns"
_STATUS = spelled(ErrorBody, "status_code")


class ContinueWait(Exception):
    """The service asks to repeat the same request: the query still runs."""


class Loaded(msgspec.Struct, frozen=True):
    """The whole answer of the data API."""

    rows: Rows
    schema: list[Column]
    row_filters: list[RowFilter] = []
    notes: list[str] = []
    user: str = ""
    row_limit: int | None = None
    as_of: str = ""
    kept: bool = False


class _Line(msgspec.Struct, rename="camel"):
    schema: list[dict[str, Any]] | None = None
    data: msgspec.Raw = msgspec.Raw()
    error: Any = None
    row_filters: list[RowFilter] | None = None
    notes: list[str] | None = None
    truncated: bool = False
    row_limit: int | None = None
    as_of: str = ""
    kept: bool = False


class _Extras(msgspec.Struct, rename="camel"):
    schema: list[Column] | None = None
    row_filters: list[RowFilter] = []
    notes: list[str] = []
    user: str = ""
    row_limit: int | None = None
    as_of: str = ""
    kept: bool = False


def check(status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Raise what an answer that says no means: an error status, or an error object in a 200."""
    found = _json(body)
    if status >= 400:
        message = error_message(found, "") if found is not None else _excerpt(body)
        raise api_error(status, message or f"HTTP {status} without a message", found, retry_after(headers))
    if isinstance(found, dict) and _is_error(found):
        code = found.get(_STATUS)
        raise api_error(code if isinstance(code, int) else status, error_message(found, "failed"), found)


def decode(reply: Reply, kind: type[T]) -> T:
    """The body as ``kind``.

    Raises
    ------
    ApiError
        For an error answer.
    NotAService
        When the body is something else.
    """
    check(reply.status, reply.headers, reply.body)
    try:
        return msgspec.json.decode(reply.body.removeprefix(codecs.BOM_UTF8), type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise NotAService(
            f"The answer is not what this endpoint gives ({error}): check the URL. It begins {_excerpt(reply.body)!r}"
        ) from None


def read_data(reply: Reply) -> Loaded:
    """Rows of the data API: an Arrow table by reference, an Arrow stream, or NDJSON.

    Raises
    ------
    QueryFailed
        When an error follows the schema.
    """
    if reply.status == 200 and reply.table is not None:
        return _of_table(reply.table)
    if reply.status >= 400 or reply.body.removeprefix(codecs.BOM_UTF8)[:1] in {b"{", b"<", b""}:
        return _of_lines(reply)
    try:
        return _of_table(pa.ipc.open_stream(reply.body).read_all())
    except (pa.ArrowException, OSError) as error:
        raise NotAService(f"The answer is neither rows nor an Arrow stream ({error}): check the URL") from None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from either form of ``Retry-After``."""
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        when = email.utils.parsedate_tz(text)
    try:
        return max(0.0, email.utils.mktime_tz(when) - time.time()) if when else None
    except (ValueError, OverflowError):  # a date that no calendar has
        return None


def _of_table(table: pa.Table) -> Loaded:
    plain = [Column(name, column_type(kind)) for name, kind in zip(table.column_names, table.schema.types, strict=True)]
    metadata = table.schema.metadata or {}
    extras = msgspec.json.decode(metadata.get(METADATA, b"{}"), type=_Extras)
    if COLUMNS in metadata:
        plain = msgspec.json.decode(metadata[COLUMNS], type=list[Column])
    return Loaded(
        rows_of_table(table), extras.schema or plain, extras.row_filters, extras.notes, extras.user, extras.row_limit,
        extras.as_of, extras.kept,
    )  # fmt: skip


def _of_lines(reply: Reply) -> Loaded:
    if reply.status >= 400:
        check(reply.status, reply.headers, reply.body)
    decoder = LineDecoder()
    head, pieces = _Line(), []
    for line in [*decoder.decode(reply.body.removeprefix(codecs.BOM_UTF8)), *decoder.flush()]:
        part = _line(line)
        if part.error is not None:
            _fail(part.error, reply, begun=head.schema is not None)
        head = part if part.schema is not None else head
        if data := bytes(part.data).strip():
            if not data.startswith(b"["):
                raise NotAService(f"A line of the answer holds no rows: {_excerpt(line)!r}")
            pieces.append(data[1:-1].strip())
    if head.schema is None:
        raise NotAService("The answer holds no schema: is this the data API?")
    columns = columns_of({"schema": head.schema})
    rows = read_rows(columns, b"[" + b",".join(piece for piece in pieces if piece) + b"]")
    limit = len(rows) if head.truncated and head.row_limit is None else head.row_limit
    return Loaded(
        rows, columns, head.row_filters or [], head.notes or [], row_limit=limit, as_of=head.as_of, kept=head.kept
    )


def _line(line: bytes) -> _Line:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise NotAService(f"A line of the answer cannot be read ({error}): {_excerpt(line)!r}") from None


def _fail(error: Any, reply: Reply, *, begun: bool) -> None:
    message = error_message({"error": error}, "failed")
    if message == "Continue wait":
        raise ContinueWait
    if not begun:
        check(reply.status, reply.headers, reply.body)
    raise QueryFailed(message)


def _is_error(found: dict[str, Any]) -> bool:
    code = found.get(_STATUS)
    if isinstance(code, int) and code >= 400 and found.get("message"):
        return True
    return bool(found.get("error")) and (len(found) == 1 or _STATUS in found or "jsonrpc" in found)


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _excerpt(body: bytes) -> str:
    text = " ".join(body[:500].decode("utf-8", "replace").split())
    return text if len(text) <= 200 else f"{text[:200]}…"
