r"""NDJSON on bytes: one JSON object per line, split on ``\n`` alone.

Never ``splitlines``/``iter_lines``: U+2028, U+2029, U+0085 and ``\r`` are legal inside JSON strings.
"""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["CONTENT_TYPE", "LineDecoder", "LineTooLong", "encode_line"]

CONTENT_TYPE = "application/x-ndjson"

_SHORT = 1024
_encoder = msgspec.json.Encoder()


class LineTooLong(ValueError):
    """A line passed the size cap before its newline came."""


def encode_line(value: Any) -> bytes:
    """``value`` as one JSON line, newline included."""
    return _encoder.encode(value) + b"\n"


def _split(data: bytes) -> list[bytes]:
    r"""``data.split(b"\n")``, which looks at byte after byte, and takes ten times as long as finding for long lines."""
    lines: list[bytes] = []
    begin = 0
    while (end := data.find(b"\n", begin)) >= 0:
        if end - begin < _SHORT:
            return lines + (data[begin:] if begin else data).split(b"\n")
        lines.append(data[begin:end])
        begin = end + 1
    return [*lines, data[begin:]]


class LineDecoder:
    """Bytes in, whole lines out; call :meth:`flush` at the end for a last line without a newline.

    Parameters
    ----------
    max_line
        Bytes a single line may hold before :class:`LineTooLong` is raised.
    """

    __slots__ = ("_buffer", "_max", "_size")

    def __init__(self, max_line: int = 256 * 1024 * 1024) -> None:
        self._buffer: list[bytes] = []
        self._size = 0
        self._max = max_line

    def decode(self, data: bytes) -> list[bytes]:
        r"""The lines completed by ``data``; blank lines are dropped, a trailing ``\r`` is JSON white space anyway."""
        lines = _split(data)
        if len(lines) == 1:
            self._keep(data)
            return []
        if self._buffer:
            self._keep(lines[0])
            lines[0] = b"".join(self._buffer)
            self._buffer, self._size = [], 0
        elif len(lines[0]) > self._max:
            self._keep(lines[0])
        self._keep(lines.pop())
        return [line for line in lines if line.strip()]

    def flush(self) -> list[bytes]:
        line = b"".join(self._buffer)
        self._buffer, self._size = [], 0
        return [line] if line.strip() else []

    def _keep(self, data: bytes) -> None:
        if not data:
            return
        self._size += len(data)
        if self._size > self._max:
            raise LineTooLong(f"a line is longer than {self._max:,} bytes")
        self._buffer.append(data)
