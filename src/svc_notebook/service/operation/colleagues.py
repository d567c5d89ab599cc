"""The other processes behind the same port: what is counted of all of them, and what each says when it is asked.

A request meets some process. What it wants to know of the service is so asked of all, within a bound: one that is stuck
is told as one that does not answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from ...records import dataclass
from .counts import Counts, OwnCounts

__all__ = ["Alone", "Colleagues", "Told"]


@dataclass(frozen=True, slots=True)
class Told:
    """What one of the others said; ``said`` is None where it did not answer in time."""

    worker: int
    said: Any


class Colleagues(Protocol):
    """The processes behind the port of this one."""

    counts: Counts
    answers: Mapping[str, Callable[[], Awaitable[Any]]]
    """What this one says when another asks, by the word that is asked; JSON, and the figures of nobody by name."""

    @property
    def team(self) -> str:
        """A name for all of them together; ``""`` where there are no others."""
        ...

    @property
    def leaving(self) -> bool:
        """Whether another process has taken the place of this one, which only ends what it has begun."""
        ...

    async def ask(self, word: str, patience: float) -> list[Told]:
        """What each of the others says to a word, within so many seconds."""
        ...


class Alone:
    """There are no others."""

    team = ""
    leaving = False

    def __init__(self) -> None:
        self.counts: Counts = OwnCounts()
        self.answers: Mapping[str, Callable[[], Awaitable[Any]]] = {}

    async def ask(self, word: str, patience: float) -> list[Told]:
        return []
