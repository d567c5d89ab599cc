"""What stands in FROM, and the columns it offers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Protocol, TypeAlias

from msgspec import Struct

from ....records import dataclass
from ...dialects.nodes import column as in_relation
from ...model import Dimension, Measure
from ..join_tree.entries import Entry
from ..names import Names
from ..plan.source import ModelSource
from ..values import Bound

__all__ = [
    "FactsRelation",
    "Found",
    "MeasureColumn",
    "ModelRelation",
    "OutColumn",
    "PassRelation",
    "Relation",
    "RowRelation",
]


class OutColumn(Struct, frozen=True):
    """A column a query gives: ``entry`` if it is a member of the model."""

    name: str
    bound: Bound
    entry: Entry | None = None
    title: str | None = None
    formatted: Entry | None = None  # the member whose format a computed column keeps


class MeasureColumn(Struct, frozen=True):
    """A name that means a measure: a value only once it is known over which rows."""

    source: ModelSource
    entry: Entry


Found: TypeAlias = "Bound | MeasureColumn"


class Relation(Protocol):
    """Something in FROM."""

    alias: str | None

    def find(self, name: str) -> Found | None: ...
    def names(self) -> Iterator[str]: ...
    def star(self) -> list[str]: ...
    def entry(self, name: str) -> Entry | None: ...


@dataclass
class ModelRelation:
    """A cube or view under its alias."""

    alias: str | None
    source: ModelSource
    entries: Names[Entry]

    def find(self, name: str) -> Found | None:
        entry = self.entries.get(name)
        if entry is None:
            return None
        if isinstance(entry.member, Measure):
            return MeasureColumn(self.source, entry)
        return self.source.column(entry)

    def names(self) -> Iterator[str]:
        return iter(self.entries)

    def star(self) -> list[str]:
        # Measures are no columns of rows: `*` leaves them out.
        return [name for name, entry in self.entries.exact.items() if isinstance(entry.member, Dimension)]

    def entry(self, name: str) -> Entry | None:
        return self.entries.get(name)


@dataclass
class FactsRelation(ModelRelation):
    """A view of which a query measures several facts: ``parts`` has a relation for each, the first of them this one's.

    ``crossed`` are the view's own measures over measures of several facts.
    """

    parts: list[ModelRelation]
    crossed: Names[Entry]

    def find(self, name: str) -> Found | None:
        if (entry := self.crossed.get(name)) is not None:
            return MeasureColumn(self.source, entry)
        part = self.part_of(name)
        return None if part is None else part.find(name)

    def part_of(self, name: str) -> ModelRelation | None:
        """The first fact that has a member of this name."""
        return next((part for part in self.parts if part.entries.get(name) is not None), None)

    def names(self) -> Iterator[str]:
        return iter(dict.fromkeys([*(name for part in self.parts for name in part.entries), *self.crossed]))

    def star(self) -> list[str]:
        return list(dict.fromkeys(name for part in self.parts for name in part.star()))

    def entry(self, name: str) -> Entry | None:
        part = self.part_of(name)
        return self.crossed.get(name) if part is None else part.entry(name)


@dataclass
class PassRelation:
    """A subquery that only chooses and filters rows of a model source: its columns are looked up through it."""

    alias: str | None
    source: ModelSource
    columns: Names[tuple[Callable[[], Found], Entry | None]]
    shown: list[str]
    filters: list[Bound] = field(default_factory=list)

    def find(self, name: str) -> Found | None:
        column = self.columns.get(name)
        return column[0]() if column is not None else None

    def names(self) -> Iterator[str]:
        return iter(self.columns)

    def star(self) -> list[str]:
        return self.shown

    def entry(self, name: str) -> Entry | None:
        column = self.columns.get(name)
        return column[1] if column is not None else None


@dataclass
class RowRelation:
    """Plain rows: a subquery or CTE that was compiled, or VALUES."""

    alias: str | None
    sql_alias: str
    columns: Names[OutColumn]
    text: str = ""  # the FROM item

    def find(self, name: str) -> Found | None:
        column = self.columns.get(name)
        if column is None:
            return None
        bound = column.bound
        key = in_relation(self.sql_alias, column.name)
        return Bound(
            key, bound.kind, frozenset(), True, member=bound.member, growth=bound.growth, narrow=bound.narrow,
            listed=bound.listed, zoned=bound.zoned,
        )  # fmt: skip

    def names(self) -> Iterator[str]:
        return iter(self.columns)

    def star(self) -> list[str]:
        return list(self.columns)

    def entry(self, name: str) -> Entry | None:
        column = self.columns.get(name)
        return column.entry if column is not None else None
