"""What was applied to a query for the asker's sake."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AppliedFilter"]


@dataclass(frozen=True, slots=True)
class AppliedFilter:
    """A row filter that was put into the query: of which cube or view, what it says, and why it applies.

    ``told`` is the same in what the asker may know: no member or cube that is hidden, no value that a policy excludes.
    """

    cube: str
    filter: str
    reason: str
    told: AppliedFilter | None = None
