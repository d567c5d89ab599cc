"""Files of a table that pages are sent part by part, as they ask for the next: nobody waits for a whole file, none is
held as a whole, and one that nobody asks for any more is let go.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from ..results.pages import FilePart, Look, Pages

__all__ = ["OPEN", "TableFiles"]

OPEN = 4
"""Files that are written at a time; the one that was asked for longest ago makes room."""
_KINDS = ("csv", "parquet", "xlsx")

Told = tuple[dict[str, Any], list[bytes] | None]


class TableFiles:
    """Files by their names, each as far as it is written."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Iterator[FilePart]] = OrderedDict()
        self._names = itertools.count(1)

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, pages: Pages, message: Mapping[str, Any]) -> Told:
        """The first part of a file of the rows that are looked at."""
        kind = message.get("kind")
        try:
            parts = pages.file_parts(Look.of(message, pages.width), kind if kind in _KINDS else _KINDS[0])
        except ValueError as refused:
            return {"t": "rows", "for": message.get("id", 0), "gone": str(refused)}, None
        name = f"f{next(self._names)}"
        self._open[name] = parts
        while len(self._open) > OPEN:
            self._open.popitem(last=False)
        return self.more({**message, "file": name})

    def more(self, message: Mapping[str, Any]) -> Told:
        """The next part of a file; the last one says so."""
        name, told = str(message.get("file")), {"t": "rows", "for": message.get("id", 0)}
        if (parts := self._open.get(name)) is None:
            return {**told, "gone": "This file is not written any more: save it again."}, None
        self._open.move_to_end(name)
        if (part := next(parts, None)) is None:
            del self._open[name]
            return {**told, "file": name, "last": True}, None
        return {**told, "file": name, "written": part.written, "of": part.rows}, [part.content]

    def end(self, message: Mapping[str, Any]) -> None:
        """Nobody wants the file any more."""
        self._open.pop(str(message.get("file")), None)
