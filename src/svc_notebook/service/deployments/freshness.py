"""Looking whether what a generation was made from has changed, and making the next one.

Changes are found by looking at directory entries now and then, and at once when somebody asks (a signal, the reload
endpoint). What has changed is read when it has stayed the same from one look to the next, so that files which are
being written are not read half. What cannot be used leaves the generation in place, and is told wherever the service
speaks of itself or of its data.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from ...protocol.errors import BadRequest, Conflict, ServiceError
from ...semantic.errors import SemanticError
from ..config import ConfigError

if TYPE_CHECKING:
    from ..runtime import Service
    from .generations import Generation, Made, Source

__all__ = ["Freshness"]

_log = logging.getLogger(__name__)
_UNUSABLE = (SemanticError, ConfigError, ValueError, OSError)
_REST = 10.0  # times as long as reading took is not read again unasked


class Freshness:
    """Keeps one service on what its source holds.

    Attributes
    ----------
    source
        Where generations come from; without one the service stays as it is.
    """

    def __init__(self, service: Service, source: Source | None) -> None:
        self._service = service
        self.source = source
        self._making = asyncio.Lock()
        self._asked = asyncio.Event()
        self._refused: Hashable = None
        self._rested = 0.0

    def ask(self) -> None:
        """Have a look be taken at once, and what has changed be read; for signals, on the service's loop."""
        self._asked.set()

    async def run(self) -> None:
        """Look again and again."""
        if self.source is None or not (every := self._service.config.reload_interval):
            return
        seen: Hashable = None
        while True:
            asked = await self._pause(every)
            try:
                stamp = await asyncio.to_thread(self.source.stamp)
                # Only what has stood still since the last look: files are often written over a while.
                if asked or (stamp == seen and self._wants(stamp)):
                    await self.renew(force=asked)
                seen = stamp
            except ServiceError:
                pass  # has been told and logged
            except OSError as error:
                _log.warning("whether the data have changed could not be seen: %s", error)

    def _wants(self, stamp: Hashable) -> bool:
        current = self._service.generations.current.made.stamp
        if stamp == current:
            self._held_back("", None)
            return False
        return stamp != self._refused and time.monotonic() >= self._rested

    async def _pause(self, seconds: float) -> bool:
        """Wait; True when somebody asked meanwhile."""
        try:
            await asyncio.wait_for(self._asked.wait(), seconds)
        except TimeoutError:
            return False
        self._asked.clear()
        return True

    async def renew(self, source: Source | None = None, *, force: bool = True) -> Generation:
        """Answer from what the source holds now; ``source`` takes the place of the one there is.

        Parameters
        ----------
        force
            Also where it did not change, or was refused as it is.

        Raises
        ------
        Conflict
            The service has nothing that could be read again.
        BadRequest
            What is there cannot be used; the message says why, and everything stays as it was.
        """
        wanted = source or self.source
        if wanted is None:
            raise Conflict("This service was made from objects: there is nothing to read again.")
        async with self._making:
            if not force and not self._wants(await asyncio.to_thread(wanted.stamp)):
                return self._service.generations.current
            started = time.monotonic()
            made = await self._read(wanted, reread=force)
            self._rested = time.monotonic() + _REST * (time.monotonic() - started)
            self.source = wanted
            return await self._swapped(made)

    async def _read(self, source: Source, *, reread: bool) -> Made:
        # Before it is read: what changes meanwhile is then seen as a change, and not taken for refused.
        stamp = await asyncio.to_thread(source.stamp)
        try:
            return await asyncio.to_thread(partial(source.make, reread=reread))
        except _UNUSABLE as error:
            if source is self.source:
                self._held_back(str(error), stamp)
            raise BadRequest(str(error)) from error

    async def _swapped(self, made: Made) -> Generation:
        try:
            await self._service.adopt(made)
        except (ServiceError, ConfigError) as error:
            self._held_back(str(error), made.stamp)
            await asyncio.to_thread(made.close)
            raise
        self._refused = None
        current = self._service.generations.current
        _log.info("generation %d: data as of %s", current.number, current.standing.said or "no known moment")
        return current

    def _held_back(self, why: str, stamp: Hashable) -> None:
        standing = self._service.generations.current.standing
        if why and why != standing.held_back:
            _log.warning("what has changed cannot be used, the data of %s stay: %s", standing.said, why)
        standing.held_back, self._refused = why, stamp
