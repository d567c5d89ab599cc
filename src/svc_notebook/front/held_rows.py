"""The rows of a conversation's tables that a page may ask for: those that were looked at last, as many as there is room
for.

What was looked at longest ago is let go, and fetched again when somebody comes back to it: a service keeps what it
computed, or computes it again for the same user.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..results.result import Result

if TYPE_CHECKING:
    from ..results.pages import Pages

__all__ = ["ROOM", "HeldRows"]

ROOM = 268_435_456
"""Bytes of rows that a conversation holds, with what is made of them to look through them."""


class HeldRows:
    """Results by their ids, and the rows of some of them.

    Parameters
    ----------
    room : int
        Bytes of rows; those that were looked at last stay, however many they are.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._results: dict[str, Result] = {}
        self._pages: OrderedDict[str, Pages] = OrderedDict()

    @property
    def nbytes(self) -> int:
        """Bytes of the rows that are here."""
        return sum(pages.nbytes for pages in self._pages.values())

    def add(self, result: Result) -> None:
        """A page may ask for the rows of this result from now on."""
        self._results[result.uuid] = result

    def pages(self, uuid: str, progress: Callable[[int], object] | None = None) -> Pages | None:
        """All rows of a result, fetched if they are not here; None for one that is not known.

        Parameters
        ----------
        uuid : str
            The result's id.
        progress : callable, optional
            Told the bytes so far while they are fetched; what it raises ends that.

        Raises
        ------
        SvcError
            If the service does not give them (any more).
        """
        if (result := self._results.get(uuid)) is None:
            return None
        with self._lock:  # what two threads look at is fetched once
            if (found := self._pages.get(uuid)) is None:
                found = self._pages[uuid] = result.pages(keep=False, progress=progress)
            self._pages.move_to_end(uuid)
            while len(self._pages) > 1 and self.nbytes > self._room:
                self._pages.popitem(last=False)
            return found
