"""Where the service keeps its state: one interface, on SQLite in memory, an SQLite file, or PostgreSQL."""

from .database import Store
from .errors import StoreAway, StoreBusy, StoreClosed, StoreFailed, StoreFull
from .opening import open_store

__all__ = ["Store", "StoreAway", "StoreBusy", "StoreClosed", "StoreFailed", "StoreFull", "open_store"]
