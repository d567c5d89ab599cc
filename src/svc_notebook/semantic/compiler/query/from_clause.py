"""FROM as a whole: what the columns of a SELECT come from, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from ....records import dataclass
from ...dialects.nodes import clause, from_, run, where
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
            return from_(source.all_filtered(safe, rest))
        found = [piece() if callable(piece) else piece for piece in self.pieces]
        for each in ordered(self.joined):
            on = " ON {}" if each.on else ""
            joined = (
                clause(f" {each.word} JOIN {{}}{on}", each.text, *filter(None, (each.on,))) if each.word else each.text
            )
            found.append(joined)
        tests = where([f.bound.sql for f in filters])
        return run(from_(run(*found)), tests) if found else tests
