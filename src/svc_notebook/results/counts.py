"""Counts of rows that nobody has counted to their end."""

from __future__ import annotations

__all__ = ["MoreThan"]


class MoreThan(int):
    """A count of rows that is known to be exceeded; it is written so wherever it is written."""

    def __format__(self, how: str) -> str:
        return f"more than {int(self):{how}}"

    def __str__(self) -> str:
        return format(self, "")
