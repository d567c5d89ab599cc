"""What the rules know of a result: its columns by kind, and what the asker said about the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Literal

from ...records import dataclass

__all__ = ["ChartColumn", "ChartRequest", "escape_field", "quoted"]

ColumnKind = Literal["category", "time", "ordinal", "number", "bin"]


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """A result column.

    Attributes
    ----------
    name
        The alias in the result; it becomes the field of an encoding.
    kind
        ``category``, ``time`` (a moment), ``ordinal`` (year numbers, weekdays, small whole numbers), ``number``,
        ``bin`` (lower edges).
    measured
        Whether the column is an aggregate (or the number of a row list), not a grouping.
    grain
        Unit or part of time (``month``, ``weekday``).
    width
        Width of a bin.
    cardinality
        How many different values are expected; 0 when unknown.
    additive
        Whether adding values up means something (counts and sums, not averages): decides stacking and pies.
    unit
        What its numbers are counted in (``minutes``).
    noun
        What its groups are called (``carriers``).
    computed
        Whether it is computed over the groups (a share, a running total).
    running
        Whether each of its numbers holds all before it: the last is the whole.
    cells
        The column's cells, where the result is there.
    order
        The order its groups have by themselves, where they have one.
    partial
        Which of its cells are periods that the data do not cover whole.
    known
        All values a grouping may have, in one order: each keeps its colour whatever a result holds.
    names
        What its numbered groups are called from 1 on, where not in English.
    without
        What rows without a value are called; by itself ``no …``.
    rest
        What smaller groups are called together.
    truth
        What is true and what is false are called.
    steps
        How the head of a column of bins tells their width, where not in English.
    small
        Rows whose number is made of too few rows of the data to be compared.
    whole
        Whether a column of bins counts whole numbers: 5 then stands at 5, not between it and 6.
    """

    name: str
    kind: ColumnKind
    title: str
    measured: bool = False
    grain: str | None = None
    width: float | None = None
    format: str | None = None
    currency: str | None = None
    cardinality: int = 0
    additive: bool = False
    member: str | None = None
    unit: str = ""
    noun: str = "groups"
    computed: bool = False
    running: bool = False
    cells: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)
    known: tuple[str, ...] = field(default=(), compare=False, repr=False)
    order: tuple[str, ...] = ()
    partial: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    without: str = field(default="", compare=False, repr=False)
    rest: str = field(default="other", compare=False, repr=False)
    truth: tuple[str, str] = field(default=("yes", "no"), compare=False, repr=False)
    steps: str = field(default="", compare=False, repr=False)
    small: tuple[int, ...] = field(default=(), compare=False, repr=False)
    whole: bool = field(default=False, compare=False, repr=False)

    def filled(self, cells: Sequence[Any]) -> ChartColumn:
        """The column with the cells of a result, and as many different values as these are."""
        return replace(self, cells=tuple(cells), cardinality=len(set(cells)) or self.cardinality)


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """Everything the rules look at."""

    columns: tuple[ChartColumn, ...]
    title: str = ""
    description: str = ""
    mark: str | None = None
    stacked: bool = False
    horizontal: bool = False
    table: bool = False
    ordered: bool = False
    rows: bool = False
    relate: bool = False
    channels: tuple[tuple[str, str], ...] = ()  # (channel, member)
    subtitle: str = ""
    limited: bool = False
    grouped: bool = False
    panels: bool = False

    def channel_of(self, member: str | None) -> str | None:
        return next((channel for channel, name in self.channels if name == member and member is not None), None)


def escape_field(name: str) -> str:
    """A column name as a Vega-Lite field: ``.``, ``[`` and ``]`` would otherwise be read as a path."""
    for char in ("\\", ".", "[", "]"):
        name = name.replace(char, "\\" + char)
    return name


def quoted(name: str) -> str:
    """A name or text inside single quotes of an expression."""
    return name.replace("\\", "\\\\").replace("'", "\\'")
