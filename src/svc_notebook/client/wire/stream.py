r"""Bytes to lines to frames, tolerant: a line that cannot be read is reported and the stream goes on.

Lines are split on ``\n`` alone, a cap bounds each, silence has a limit. What is not a frame at all (an HTML page, an
error answer) becomes an exception; what is nearly one (nulls, numbers as text, an object where JSON text belongs) is
read as it was meant.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from msgspec import UNSET

from ...protocol import ndjson
from ...protocol.chat import Message, ToolCall
from ...results.fold import WARNING
from ...waits import Waits
from .. import errors
from .replies import check
from .transport import StreamingReply

__all__ = ["MAX_LINE", "WARNING", "FrameDecoder", "frames", "read_frame"]

MAX_LINE = 64 * 1024 * 1024

_decoder = msgspec.json.Decoder(Message)


class FrameDecoder:
    """Bytes in, frames out; :meth:`flush` at the end for a last line without a newline."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._lines = ndjson.LineDecoder(max_line)
        self._begun = False

    def decode(self, data: bytes) -> list[Message]:
        try:
            return [self._frame(line) for line in self._lines.decode(data)]
        except ndjson.LineTooLong as error:
            raise errors.LineTooLong(f"The stream holds a line that is too long: {error}") from None

    def flush(self) -> list[Message]:
        return [self._frame(line) for line in self._lines.flush()]

    def _frame(self, line: bytes) -> Message:
        if not self._begun:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not self._begun and line.lstrip()[:1] == b"<":
            raise errors.NotAService(
                f"The answer is an HTML page, not a stream of messages: check the URL. It begins {_excerpt(line)}"
            )
        if not self._begun and b'"statusCode"' in line:
            check(200, {}, line)  # an error that came as an answer
        self._begun = True
        return read_frame(line)


async def frames(
    reply: StreamingReply, *, silence: float | None, max_line: int = MAX_LINE
) -> AsyncIterator[list[Message]]:
    """The frames of a chat answer, in the batches they arrive in.

    Raises
    ------
    StreamSilent
        When nothing (not even a blank line) has come for ``silence`` seconds.
    StreamBroken
        When the connection ends in the middle.
    """
    decoder = FrameDecoder(max_line)
    chunks = reply.chunks()
    waits = Waits(silence)
    try:
        while True:
            with waits:
                chunk = await anext(chunks)
            if batch := decoder.decode(chunk):
                yield batch
    except StopAsyncIteration:
        pass
    except TimeoutError:
        raise errors.StreamSilent(
            f"The service has sent nothing for {silence:g} s. The turn may go on there: follow() picks it up again"
        ) from None
    except errors.TransportError as error:
        raise errors.StreamBroken(f"The stream broke off: {error}") from error
    finally:
        waits.close()
    if batch := decoder.flush():
        yield batch


def read_frame(line: bytes) -> Message:
    """One line as a frame; a line that is none becomes a frame with the id :data:`WARNING`."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return _warning(f"a line is not JSON: {_excerpt(line)}")
    if not isinstance(value, dict):
        return _warning(f"a line is not an object: {_excerpt(line)}")
    return _meant(value)


def _meant(value: dict[str, Any]) -> Message:
    fields = {name: _READERS[name](value[key]) for name, key in _KEYS.items() if value.get(key) is not None}
    return Message(**fields)


def _warning(text: str) -> Message:
    return Message(id=WARNING, type="warning", content=text)


def _excerpt(line: bytes) -> str:
    return repr(line[:80].decode("utf-8", "replace"))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):  # content in parts: [{"type": "text", "text": …}]
        return "".join(_text(part.get("text", "")) if isinstance(part, dict) else _text(part) for part in value)
    return json.dumps(value)


def _flag(value: Any) -> bool:
    return value if isinstance(value, bool) else str(value).lower() in {"true", "1"}


def _number(value: Any) -> Any:
    try:
        return value if isinstance(value, (int, float)) else float(value)
    except (TypeError, ValueError):
        return UNSET


def _path(value: Any) -> list[str]:
    return [_text(node) for node in value] if isinstance(value, list) else [_text(value)]


def _object(value: Any) -> Any:
    return value if isinstance(value, dict) else UNSET


def _tool_call(value: Any) -> Any:
    if not isinstance(value, dict):
        return UNSET
    result = value.get("result")
    name, given = _text(value.get("name") or ""), value.get("input")
    return ToolCall(
        name, "" if given is None else _text_of_json(given), UNSET if result is None else _text_of_json(result)
    )


def _text_of_json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


_KEYS = dict(zip(Message.__struct_fields__, Message.__struct_encode_fields__, strict=True))
_READERS: dict[str, Any] = {
    **dict.fromkeys(("id", "role", "content", "thinking", "type", "code"), _text),
    **dict.fromkeys(("is_delta", "is_in_process"), _flag),
    **dict.fromkeys(("state", "usage"), _object),
    "tool_call": _tool_call, "graph_path": _path, "sort": _number, "error": lambda value: value,
}  # fmt: skip
