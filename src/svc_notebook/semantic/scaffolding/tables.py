"""What is known of the tables before a model is made of them: names, types, keys, joins; by description or by look."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...records import dataclass

__all__ = ["Column", "Database", "KnownJoin", "Table", "read_description"]

_log = logging.getLogger(__name__)
_TYPES = {
    "string": "VARCHAR", "text": "VARCHAR", "number": "DOUBLE", "integer": "BIGINT", "boolean": "BOOLEAN",
    "time": "TIMESTAMP", "date": "DATE", "datetime": "TIMESTAMP", "timestamp": "TIMESTAMP",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """``kind`` is the dimension type, ``physical`` the engine's type."""

    name: str
    physical: str
    label: str | None = None
    description: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """``name`` as the engine knows it, ``schema.table`` outside the default schema."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    label: str | None = None
    description: str | None = None

    def column(self, name: str) -> Column | None:
        return next((c for c in self.columns if c.name.lower() == name.lower()), None)


class KnownJoin(Struct, frozen=True):
    """Columns that refer to columns; ``relationship`` (from → to) where it is known."""

    from_table: str
    from_columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]
    relationship: str | None = None


@dataclass(frozen=True, slots=True)
class Database:
    tables: tuple[Table, ...]
    joins: tuple[KnownJoin, ...] = ()
    declared_joins: bool = False  # joins are given, none are to be guessed

    def table(self, name: str) -> Table | None:
        """A table by name; its schema may be left out where that leaves no doubt."""
        wanted = name.lower()
        # Descriptions by hand seldom name the schema.
        bare = [t for t in self.tables if t.name.lower().rpartition(".")[2] == wanted]
        exact = next((t for t in self.tables if t.name.lower() == wanted), None)
        return exact if exact is not None else bare[0] if len(bare) == 1 else None


def read_description(given: Mapping[str, Any]) -> Database:
    """A neutral description: ``{"tables": [{"name", "columns": [{"name", "type", …}], "primary_key"}], "joins": […]}``.

    Raises
    ------
    ValueError
        If a table or column has no name. A join that names what is not there is left out, and logged.
    """
    tables = tuple(_table(item) for item in given.get("tables", ()))
    database = Database(tables)
    joins = [(item, _join(item, database)) for item in given.get("joins") or ()]
    lost = [item for item, join in joins if join is None]
    for item in lost:
        _log.warning("left out a join that names a table or column that is not there: %s", dict(item))
    known = [join for _, join in joins if join is not None]
    # An empty list of joins says that there are none.
    return Database(tables, (*known, *_meeting(lost, database, known)), declared_joins="joins" in given)


def _meeting(lost: Sequence[Mapping[str, Any]], database: Database, known: Sequence[KnownJoin]) -> list[KnownJoin]:
    """Joins of tables that refer to the same column that is not there: one of them has it as its whole key."""
    referring: dict[tuple[str, str], list[tuple[Table, str]]] = {}
    for item in lost:
        table = database.table(str(item.get("from_table")))
        columns = _names(item.get("from_columns") or item.get("from_column"))
        target = (str(item.get("to_table")).lower(), str(item.get("to_column")).lower())
        if table is not None and len(columns) == 1 and (column := table.column(columns[0])) is not None:
            referring.setdefault(target, []).append((table, column.name))
    linked = {frozenset((join.from_table, join.to_table)) for join in known}
    found = []
    for sides in referring.values():
        one = next(((table, name) for table, name in sides if table.primary_key == (name,)), None)
        for table, name in sides:
            if one is not None and table is not one[0] and frozenset((table.name, one[0].name)) not in linked:
                found.append(KnownJoin(table.name, (name,), one[0].name, (one[1],), "many_to_one"))
    return found


def _table(given: Mapping[str, Any]) -> Table:
    if not given.get("name"):
        raise ValueError("a table of the description has no name")
    name = f"{given['schema']}.{given['name']}" if given.get("schema") else str(given["name"])
    columns = tuple(_column(item, name) for item in given.get("columns", ()))
    declared = _names(given.get("primary_key")) or tuple(
        str(item["name"]) for item in given.get("columns", ()) if item.get("primary_key")
    )
    return Table(name, columns, declared, given.get("label"), given.get("description"))


def _column(given: Mapping[str, Any], table: str) -> Column:
    if not given.get("name"):
        raise ValueError(f"a column of table '{table}' has no name")
    kind = str(given.get("type") or "string").lower()
    physical = str(given.get("sql_type") or _TYPES.get(kind, "VARCHAR"))
    return Column(
        str(given["name"]),
        physical,
        given.get("label"),
        given.get("description"),
        kind if kind in ("string", "number", "boolean", "time") else None,
    )


def _join(given: Mapping[str, Any], database: Database) -> KnownJoin | None:
    ends: list[tuple[str, tuple[str, ...]]] = []
    for end in ("from", "to"):
        table = database.table(str(given.get(f"{end}_table")))
        columns = _names(given.get(f"{end}_columns") or given.get(f"{end}_column"))
        if table is not None and len(columns) == 1 and table.column(columns[0]) is None:
            columns = tuple(part.strip() for part in columns[0].split(","))  # "a,b" for a key of two columns
        if table is None or not columns or any(table.column(name) is None for name in columns):
            return None
        ends.append((table.name, tuple(c.name for name in columns if (c := table.column(name)) is not None)))
    if len(ends[0][1]) != len(ends[1][1]):
        return None
    return KnownJoin(ends[0][0], ends[0][1], ends[1][0], ends[1][1], given.get("relationship"))


def _names(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(str(item) for item in given) if isinstance(given, Sequence) else ()
