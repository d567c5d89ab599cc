"""The columns of a model source, and which members they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from ....records import dataclass
from ...model import Dimension
from ..join_tree.entries import Entry, Use
from ..join_tree.steps import Expr
from ..values import Bound

__all__ = ["Column", "SourceColumns"]


@dataclass
class Column:
    """One column: an expression of the model, and the member it is, if it is one."""

    expr: Expr
    entry: Entry | None = None
    kind: str = "any"
    zoned: bool | None = None


@dataclass
class SourceColumns:
    """The columns a query has used so far, by their keys."""

    alias: str = field(init=False)
    _columns: dict[str, Column] = field(default_factory=dict, init=False)
    _described: dict[str, tuple[Entry, str | None]] = field(default_factory=dict, init=False)

    def entry_of(self, key: str) -> Entry | None:
        return self._columns[key].entry

    def time_columns(self, uses: Iterable[Use]) -> list[str]:
        """Those of the columns that are time dimensions."""
        return [
            key for alias, key in sorted(uses) if alias == self.alias and self._is_time(self._columns[key])
        ]  # fmt: skip

    def _is_time(self, column: Column) -> bool:
        entry = column.entry
        if entry is None:
            return False
        if column.kind in ("timestamp", "date"):
            return True
        return isinstance(entry.member, Dimension) and entry.member.type == "time"

    def entry_and_grain(self, bound: Bound) -> tuple[Entry | None, str | None]:
        """The member a column is, and the granularity it is truncated to."""
        if (described := self._described.get(bound.sql)) is not None:
            return described
        for column in self._columns.values():
            entry = column.entry
            if entry is not None and bound.member is not None and len(bound.uses) == 1:
                if bound.member == entry.label:
                    return entry, None
                label, _, granularity = bound.member.rpartition(".")
                if label == entry.label and column.kind in ("timestamp", "date"):
                    return entry, granularity
        return None, None

    def describe(self, bound: Bound, entry: Entry, granularity: str | None) -> None:
        """Say which dimension an expression is that no member of the query stands behind."""
        self._described[bound.sql] = entry, granularity
