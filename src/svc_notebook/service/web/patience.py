"""A server that does not wait for ever: a connection whose request does not arrive whole is closed.

The application bounds the bodies it reads; heads, and bodies that nobody reads, are the server's own. For uvicorn,
which waits for both without end.
"""

from __future__ import annotations

import asyncio
from typing import Any

__all__ = ["patient_protocol"]


def patient_protocol(seconds: float) -> type[asyncio.Protocol]:
    """Uvicorn's protocol (its ``http`` setting), which gives a client so long to send a request once it has begun."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # chosen when uvicorn is imported
        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._whole():
                self._stop_waiting()
            elif self._waiting is None:
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def _whole(self) -> bool:
            """Whether a request that is not answered yet has arrived to its end."""
            cycle: Any = self.cycle
            return cycle is not None and not cycle.more_body and not cycle.response_complete

        def _wait(self) -> None:
            self._waiting = asyncio.get_running_loop().call_later(seconds, self._give_up)

        def _stop_waiting(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _give_up(self) -> None:
            self._waiting = None
            self.transport.close()

    return Patient
