"""Filters as they came out for one asker, without that asker: so that they can be worked out for another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeAlias

from ...records import dataclass
from ..context import SecurityContext
from ..model import Filter, FilterGroup
from ..policies.policy import RowRule
from ..policies.row_filters import FilterOutcome, FilterWriter

__all__ = ["Differs", "Filtered", "Telling"]

Column: TypeAlias = Callable[[str], tuple[str, str]]


class Differs(Exception):
    """For this asker it is another query."""


@dataclass(slots=True, eq=False)
class Filtered:
    """Filters and what they came to, without the asker's values: how they were asked, and which placeholders they have.

    ``shareable`` becomes false where a value is no text: what other types are compared with may depend on them.
    """

    filters: tuple[Filter | FilterGroup, ...]
    columns: dict[str, tuple[str, str]] = field(default_factory=dict)
    seen: dict[str, bool] = field(default_factory=dict)
    sql: str = ""
    notes: tuple[str, ...] = ()
    names: list[str] = field(default_factory=list)
    shareable: bool = True

    def write(
        self, asker: SecurityContext, column: Column, sees: Callable[[str], bool], bind: Callable[[Any], str]
    ) -> FilterOutcome:
        """What they come to for one asker, for the first time."""

        def noted_column(member: str) -> tuple[str, str]:
            found = column(member)
            self.columns[member] = str(found[0]), found[1]  # the text alone: what it was made of is not kept
            return found

        def noted_sight(member: str) -> bool:
            found = self.seen[member] = sees(member)
            return found

        def noted(value: Any) -> str:
            self.shareable = self.shareable and type(value) is str
            name = bind(value)
            self.names.append(name[1:])
            return name

        outcome = FilterWriter(asker, noted_column, noted, noted_sight).all_of(self.filters)
        self.sql, self.notes = str(outcome.sql), tuple(outcome.notes)
        return outcome

    def again(self, asker: SecurityContext, values: dict[str, str]) -> FilterOutcome:
        """What they come to for another one, whose ``values`` are added by placeholder.

        Raises
        ------
        Differs
            If that is something else.
        """
        names = iter(self.names)

        def bind(value: Any) -> str:
            name = next(names, None)
            if name is None or type(value) is not str or values.setdefault(name, value) != value:
                raise Differs
            return f"${name}"

        try:
            outcome = FilterWriter(asker, self.columns.__getitem__, bind, self.seen.__getitem__).all_of(self.filters)
        except KeyError:
            raise Differs from None
        if outcome.sql != self.sql or tuple(outcome.notes) != self.notes or next(names, None) is not None:
            raise Differs
        return outcome


@dataclass(frozen=True, slots=True, eq=False)
class Telling:
    """What a row filter is told by: the rule, its filters, whose it is and what the asker calls that."""

    rule: RowRule
    filtered: tuple[Filtered, ...]
    relation: str
    shown: str
