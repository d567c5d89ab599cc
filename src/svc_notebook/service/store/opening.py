"""Open a store by its URL, with its tables as this version writes them."""

from __future__ import annotations

from pathlib import Path

from .database import Store
from .memory import MemoryDatabase

__all__ = ["in_memory", "open_store"]

_MEMORY = frozenset({"memory", ":memory:", "sqlite://", "sqlite:///:memory:"})


def in_memory(url: str | Path) -> bool:
    """Whether a store at ``url`` is one process's own, and gone with it."""
    return str(url) in _MEMORY


def open_store(url: str | Path = "memory", *, busy_timeout: float = 5.0, pool_size: int = 8) -> Store:
    """Open the state store at ``url``, creating and migrating its tables as needed.

    Parameters
    ----------
    url
        ``"memory"``; a path or ``sqlite:///path`` of an SQLite file; ``postgresql+psycopg://…``.
    busy_timeout
        Seconds to wait for a lock that another process holds.
    """
    if in_memory(url):
        return Store(MemoryDatabase(), exclusive=True)
    from .connecting import connect

    return connect(str(url), busy_timeout, pool_size)
