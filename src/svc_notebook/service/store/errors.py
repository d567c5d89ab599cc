"""What a store can run into, as errors the HTTP door knows."""

from __future__ import annotations

from ...protocol.errors import ServerError, ServiceError, ServiceUnavailable

__all__ = ["StoreAway", "StoreBusy", "StoreClosed", "StoreError", "StoreFailed", "StoreFull"]


class StoreError(ServiceError):
    """Whatever a store can run into."""


class StoreBusy(StoreError, ServiceUnavailable):
    """Others hold what this work needs, for longer than it waits; nothing was changed."""


class StoreAway(StoreError, ServiceUnavailable):
    """The database cannot be reached, or is not where it was; nothing was changed."""


class StoreClosed(StoreError, ServiceUnavailable):
    """The service that used the store has stopped; nothing was changed."""


class StoreFull(StoreError, ServerError):
    """There is no room to write; nothing was changed, and reading goes on."""


class StoreFailed(StoreError, ServerError):
    """The database refused the work, or cannot be used at all."""
