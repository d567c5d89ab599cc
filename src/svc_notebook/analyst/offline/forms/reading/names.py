"""Names in SQL as the model's relations and members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from .....records import dataclass
from .....semantic.catalog import Catalog, Member, Relation

__all__ = ["Names", "NoForm"]


class NoForm(ValueError):
    """SQL that no form says; the message tells what of it."""


@dataclass
class Names:
    """The relations and members a text may name, whatever the case of its letters.

    ``tables`` and ``columns`` (by ``table.column``) give the model's names for those of a database, in lower case, for
    SQL that was written over its tables.
    """

    catalog: Catalog
    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _relations(self) -> dict[str, Relation]:
        return {name.lower(): relation for name, relation in self.catalog.relations.items()}

    def relation(self, name: str) -> Relation | None:
        lower = name.lower()
        return self._relations.get(self.tables.get(lower, lower).lower())

    def member(self, relation: Relation, column: str, table: str = "") -> Member | None:
        """The member of a relation that a column of ``table`` means."""
        name = self.columns.get(f"{(table or relation.name).lower()}.{column.lower()}", column)
        found = relation.members.get(name)
        if found is None:
            found = next((m for n, m in relation.members.items() if n.lower() == name.lower()), None)
        return found

    def type_of(self, path: str) -> str:
        """The type of a member: string, number, time, boolean; empty for an unknown one."""
        relation, _, name = path.partition(".")
        known = self.catalog.relations.get(relation)
        member = known.members.get(name) if known is not None else None
        return member.type if member is not None else ""
