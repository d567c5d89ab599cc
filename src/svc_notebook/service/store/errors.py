"""What a store can run into, as errors the HTTP door knows."""

from __future__ import annotations

from ...protocol.errors import ServerError, ServiceUnavailable

__all__ = ["StoreBusy", "StoreFailed", "StoreFull"]


class StoreBusy(ServiceUnavailable):
    """Another process holds the store's lock; the message names it where the system tells."""


class StoreFull(ServerError):
    """There is no room to write; nothing was changed, and reading goes on."""


class StoreFailed(ServerError):
    """The database cannot be reached or refused the work."""
