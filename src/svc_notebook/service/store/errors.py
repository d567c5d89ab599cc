"""What a store can run into, as errors the HTTP door knows."""

from __future__ import annotations

from ...protocol.errors import ServerError, ServiceUnavailable

__all__ = ["StoreAway", "StoreBusy", "StoreFailed", "StoreFull"]


class StoreBusy(ServiceUnavailable):
    """Others hold what this work needs, for longer than it waits; nothing was changed."""


class StoreAway(ServiceUnavailable):
    """The database cannot be reached, or is not where it was; nothing was changed."""


class StoreFull(ServerError):
    """There is no room to write; nothing was changed, and reading goes on."""


class StoreFailed(ServerError):
    """The database refused the work, or cannot be used at all."""
