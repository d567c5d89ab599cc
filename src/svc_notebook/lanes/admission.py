"""How much may be open at once, and who is told to come back later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..protocol.errors import ServiceUnavailable, TooManyRequests
from .turns import Asker, Tally

__all__ = ["Admission", "Share"]


class Share:
    """What one request holds of the service until it is let go; :meth:`leave` may be called twice."""

    def __init__(self, admission: Admission, asker: Asker) -> None:
        self._admission: Admission | None = admission
        self._asker = asker

    def leave(self) -> None:
        admission, self._admission = self._admission, None
        if admission is not None:
            admission._left(self._asker)


class Admission:
    """Counts turns and queries that run or wait; an account may have half of all, a user a quarter.

    Parameters
    ----------
    most
        How many may be open in all.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._open = 0
        self._held = Tally()

    def __len__(self) -> int:
        return self._open

    def enter(self, asker: Asker) -> Share:
        """Take a share.

        Raises
        ------
        TooManyRequests
            The user, or the account, has all of its own share open.
        ServiceUnavailable
            Everything is taken, by others too.
        """
        with self._lock:
            self._check(asker)
            self._open += 1
            self._held.add(asker)
        return Share(self, asker)

    @contextmanager
    def entered(self, asker: Asker) -> Iterator[None]:
        """A share for as long as the block runs."""
        share = self.enter(asker)
        try:
            yield
        finally:
            share.leave()

    def _check(self, asker: Asker) -> None:
        # The narrowest first: each refusal then names the smallest thing that whoever asks can do something about.
        if self._held.users[asker] >= max(1, self._most // 4):
            raise TooManyRequests(
                f"{self._held.users[asker]:,} requests of this user run or wait; send the next when one has ended.",
                retry_after=_LATER,
            )
        if self._held.accounts[asker.account] >= max(1, self._most // 2):
            raise TooManyRequests(
                "As many requests of this account run or wait as it may have at once; try again in a few seconds.",
                retry_after=_LATER,
            )
        if self._open >= self._most:
            raise ServiceUnavailable("The service has as much to do as it takes on at once; try again in a second.")

    def _left(self, asker: Asker) -> None:
        with self._lock:
            self._open -= 1
            self._held.remove(asker)


_LATER = 2
"""Seconds after which it is worth to ask again."""
