"""What differs from one PostgreSQL database to the next."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Traits"]


class Traits(Struct, frozen=True):
    """``collate``: whether texts must be told to be compared by their bytes, since the database does otherwise.

    ``letters`` is a collation that knows the cases of all letters; None where the database has none, and the cases of
    texts cannot be told as DuckDB tells them.
    """

    collate: bool = True
    letters: str | None = None
