"""What the tables of a widget ask for, each thing on the thread it belongs on: looks one after the other, files beside
them, and the word to stop at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..cancellation import Cancelled
from ..results.pages import Pages
from .table_files import TableFiles
from .table_looks import LOOKS, gone, look_at

__all__ = ["REQUESTS", "RowsRefused", "TableRequests"]

REQUESTS = (*LOOKS, "file", "part", "drop", "halt")
"""By the name of the message."""
_TOLD_EVERY = 0.1  # seconds

Told = tuple[dict[str, Any], list[bytes] | None]
Progress = Callable[[int], object]


class RowsRefused(Exception):
    """The rows of a table cannot be fetched; the message says why."""


class _Thread(Protocol):
    def post(self, job: Callable[[], object]) -> None: ...


class TableRequests:
    """Answers what pages ask of tables.

    Parameters
    ----------
    send : callable
        Takes a message for the browser, and buffers.
    pages : callable
        The rows of a result by its id, None where they are not known; told how to say how far they have come. Raises
        :class:`RowsRefused`.
    looks, files : Worker
        Where looks are done, and files are written.
    """

    def __init__(
        self,
        send: Callable[[dict[str, Any], list[bytes] | None], object],
        pages: Callable[[str, Progress], Pages | None],
        looks: _Thread,
        files: _Thread,
    ) -> None:
        self._send, self._pages, self._looks, self._writing = send, pages, looks, files
        self._files = TableFiles()
        self._asked: set[object] = set()
        self._halted: set[object] = set()

    def handle(self, message: Mapping[str, Any]) -> None:
        """Take a request; any thread, returns at once."""
        name = message.get("t")
        if name == "halt":
            self._halted |= {message.get("of")} & self._asked
        elif name == "drop":
            self._writing.post(lambda: self._files.end(message))
        elif name == "part":
            self._writing.post(lambda: self._send(*self._files.more(message)))
        elif name == "file":
            self._asked.add(message.get("id", 0))
            self._writing.post(lambda: self._answer(message, self._files.begin))
        elif name in LOOKS:
            self._asked.add(message.get("id", 0))
            self._looks.post(lambda: self._answer(message, look_at))

    def _answer(self, message: Mapping[str, Any], told: Callable[[Pages, Mapping[str, Any]], Told]) -> None:
        """Send what is asked of the rows of a result; they are fetched where they are not here."""
        asked = message.get("id", 0)
        try:
            self._heed(asked)
            pages = self._pages(str(message.get("result", "")), self._progress(asked))
            self._heed(asked)
        except RowsRefused as refused:
            self._send(*gone(message, f"The rows of this table cannot be fetched any more: {refused}"))
        except Cancelled:
            pass  # the page shows what it showed before
        else:
            missing = gone(message, "The rows of this table are not here any more: ask again.")
            self._send(*(missing if pages is None else told(pages, message)))
        finally:
            self._asked.discard(asked)
            self._halted.discard(asked)

    def _heed(self, asked: object) -> None:
        if asked in self._halted:
            raise Cancelled("stopped in the table")

    def _progress(self, asked: object) -> Progress:
        """Says how many bytes have come, now and then; ends it where it is not wanted any more."""
        last = time.monotonic()

        def come(size: int) -> None:
            nonlocal last
            self._heed(asked)
            if time.monotonic() - last >= _TOLD_EVERY:
                last = time.monotonic()
                self._send({"t": "loading", "for": asked, "bytes": size}, None)

        return come
