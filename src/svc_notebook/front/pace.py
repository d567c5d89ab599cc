"""When the next piece of a growing answer is worth a message.

A message costs some 600 bytes of envelope in a notebook, whatever it carries. The first words go out at once; then a
piece is sent when it adds a quarter to what has been sent, at most ten a second, and from some thousand characters on
in pieces of one size. So an answer costs about as many messages at five words a second as at five hundred. The browser
lets a piece in evenly until the next one comes.
"""

from __future__ import annotations

__all__ = ["Pace"]

_INTERVAL = 0.1  # seconds between two pieces
# A quarter more than was sent: messages grow with the answer, and their number with its logarithm.
_SHARE = 0.25
_PIECE = 1_000  # characters that are always worth a message
_QUIET = 0.7  # seconds without anything new after which the rest goes out
_QUIETS = 8  # so many times in one turn: an answer of one word a second is no reason for a message each


class Pace:
    """Decides for one turn; times are seconds of whatever clock the caller has."""

    def __init__(self) -> None:
        self._sent = 0
        self._last = float("-inf")
        self._grew = float("-inf")
        self._waiting = 0
        self._quiets = _QUIETS

    def grown(self, waiting: int, now: float) -> bool:
        """Whether to send now, with ``waiting`` characters that have not been sent."""
        if waiting != self._waiting:
            self._waiting, self._grew = waiting, now
        if not waiting or now < self._last + _INTERVAL:
            return False
        if waiting >= min(_PIECE, self._sent * _SHARE):
            return True
        if now < self._grew + _QUIET or not self._quiets:
            return False
        self._quiets -= 1
        return True

    def due(self) -> float | None:
        """When to look again although nothing new has come."""
        if not self._waiting:
            return None
        if self._waiting >= min(_PIECE, self._sent * _SHARE):
            return self._last + _INTERVAL
        return max(self._last + _INTERVAL, self._grew + _QUIET) if self._quiets else None

    def sent(self, now: float) -> None:
        """Everything that waited has been sent."""
        self._sent += self._waiting
        self._waiting, self._last = 0, now
