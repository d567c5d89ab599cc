"""Where the service keeps its state: one interface, on SQLite in memory, an SQLite file, or PostgreSQL."""

from .database import Store, open_store
from .errors import StoreBusy, StoreFailed, StoreFull

__all__ = ["Store", "StoreBusy", "StoreFailed", "StoreFull", "open_store"]
