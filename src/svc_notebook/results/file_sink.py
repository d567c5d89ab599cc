"""Where a file is written to that is taken away while it grows."""

from __future__ import annotations

import io
from typing import Any

__all__ = ["Sink"]


class Sink(io.RawIOBase):
    """Bytes that are written, until they are :meth:`taken`; there is no way back to them."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: Any) -> int:
        """Keep the bytes."""
        piece = bytes(data)
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        """What has been written since the last time."""
        found = b"".join(self._pieces)
        self._pieces.clear()
        return found
