"""Keys that a source declares."""

from __future__ import annotations

from ...records import dataclass

__all__ = ["DeclaredKeys"]


@dataclass(frozen=True, slots=True)
class DeclaredKeys:
    """What a table declares: its primary key, and ``(columns, other table, its columns)`` for each foreign key."""

    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = ()
