"""FROM as a whole: what the columns of a SELECT come from, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..plan.leaves import Filter
from ..plan.source import ModelSource
from ..values import Bound
from .join_order import Joined, ordered

__all__ = ["FromClause"]


@dataclass
class FromClause:
    """FROM as read. ``single`` is the model source if it is all there is; ``filters`` came with subqueries."""

    relations: list[Any] = field(default_factory=list)
    pieces: list[Any] = field(default_factory=list)
    single: ModelSource | None = None
    alone: ModelSource | None = None  # the same where its rows are wanted, not its measures
    filters: list[Bound] = field(default_factory=list)
    merged: set[str] = field(default_factory=set)
    joined: list[Joined] = field(default_factory=list)  # where there are several relations

    def sql(self, filters: Sequence[Filter]) -> str:
        """FROM and WHERE; model sources are written by marks, with every column anybody has used by the end."""
        if self.single is not None or self.alone is not None:
            source = self.single or self.alone
            assert source is not None
            safe, rest = [f.bound.sql for f in filters if f.safe], [f.bound.sql for f in filters if not f.safe]
            return f" FROM {source.all_filtered(safe, rest)}"
        text = "".join(item() if callable(item) else item for item in self.pieces)
        for item in ordered(self.joined):
            text += (f" {item.word} JOIN " if item.word else "") + item.text + (f" ON {item.on}" if item.on else "")
        where = f" WHERE {' AND '.join(f.bound.sql for f in filters)}" if filters else ""
        return (f" FROM {text}" if text else "") + where
