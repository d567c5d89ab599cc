"""The tables and views that a database has, and which of them a name in the model means."""

from __future__ import annotations

import duckdb

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

    def qualify(self, schema: str | None, table: str, catalog: str | None = None) -> TableName:
        """See :meth:`Engine.qualify`."""
        places = self._places.get(table.lower(), [])
        if catalog is not None and any(p[0].lower() == catalog.lower() for of in self._places.values() for p in of):
            places = [p for p in places if p[0].lower() == catalog.lower()]
        found = [p for p in places if schema is None or p[1].lower() == schema.lower()]
        if not found and not any(p[1].lower() == str(schema).lower() for of in self._places.values() for p in of):
            found = [p for p in places if p[1] == "main"]
        found.sort(key=lambda place: (place[0] != self._catalog, place[1] != "main"))
        catalog, where = found[0] if found else (self._catalog, schema or "main")
        return TableName(catalog, where, table)
