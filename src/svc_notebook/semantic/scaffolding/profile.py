"""Looking at the values: how many, how many different, how large, and whether they are something in disguise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct

from ...records import dataclass
from ..naming import words_of
from .flags import says_whether
from .reading import Looker, quoted
from .readings import ONE_OR_NOUGHT, Reading, is_whole, number_reading, reading_of_text, text_tests
from .tables import Column, Table

__all__ = ["ColumnProfile", "TableProfile", "included", "kind_of", "profile_table"]

_MANY_ROWS, _SAMPLE = 2_000_000, 1000
# Fewer numbers may be without gaps by chance; below a thousand they may be amounts or ages.
_SOME_NUMBERS, _HIGH_NUMBER, _MISCOUNTED = 50, 1000, 0.03  # the last for counts that are about right
_AT_ONCE = 25  # columns of one query: many different distinct counts at once are slow


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What the values of a column are like; ``reading`` where they are something else than their type says."""

    filled: int
    distinct: int
    low: Any = None
    high: Any = None
    whole: bool = False
    reading: Reading | None = None

    @property
    def flag(self) -> bool:
        """Whether the values are 0 and 1 and nothing else."""
        return self.whole and (self.low, self.high, self.distinct) == (0, 1, 2)

    @property
    def counted_through(self) -> bool:
        """Whether the values are numbers without gaps that begin high, as those of receipts and tickets do."""
        if not self.whole or self.reading is not None or self.distinct < _SOME_NUMBERS or self.low < self.distinct:
            return False
        gaps = self.high - self.low + 1 - self.distinct
        return bool(self.low >= _HIGH_NUMBER and abs(gaps) <= _MISCOUNTED * self.distinct)


class TableProfile(Struct, frozen=True):
    rows: int
    columns: Mapping[str, ColumnProfile]

    def unique(self, column: str) -> bool:
        """Whether a column identifies the rows: filled throughout, every value once."""
        found = self.columns.get(column)
        return found is not None and self.rows > 0 and found.filled == found.distinct == self.rows


def kind_of(physical: str) -> str | None:
    """The dimension type of an engine's type; None for what no dimension can hold."""
    name = physical.upper()
    if name.startswith("DECIMAL") or name in _NUMBERS:
        return "number"
    if name == "BOOLEAN":
        return "boolean"
    if name == "DATE" or name.startswith("TIMESTAMP"):
        return "time"
    if name in ("BLOB", "BIT", "NULL") or name.endswith("]") or name.startswith(("STRUCT", "MAP", "UNION", "LIST")):
        return None
    return "string"


_NUMBERS = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
) | {"FLOAT", "DOUBLE", "REAL"}


def profile_table(looker: Looker, table: Table) -> TableProfile:
    """One pass over a table, some columns at a time."""
    columns = [column for column in table.columns if kind_of(column.physical) is not None]
    place = looker.place(table.name)
    rows = int(looker.rows(f"SELECT count(*) FROM {place}")[0][0])
    # Exact counts of every column hold all their values in memory at once.
    distinct = "approx_count_distinct({})" if rows > _MANY_ROWS else "count(DISTINCT {})"
    profiles: dict[str, ColumnProfile] = {}
    for some in _some(columns):
        asked = [part for column in some for part in _asked(column, distinct)]
        found = iter(looker.rows(f"SELECT {', '.join(asked)} FROM {place}")[0])
        profiles |= {column.name: _profile(column, found) for column in some}
    texts = [column for column in columns if kind_of(column.physical) == "string"]
    for name, reading in _readings(looker, place, texts).items():
        profiles[name] = replace(profiles[name], reading=reading)
    for name, profile in profiles.items():
        if profile.whole and profile.reading is not None and not _reads(looker, place, name, profile):
            # One value that cannot be read would be lost in the model: then the column stays as it is.
            profiles[name] = replace(profile, reading=None)
    return TableProfile(rows, profiles)


def _reads(looker: Looker, place: str, name: str, profile: ColumnProfile) -> bool:
    """Whether every value can be read as it is thought to be."""
    sql = profile.reading.sql(quoted(name)) if profile.reading is not None else quoted(name)
    return int(looker.rows(f"SELECT count({sql}) FROM {place}")[0][0]) == profile.filled


def _some(columns: list[Column]) -> Iterator[list[Column]]:
    return (columns[start : start + _AT_ONCE] for start in range(0, len(columns), _AT_ONCE))


def _asked(column: Column, distinct: str) -> list[str]:
    name = quoted(column.name)
    # As doubles: decimals would come as Decimal, which does not compare with the bounds.
    extremes = [f"min({name})::DOUBLE", f"max({name})::DOUBLE"] if kind_of(column.physical) == "number" else []
    return [f"count({name})", distinct.format(name), *extremes]


def _profile(column: Column, found: Iterator[Any]) -> ColumnProfile:
    filled, different = int(next(found)), int(next(found))
    if kind_of(column.physical) != "number":
        return ColumnProfile(filled, different)
    low, high, whole = next(found), next(found), is_whole(column.physical)
    words = [word.lower() for word in words_of(column.name)]
    reading = number_reading(words, low, high, whole=whole) if filled else None
    if reading is None and (low, high, different) == (0, 1, 2) and says_whether(words):
        reading = ONE_OR_NOUGHT
    return ColumnProfile(filled, different, low, high, whole, reading)


def _readings(looker: Looker, place: str, columns: list[Column]) -> dict[str, Reading]:
    """Text columns that are dates or numbers throughout; looked at in full only if a sample fits."""
    # Some forty tests for each column of text are many over millions of rows.
    sampled = _readings_in(looker, f"(SELECT * FROM {place} LIMIT {_SAMPLE})", columns)
    return _readings_in(looker, place, [column for column in columns if column.name in sampled])


def _readings_in(looker: Looker, source: str, columns: list[Column]) -> dict[str, Reading]:
    readings: dict[str, Reading] = {}
    for some in _some(columns):
        asked = [part for c in some for part in text_tests(f"CAST({quoted(c.name)} AS VARCHAR)")]
        found = iter(looker.rows(f"SELECT {', '.join(asked)} FROM {source}")[0])
        for column in some:
            reading = reading_of_text(found.__next__)
            if reading is not None:
                readings[column.name] = reading
    return readings


def included(looker: Looker, child: tuple[str, str], parent: tuple[str, str], *, as_text: bool = False) -> float:
    """The share of the child column's different values that the parent column has; 1 if there are none."""
    (table, column), (other, key) = child, parent
    # Times of the day and identifiers of a type of their own do not compare with text.
    held, known = (f"CAST({quoted(c)} AS VARCHAR)" if as_text else quoted(c) for c in (column, key))
    values = f"SELECT DISTINCT {held} AS v FROM {looker.place(table)} WHERE {quoted(column)} IS NOT NULL"
    known = f"SELECT {known} FROM {looker.place(other)} WHERE {quoted(key)} IS NOT NULL"
    rows = looker.rows(f"WITH held AS ({values}) SELECT count(*), count(*) FILTER (WHERE v IN ({known})) FROM held")
    total, held = rows[0]
    return held / total if total else 1.0
