"""Which databases of the question sets are closed: scored, and otherwise neither read nor shown.

Rules and words of the analyst are written from the open half. Of a closed database only figures appear: its questions,
predictions and failures are never printed or written. The list is a hash of the name, so that a database is on the same
side in every set; two sets of the same rows go together (``chinook`` and ``store_1``, ``flights`` and the demo: open).
"""

from __future__ import annotations

import hashlib

__all__ = ["is_closed"]

_SEED = "closed half"
_CLOSED = frozenset({"taxis", "birdstrikes"})
_OPEN = frozenset({"flights", "chinook", "store_1", "cars", "movies", "superstore", "euro", "acme"})


def is_closed(database: str) -> bool:
    """Whether a database belongs to the closed half."""
    if database in _OPEN or database in _CLOSED:
        return database in _CLOSED
    return hashlib.sha256(f"{_SEED}:{database}".encode()).digest()[0] % 2 == 1
