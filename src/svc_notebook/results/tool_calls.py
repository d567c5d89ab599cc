"""Tool calls as they are meant to be read: JSON text within JSON text, in every variant that services send.

Each level that does not parse stays the text it is and is reported; the rest is still read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from ..protocol.chat import FrameState
from ..protocol.errors import error_message
from ..protocol.spelling import spelled
from ..protocol.tools import Column, RowFilter, is_sql_tool
from .fold import Entry
from .result import Loader, Result

__all__ = ["ToolCall", "columns_of", "read_result", "read_tool_call"]

LARGE = 64 * 1024
"""Characters from which the rows of a result are not made into objects."""

State = Literal["running", "complete", "failed", "aborted"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool by the agent.

    Attributes
    ----------
    id, name
        The message it came in, and the tool's name as the service brands it.
    input, result
        Parsed; ``input`` is ``{"text": …}`` and ``result`` is None where the text is not a JSON object.
    error
        What the tool said when it failed.
    state
        ``"running"``, ``"complete"``, ``"failed"`` or ``"aborted"``.
    elapsed_ms
        How long it took, if the service says so.
    progress
        While it runs: which part of its data has been read, 0 to 1, if the service says so.
    warnings
        What could not be read.
    rows
        The rows of a large result as JSON, taken out of ``result``: they become columns without becoming objects first.
    """

    id: str
    name: str
    input: dict[str, Any]
    result: dict[str, Any] | None = None
    error: str | None = None
    state: State = "running"
    elapsed_ms: int | None = None
    warnings: tuple[str, ...] = field(default=(), repr=False)
    rows: bytes | None = field(default=None, repr=False)
    progress: float | None = None


def read_tool_call(entry: Entry, *, ended: str | None) -> ToolCall:
    """``entry`` as a tool call; ``ended`` is how the turn ended, if it has: that is how its open calls ended too."""
    warnings: list[str] = []
    name = entry.tool or ""
    given = _object(entry.tool_input, f"the input of {name}", warnings) if entry.tool_input else {}
    result, rows = None, None
    if entry.tool_result is not None:
        result, rows = _large(entry.tool_result) if len(entry.tool_result) > LARGE else (None, None)
        result = result or _object(entry.tool_result, f"the result of {name}", warnings)
    elapsed = (entry.state or {}).get(spelled(FrameState, "elapsed_ms"))
    error = error_message({"error": result["error"]}, "failed") if result and result.get("error") else None
    state: State = "failed" if error else "complete" if entry.tool_result is not None else _open_state(ended)
    return ToolCall(
        entry.id,
        name,
        given if given is not None else {"text": entry.tool_input},
        result,
        error if error or result is not None or entry.tool_result is None else entry.tool_result,
        state if result is not None or entry.tool_result is None else "failed",
        int(elapsed) if isinstance(elapsed, (int, float)) else None,
        tuple(warnings),
        rows,
        _progress(entry) if state == "running" else None,
    )


def _progress(entry: Entry) -> float | None:
    done = (entry.state or {}).get("progress")
    return min(1.0, max(0.0, float(done))) if isinstance(done, int | float) else None


def read_result(call: ToolCall, *, whoami: str = "", loader: Loader | None = None) -> Result | None:
    """The query result of a completed SQL call; None for anything else."""
    if not is_sql_tool(call.name) or call.state != "complete" or call.result is None:
        return None
    # What the result says stands over what was asked: the service may have rewritten the query.
    found = {**_without_empty(call.input), **_without_empty(call.result)}
    schema = columns_of(found)
    rows = call.rows if call.rows is not None else found.get("data")
    total = found.get("totalRows")
    return Result(
        sql=_text(found.get("sqlQuery") or found.get("query")),
        schema=schema,
        data=rows if isinstance(rows, (list, bytes)) else [],
        total_rows=int(total) if isinstance(total, (int, float)) else None,
        uuid=_text(found.get("uuid")),
        title=_text(found.get("queryTitle") or found.get("title")),
        description=_text(found.get("description")),
        user_request=_text(found.get("userRequest")),
        vega_spec=_text(found.get("vegaSpec")) or None,
        row_filters=[
            RowFilter(_text(f.get("cube")), _text(f.get("filter")), f.get("reason"))
            for f in _objects(found, "rowFilters")
        ],
        notes=[_text(note) for note in found.get("notes") or [] if note],
        whoami=whoami,
        elapsed_ms=call.elapsed_ms,
        row_limit=_limit(found),
        as_of=_text(found.get("asOf")),
        kept=found.get("kept") is True,
        loader=loader,
    )


def _limit(found: dict[str, Any]) -> int | None:
    """How many rows the service keeps of a result that has more of them."""
    limit = found.get("rowLimit")
    if not found.get("truncated") or "totalRows" in found:
        return None
    return int(limit) if isinstance(limit, (int, float)) else len(found.get("data") or ())


def columns_of(found: dict[str, Any]) -> list[Column]:
    """The columns of a result: from ``schema`` (``column_type`` or ``columnType``), else from its first row."""
    columns = [
        Column(
            _text(each.get("name")),
            _text(each.get("column_type") or each.get("columnType") or each.get("type")),
            member=each.get("member"),
            title=each.get("title"),
            format=each.get("format"),
            currency=each.get("currency"),
            language=each.get("language"),
            unit=_text(each.get("unit")) or None,
        )
        for each in _objects(found, "schema")
    ]
    rows = found.get("data")
    if columns or not isinstance(rows, list) or not rows:
        return columns
    names = list(rows[0]) if isinstance(rows[0], dict) else [f"column_{place + 1}" for place in range(len(rows[0]))]
    return [Column(name, "") for name in names]


def _large(text: str) -> tuple[dict[str, Any] | None, bytes | None]:
    """A large result as it is usually sent, its rows left as bytes; nothing where it is sent otherwise."""
    try:
        parts = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        rows = bytes(parts.pop("data", msgspec.Raw()))
        found = {key: msgspec.json.decode(part) for key, part in parts.items()}
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None, None
    return (found, rows) if rows.startswith(b"[") and found.get("schema") else (None, None)


def _object(text: str, what: str, warnings: list[str]) -> dict[str, Any] | None:
    """``text`` as an object, also where it was wrapped in a string once more."""
    value: Any = text
    # Language models wrap a JSON text in a string, and gateways do it once more.
    for _ in range(3):
        if not isinstance(value, str):
            break
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            try:
                value = json.loads(value)  # NaN, lone surrogates
            except (ValueError, RecursionError):
                break
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {"data": value}
    warnings.append(f"{what} is not a JSON object: {text[:80]!r}")
    return None


def _objects(found: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = found.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _without_empty(given: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value not in (None, "")}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _open_state(ended: str | None) -> State:
    if ended in {None, "streaming"}:
        return "running"
    return "aborted" if ended == "aborted" else "failed"
