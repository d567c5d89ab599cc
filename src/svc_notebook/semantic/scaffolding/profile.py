"""Looking at the values: how many, how many different, how large, and whether a text is a date in disguise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .reading import Looker, quoted
from .tables import Column, Table

__all__ = ["ColumnProfile", "TableProfile", "included", "kind_of", "profile_table"]

_MANY_ROWS, _SAMPLE = 2_000_000, 1000
_ISO = r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?"
_COMMA = r"[-+]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?"
_PROOF = r".*,(\d{1,2}|\d{4,})"  # three digits after a comma may be thousands
_DATE_FORMATS = ("%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y %H:%M", "%Y%m%d %H:%M:%S")


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What the values of a column are like.

    ``time_format`` is set for text that is dates (``"iso"`` or a pattern) or numbers with decimal commas (``"comma"``).
    """

    filled: int
    distinct: int
    low: Any = None
    high: Any = None
    time_format: str | None = None


@dataclass(frozen=True, slots=True)
class TableProfile:
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
    """One pass over a table."""
    columns = [column for column in table.columns if kind_of(column.physical) is not None]
    place = looker.place(table.name)
    rows = int(looker.rows(f"SELECT count(*) FROM {place}")[0][0])
    distinct = "approx_count_distinct" if rows > _MANY_ROWS else "count(DISTINCT"
    asked = [part for column in columns for part in _asked(column, distinct)]
    if not asked:
        return TableProfile(rows, {})
    found = list(looker.rows(f"SELECT {', '.join(asked)} FROM {place}")[0])
    formats = _time_formats(looker, place, [c for c in columns if kind_of(c.physical) == "string"])
    profiles: dict[str, ColumnProfile] = {}
    for column in columns:
        kind = kind_of(column.physical)
        filled, different = int(found.pop(0)), int(found.pop(0))
        low, high = (found.pop(0), found.pop(0)) if kind == "number" else (None, None)
        profiles[column.name] = ColumnProfile(filled, different, low, high, formats.get(column.name))
    return TableProfile(rows, profiles)


def _asked(column: Column, distinct: str) -> list[str]:
    name = quoted(column.name)
    parts = [f"count({name})", f"{distinct} {name})" if distinct.endswith("DISTINCT") else f"{distinct}({name})"]
    kind = kind_of(column.physical)
    if kind == "number":
        parts += [f"min({name})::DOUBLE", f"max({name})::DOUBLE"]
    return parts


def _time_formats(looker: Looker, place: str, columns: list[Column]) -> dict[str, str]:
    """Text columns that are dates throughout, with the way to read them; looked at in full only if a sample fits."""
    sampled = _formats_in(looker, f"(SELECT * FROM {place} LIMIT {_SAMPLE})", columns)
    return _formats_in(looker, place, [column for column in columns if column.name in sampled])


def _formats_in(looker: Looker, source: str, columns: list[Column]) -> dict[str, str]:
    if not columns:
        return {}
    found = list(looker.rows(f"SELECT {', '.join(part for c in columns for part in _as_dates(c))} FROM {source}")[0])
    formats: dict[str, str] = {}
    for column in columns:
        filled, commas, proofs, *counts = [int(found.pop(0) or 0) for _ in range(len(_DATE_FORMATS) + 4)]
        if filled and commas == filled and proofs:
            formats[column.name] = "comma"
        elif (pattern := _time_format(filled, counts)) is not None:
            formats[column.name] = pattern
    return formats


def _as_dates(column: Column) -> list[str]:
    text = f"CAST({quoted(column.name)} AS VARCHAR)"
    iso = f"regexp_full_match({text}, '{_ISO}') AND TRY_CAST({text} AS TIMESTAMP) IS NOT NULL"
    return [
        f"count({text})",
        f"count(*) FILTER (WHERE regexp_full_match({text}, '{_COMMA}'))",
        f"count(*) FILTER (WHERE regexp_full_match({text}, '{_PROOF}'))",
        f"count(*) FILTER (WHERE {iso})",
        *(f"count(TRY_STRPTIME({text}, '{pattern}'))" for pattern in _DATE_FORMATS),
    ]


def _time_format(filled: int, counts: list[int]) -> str | None:
    """The one way to read all values as dates; None where there is none, or where two would do."""
    if not filled or not counts:
        return None
    if counts[0] == filled:
        return "iso"
    fitting = [pattern for pattern, count in zip(_DATE_FORMATS, counts[1:], strict=True) if count == filled]
    return fitting[0] if len(fitting) == 1 else None


def included(looker: Looker, child: tuple[str, str], parent: tuple[str, str]) -> float:
    """The share of the child column's different values that the parent column has; 1 if there are none."""
    (table, column), (other, key) = child, parent
    values = f"SELECT DISTINCT {quoted(column)} AS v FROM {looker.place(table)} WHERE {quoted(column)} IS NOT NULL"
    known = f"SELECT {quoted(key)} FROM {looker.place(other)} WHERE {quoted(key)} IS NOT NULL"
    rows = looker.rows(f"WITH held AS ({values}) SELECT count(*), count(*) FILTER (WHERE v IN ({known})) FROM held")
    total, held = rows[0]
    return held / total if total else 1.0
