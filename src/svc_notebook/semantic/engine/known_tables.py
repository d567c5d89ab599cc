"""The tables and views that a database has, and which of them a name in the model means."""

from __future__ import annotations

import duckdb

from ..errors import UnknownPlace
from .base import TableName

__all__ = ["KnownTables"]


class KnownTables:
    """What a DuckDB instance holds as it is opened; ``catalog`` is where the data lies."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, catalog: str) -> None:
        self._catalog = catalog
        self._places: dict[str, list[tuple[str, str]]] = {}  # of a table's name in lower case: catalog and schema
        rows = cursor.execute(
            "SELECT database_name, schema_name, table_name FROM duckdb_tables() WHERE NOT internal "
            "UNION SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
        ).fetchall()
        for found, schema, table in rows:
            self._places.setdefault(table.lower(), []).append((found, schema))
        schemas = cursor.execute(
            "SELECT database_name, schema_name FROM duckdb_schemas() WHERE NOT internal"
        ).fetchall()
        held = {(found, schema) for found, schema, _ in rows} | {(catalog, "main")}
        self._schemas = held | {place for place in schemas if place[0] == catalog}

    def qualify(self, schema: str | None, table: str, catalog: str | None = None) -> TableName:
        """See :meth:`Engine.qualify`."""
        self._refuse_unknown(schema, table, catalog)
        found = [
            place
            for place in self._places.get(table.lower(), ())
            if (schema is None or _same(place[1], schema)) and (catalog is None or _same(place[0], catalog))
        ]
        # DuckDB's own order: the data's catalog before others, and in it the schema main.
        found.sort(key=lambda place: (place[0] != self._catalog, place[1] != "main"))
        where = found[0] if found else (catalog or self._catalog, schema or "main")
        return TableName(*where, table)

    def _refuse_unknown(self, schema: str | None, table: str, catalog: str | None) -> None:
        """Another schema in the place of one that is not there may hold another tenant's rows."""
        if catalog is not None and not any(_same(place[0], catalog) for place in self._schemas):
            short = ".".join(part for part in (schema, table) if part)
            raise UnknownPlace(f"there is no database '{catalog}'; if the data that is open is meant, write '{short}'")
        inside = [place for place in self._schemas if catalog is None or _same(place[0], catalog)]
        if schema is not None and not any(_same(place[1], schema) for place in inside):
            known = ", ".join(sorted({place[1] for place in inside}))
            elsewhere = sorted(place[1] for place in self._places.get(table.lower(), ()) if place in inside)
            hint = f"; if the table in '{elsewhere[0]}' is meant, write '{elsewhere[0]}.{table}'" if elsewhere else ""
            raise UnknownPlace(f"there is no schema '{schema}' (there is {known}){hint}")


def _same(one: str, other: str) -> bool:
    return one.lower() == other.lower()
