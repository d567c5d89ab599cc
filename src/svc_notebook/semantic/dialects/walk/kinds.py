"""The kinds of values as DuckDB has them, and which one two of them meet in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from msgspec import Struct

from ....records import dataclass
from .refusal import Unsaid

__all__ = [
    "BOOL", "DATE", "FLOAT8", "HUGE", "INT4", "INT8", "INTERVAL", "NULL", "NUMERIC", "TEXT", "TIMESTAMP",
    "TIMESTAMPTZ", "Kind", "Span", "Value", "together",
]  # fmt: skip

_IN_DUCKDB = {
    "int4": "INTEGER", "int8": "BIGINT", "huge": "HUGEINT", "float8": "DOUBLE", "text": "VARCHAR", "bool": "BOOLEAN",
    "date": "DATE", "time": "TIME", "timestamp": "TIMESTAMP", "timestamptz": "TIMESTAMP WITH TIME ZONE",
    "interval": "INTERVAL", "null": '"NULL"',
}  # fmt: skip
_WHOLE = ("int4", "int8", "huge")
_RANKS = {name: rank for rank, name in enumerate((*_WHOLE, "numeric", "float8"))}


class Kind(Struct, frozen=True):
    """A kind of value; ``scale`` is how many decimals a ``numeric`` has, None where nobody knows.

    ``item`` is what a ``list`` holds.
    """

    name: str
    scale: int | None = None
    precision: int | None = None
    item: Kind | None = None

    @property
    def duckdb(self) -> str:
        """DuckDB's name."""
        if self.item is not None:
            return f"{self.item.duckdb}[]"
        if self.name == "numeric":
            # Nine, as DuckDB's LONG_DECIMAL, where nobody knows.
            return f"DECIMAL({self.precision or 38},{9 if self.scale is None else self.scale})"
        return _IN_DUCKDB[self.name]

    @property
    def group(self) -> str:
        """Its name, or ``whole`` for whole numbers of any size."""
        return "whole" if self.is_whole else self.name

    def meets(self, other: Kind) -> bool:
        """Whether a value of this kind is one of the other as it stands."""
        # Of numerics the scale counts as well: a value of two decimals is none of one.
        return self == other or (self.name == other.name and self.name != "numeric" and self.item == other.item)

    @property
    def is_whole(self) -> bool:
        return self.name in _WHOLE

    @property
    def is_exact(self) -> bool:
        """A number that is counted, not measured."""
        return self.name in _WHOLE or self.name == "numeric"

    @property
    def is_number(self) -> bool:
        return self.name in _RANKS

    @property
    def decimals(self) -> int | None:
        return 0 if self.name in _WHOLE else self.scale


INT4, INT8, HUGE, FLOAT8, NUMERIC = Kind("int4"), Kind("int8"), Kind("huge"), Kind("float8"), Kind("numeric")
TEXT, BOOL, DATE, INTERVAL, NULL = Kind("text"), Kind("bool"), Kind("date"), Kind("interval"), Kind("null")
TIMESTAMP, TIMESTAMPTZ = Kind("timestamp"), Kind("timestamptz")


@dataclass(frozen=True, slots=True)
class Value:
    """An expression in the engine's SQL (an operand wherever it stands), its kind, and its value if it is constant."""

    sql: str
    kind: Kind
    constant: Any = None

    def called(self, kind: Kind) -> Value:
        """The same of a kind that it has already."""
        return replace(self, kind=kind)


class Span(Struct, frozen=True):
    """The constant of an interval: months have no length, what is shorter is counted in microseconds."""

    months: int = 0
    micros: int = 0

    def __neg__(self) -> Span:
        return Span(-self.months, -self.micros)


def together(kinds: Iterable[Kind]) -> Kind:
    """The kind of a column, or of a choice, whose values are of these kinds.

    Raises
    ------
    Unsaid
        If there is none.
    """
    found = NULL
    for kind in kinds:
        found = _pair(found, kind)
    return found


def _pair(one: Kind, other: Kind) -> Kind:
    if one == other or other.name == "null":
        return one
    if one.name == "null":
        return other
    if one.is_number and other.is_number:
        wider = max(one, other, key=lambda kind: _RANKS[kind.name])
        # A whole number beside a numeric has its decimals; beside a double both are doubles.
        if wider.name != "numeric":
            return wider
        known = one.decimals is not None and other.decimals is not None
        return Kind("numeric", max(one.decimals or 0, other.decimals or 0) if known else None)
    if {one.name, other.name} == {"date", "timestamp"}:
        return TIMESTAMP
    if TEXT in (one, other) and "list" not in (one.name, other.name):
        return TEXT
    raise Unsaid(f"a {one.duckdb} and a {other.duckdb} in one column")
