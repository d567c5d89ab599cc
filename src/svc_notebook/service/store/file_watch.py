"""Whether an SQLite file is still where it was opened: one that was moved away takes writes into the void."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from .errors import StoreAway

__all__ = ["FileWatch"]

_log = logging.getLogger(__name__)


class FileWatch:
    """Knows a file by its device and number, and its write-ahead log by being there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = f"{path}-wal"
        self._seen = _identity(path)

    def check(self, *, used: bool) -> None:
        """Look; once it was ``used`` by a connection that is still open, its log must be there too.

        Raises
        ------
        StoreAway
            Another file, or none, is where the store was opened.
        """
        if _identity(self._path) != self._seen or (used and not os.path.exists(self._log)):
            detail = (
                f"The state store {self._path} was moved or replaced while it was open: "
                "put it back, or restart the service to use what is there now."
            )
            _log.error("%s", detail)
            error = StoreAway("The state store's file was moved or replaced; the service's log says more.")
            error.add_note(detail)
            raise error


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
