"""The replay of a thread, read to go on with a turn whose stream broke off."""

from __future__ import annotations

from ...protocol.chat import Message
from ...results.fold import Snapshot, fold_thread

__all__ = ["Reattached"]


class Reattached:
    """The replay of a thread after its stream broke off: earlier turns are passed over until the one that was read."""

    def __init__(self, known: Snapshot) -> None:
        self._asked = {entry.id for entry in known.entries.values() if entry.role == "user"}
        self._turns: tuple[Snapshot, ...] = ()

    def fold(self, frame: Message) -> tuple[Snapshot, ...]:
        """The turns, once the replay has come to the one that was read; nothing before."""
        self._turns = fold_thread(frame, self._turns)
        return self._turns if self._asked & self._turns[-1].entries.keys() else ()
