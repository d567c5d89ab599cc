"""What a query gave and what is known of it: columns with their cells, how they are sorted and cut, what is missing."""

from __future__ import annotations

import operator
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from ....records import dataclass
from ...charts import ChartColumn
from .figures import label, number, numbers
from .intervals import Spread

__all__ = ["Outcome", "Telling"]

_LEAST = 10  # rows of a group below which its average says little, among groups of many
_FEW = 30
_TINY = 0.01
_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True)
class Telling:
    """An answer in words: what it comes to in a few (the title of its chart), and its sentences."""

    headline: str
    sentences: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """A result.

    Attributes
    ----------
    what
        What it shows, as its title says.
    rules
        Which rows it is about, in words that follow them: `` in March 2023, where status is delivered``.
    none
        Whose rows a number per thing does not count: those that have none.
    about
        The same without what the groups say themselves: what has to be said beside them.
    ranked
        Whether it is sorted by its first number: ``highest``, ``lowest`` first, or not (empty).
    by
        Of rows: the column that tells which one each is, and the one that they are sorted by first.
    limit, per
        How many rows were asked for, and whether so many of each group.
    skipped
        How many are before the first that is shown.
    span
        The first and last moment of the data, where a group or the question is about time.
    sizes
        How many rows of the data each row of the result is made of, where that was asked for.
    spreads
        How the values lie that each of two means is made of.
    beyond
        Which rule no row can meet, since its number never comes to as much.
    shared
        How many of those that the groups name have names of others.
    known
        How many rows have the value that an average is made of, of how many, where many have none.
    claim
        What a yes-or-no question says: a sign and two groups, or a sign and a bound of the only number.
    days
        How many days of the data each row is about, where the groups are of time.
    asked
        Where the period begins and ends (half-open) that was asked for of the time that groups are of.
    chosen
        Whether some periods were asked for and not those between them, which lack no rows.
    """

    columns: tuple[ChartColumn, ...]
    what: str = ""
    rules: str = ""
    shape: Literal["aggregate", "rows", "distinct"] = "aggregate"
    ranked: Literal["", "highest", "lowest"] = ""
    limit: int | None = None
    per: bool = False
    span: tuple[datetime | None, datetime | None] = (None, None)
    timed: str = ""
    sizes: tuple[int, ...] | None = None
    spreads: tuple[Spread, ...] = ()
    claim: tuple[Any, ...] = ()
    about: str = ""
    none: str = ""
    skipped: int = 0
    beyond: str = ""
    shared: str = ""
    known: tuple[int, int] | None = None
    by: tuple[int, int] | None = None
    days: tuple[float, ...] | None = None
    asked: tuple[datetime | None, datetime | None] = (None, None)
    chosen: bool = False

    @property
    def rows(self) -> int:
        return len(self.columns[0].cells or ()) if self.columns else 0

    @property
    def groups(self) -> list[ChartColumn]:
        return [column for column in self.columns if not column.measured]

    @property
    def measures(self) -> list[ChartColumn]:
        """The numbers, what was asked to be computed over the groups first."""
        found = [column for column in self.columns if column.measured]
        return sorted(found, key=lambda column: not column.computed)

    @property
    def so(self) -> bool | None:
        """Whether the only number is what is claimed of it; None where nothing is."""
        value = number((self.measures[0].cells or (None,))[0]) if len(self.claim) == 2 else None
        return None if value is None else _HOLDS[self.claim[0]](value, self.claim[1])

    @property
    def noun(self) -> str:
        """What the groups are called: ``carriers``."""
        return self.groups[0].noun if len(self.groups) == 1 else "groups"

    @property
    def first(self) -> Outcome | None:
        """Of rows that are ranked, what they are called and the number they are ranked by."""
        if not (self.ranked and self.shape == "rows" and self.by is not None):
            return None
        name, ranked = (self.columns[place] for place in self.by)
        if name is ranked or self.rows < 2:
            return None
        cells = tuple(f"{name.title} {cell}" if str(cell).isdigit() else cell for cell in name.cells or ())
        name = replace(name, measured=False, noun="rows", kind="category", cells=cells)
        ranked = replace(ranked, measured=True, format="id" if ranked.grain == "year" else ranked.format)
        return replace(self, columns=(name, ranked), shape="aggregate")

    @cached_property
    def labels(self) -> list[str]:
        """What each row is called."""
        cells = [[label(group, cell) for cell in group.cells or ()] for group in self.groups]
        return [" / ".join(row) for row in zip(*cells, strict=True)]

    @cached_property
    def nameless(self) -> set[int]:
        """Rows whose group is missing."""
        return {row for group in self.groups for row, cell in enumerate(group.cells or ()) if cell is None}

    @cached_property
    def small(self) -> set[int]:
        """Rows made of too few rows of the data to be compared with the others."""
        if not self.sizes:
            return set()
        middle = sorted(self.sizes)[len(self.sizes) // 2]
        few = [
            row for row, size in enumerate(self.sizes)
            if size < _LEAST <= middle / 2 or size < _FEW and size < _TINY * middle
        ]  # fmt: skip
        return set(few) if len(few) < len(self.sizes) else set()

    def comparable(self, column: ChartColumn) -> list[tuple[float, int]]:
        """The numbers of a column that can be compared, each with its row."""
        left = self.nameless | self.small
        found = [(n, row) for row, n in enumerate(numbers(column)) if n is not None]
        return [pair for pair in found if pair[1] not in left] or found
