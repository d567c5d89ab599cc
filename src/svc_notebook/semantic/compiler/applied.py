"""What was applied to a query for the asker's sake."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AppliedFilter"]


@dataclass(frozen=True, slots=True)
class AppliedFilter:
    """A row filter that was put into the query: of which cube or view, what it says, and why it applies."""

    cube: str
    filter: str
    reason: str
