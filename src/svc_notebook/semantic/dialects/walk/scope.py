"""What names mean: relations in FROM with their columns, common table expressions, and the queries around."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from msgspec import Struct

from ....records import dataclass
from ...errors import NotPlanned
from .kinds import Kind

__all__ = ["Column", "PhysicalColumn", "Relation", "Scope"]


class PhysicalColumn(Struct, frozen=True):
    """A column of a table: ``read`` is how it is selected (over ``{}``, its quoted name), None as it is."""

    name: str
    kind: Kind
    read: str | None = None


class Column(Struct, frozen=True):
    """A column of a relation as it is referred to, and how it is written."""

    name: str
    sql: str
    kind: Kind


class Relation(Struct):
    """Something in FROM; ``alias`` as its columns are qualified with, written."""

    name: str
    columns: list[Column]

    def column(self, name: str) -> Column | None:
        """By its own spelling, else by any (DuckDB's names know no case)."""
        exact = next((column for column in self.columns if column.name == name), None)
        if exact is not None:
            return exact
        folded = name.lower()
        return next((column for column in self.columns if column.name.lower() == folded), None)


@dataclass(slots=True)
class Scope:
    """The relations of one SELECT, inside the scope of the query around it."""

    relations: list[Relation] = field(default_factory=list)
    outer: Scope | None = None
    merged: set[str] = field(default_factory=set)  # columns joined by USING
    named: Mapping[str, Relation] = field(default_factory=dict)  # common table expressions

    def find(self, name: str, relation: str | None) -> Column:
        """The column of that name.

        Raises
        ------
        NotPlanned
            If there is none, or several.
        """
        scope: Scope | None = self
        while scope is not None:
            found = list(scope._own(name, relation))
            if len(found) > 1 and name.lower() not in scope.merged:
                raise NotPlanned(f"The column '{name[:60]}' of the model's SQL is that of several tables.")
            if found:
                return found[0]
            scope = scope.outer
        raise NotPlanned(f"The column '{name[:60]}' of the model's SQL is in none of its tables.")

    def _own(self, name: str, relation: str | None) -> Iterable[Column]:
        for each in self.relations:
            if relation is None or each.name.lower() == relation.lower():
                column = each.column(name)
                if column is not None:
                    yield column

    def relation(self, name: str) -> Relation:
        for each in self.relations:
            if each.name.lower() == name.lower():
                return each
        raise NotPlanned(f"'{name[:60]}' is none of the tables of the model's SQL.")

    def common(self, name: str) -> Relation | None:
        """The common table expression of that name."""
        scope: Scope | None = self
        while scope is not None:
            if name.lower() in scope.named:
                return scope.named[name.lower()]
            scope = scope.outer
        return None
