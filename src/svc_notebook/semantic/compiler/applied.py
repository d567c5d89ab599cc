"""What was applied to a query for the asker's sake."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["AppliedFilter"]


class AppliedFilter(Struct, frozen=True):
    """A row filter that was put into the query: of which cube or view, what it says, and why it applies.

    ``told`` is the same in what the asker may know: no member or cube that is hidden, no value that a policy excludes.
    """

    cube: str
    filter: str
    reason: str
    told: AppliedFilter | None = None
