"""What a PostgreSQL database holds that its role may read: tables, columns, keys, collations, what the role may do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from ....records import dataclass
from ...dialects.postgres import Kind, PhysicalColumn, Traits
from ...dialects.postgres.names import type_name
from ...errors import UnknownPlace
from ..base import TableName

__all__ = ["COLUMNS", "SETTINGS", "Catalog", "traits_of"]

COLUMNS = (
    "SELECT n.nspname::text, c.relname::text, a.attname::text, COALESCE(b.typname, t.typname)::text, "
    "CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END::integer, "
    "COALESCE(b.typtype, t.typtype)::text, COALESCE(e.typname, '')::text, "
    "COALESCE((SELECT l.collname FROM pg_collation l WHERE l.oid = a.attcollation), '')::text "
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid "
    "JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype "
    "LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' "
    "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped "
    "AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%' "
    "AND has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT') "
    "ORDER BY 1, 2, a.attnum"
)
SETTINGS = (
    "SELECT current_database()::text, CASE d.datlocprovider WHEN 'c' THEN d.datcollate::text ELSE 'another' END, "
    "pg_encoding_to_char(d.encoding)::text, "
    "(SELECT l.collname::text FROM pg_collation l "
    " WHERE (l.collprovider = 'c' AND l.collname ~* '^(C|en_US)\\.utf-?8$') "
    " OR l.collname = 'und-x-icu' ORDER BY l.collname <> 'C.utf8', l.collname LIKE '%icu', l.collname LIMIT 1), "
    "(SELECT r.rolsuper OR EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    " WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' "
    " AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) "
    " FROM pg_roles r WHERE r.rolname = current_user), "
    "current_setting('server_version_num')::integer "
    "FROM pg_database d WHERE d.datname = current_database()"
)
_PLAIN = {
    "int4": Kind("int4"), "int8": Kind("int8"), "float8": Kind("float8"), "bool": Kind("bool"), "date": Kind("date"),
    "timestamp": Kind("timestamp"), "timestamptz": Kind("timestamptz"), "interval": Kind("interval"),
    "time": Kind("time"),
}  # fmt: skip
_CAST = {"int2": Kind("int4"), "float4": Kind("float8"), "oid": Kind("int8")}
_TEXTS = ("text", "varchar")
# Compared byte by byte, as DuckDB does; any other orders and compares by a language.
_BYTEWISE = ("C", "POSIX", "ucs_basic", "C.utf8", "C.UTF-8")


def traits_of(collation: str, letters: str | None) -> Traits:
    """How texts are compared in a database of this collation."""
    return Traits(collate=collation.replace("C.UTF-8", "C.utf8") not in ("C", "POSIX", "C.utf8"), letters=letters)


@dataclass
class Catalog:
    """The tables as they were when the engine was opened."""

    database: str
    traits: Traits
    _tables: dict[tuple[str, str], list[PhysicalColumn]] = field(default_factory=dict)
    _places: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Columns as :data:`COLUMNS` gives them."""
        for schema, table, name, kind, size, family, item, collation in rows:
            place = (schema, table)
            if place not in self._tables:
                self._tables[place] = []
                self._places.setdefault(table.lower(), []).append(place)
            self._tables[place].append(_column(name, kind, size, family, item, collation, self.traits))

    def columns(self, schema: str, table: str) -> Sequence[PhysicalColumn] | None:
        """The columns of a table; None if there is no such table."""
        found = self._tables.get((schema, table))
        if found is None:  # DuckDB's names know no case
            near = [p for p in self._places.get(table.lower(), ()) if p[0].lower() == schema.lower()]
            found = self._tables[near[0]] if len(near) == 1 else None
        return found

    def own_name(self, schema: str, table: str) -> tuple[str, str]:
        """Schema and table in their own spelling."""
        if (schema, table) in self._tables:
            return schema, table
        near = [p for p in self._places.get(table.lower(), ()) if p[0].lower() == schema.lower()]
        return near[0] if len(near) == 1 else (schema, table)

    def qualify(self, schema: str | None, table: str, catalog: str | None) -> TableName:
        """See :meth:`Engine.qualify`; a bare name that several schemas have means that of ``public``."""
        if catalog is not None and catalog.lower() != self.database.lower():
            raise UnknownPlace(f"there is no database '{catalog}' here; this one is '{self.database}'")
        known = sorted({place[0] for place in self._tables})
        if schema is not None:
            if schema.lower() not in {name.lower() for name in known}:
                raise UnknownPlace(f"there is no schema '{schema}' with tables to read (there is {', '.join(known)})")
            return TableName(self.database, *self.own_name(schema, table))
        places = self._places.get(table.lower(), [])
        exact = [place for place in places if place[1] == table] or places
        if len(exact) > 1 and not any(place[0] == "public" for place in exact):
            named = ", ".join(f"{place[0]}.{place[1]}" for place in exact)
            raise UnknownPlace(f"the table '{table}' is in several schemas: write one of {named}")
        home = next((place for place in exact if place[0] == "public"), exact[0] if exact else ("public", table))
        return TableName(self.database, *home)

    def described(self) -> Mapping[str, Mapping[str, str]]:
        """See :meth:`Engine.describe`."""
        return {
            table if schema == "public" else f"{schema}.{table}": {c.name: c.kind.duckdb for c in columns}
            for (schema, table), columns in self._tables.items()
        }


def _column(name: str, kind: str, size: int, family: str, item: str, collation: str, traits: Traits) -> PhysicalColumn:
    plain = _PLAIN.get(kind)
    if plain is not None:
        return PhysicalColumn(name, plain)
    if kind in _CAST:
        return PhysicalColumn(name, _CAST[kind], f"CAST({{}} AS {type_name(_CAST[kind])})")
    if kind == "numeric":
        # How PostgreSQL packs both into one number (numeric_typmod); -1 where none were declared.
        precision, scale = ((size - 4) >> 16 & 0xFFFF, size - 4 & 0x7FF) if size >= 4 else (None, None)
        return PhysicalColumn(name, Kind("numeric", scale, precision))
    if item:
        return _list(name, item)
    bytewise = collation in _BYTEWISE or (collation in ("default", "") and not traits.collate)
    if kind in _TEXTS and family == "b":
        return PhysicalColumn(name, Kind("text"), None if bytewise else '{} COLLATE "C"')
    text = "encode({}, 'hex')" if kind == "bytea" else "CAST({} AS text)"
    return PhysicalColumn(name, Kind("text"), text if not traits.collate else f'{text} COLLATE "C"')


def _list(name: str, item: str) -> PhysicalColumn:
    kind = {**_PLAIN, **_CAST}.get(item, Kind("text"))
    return PhysicalColumn(name, Kind("list", item=kind), f"CAST({{}} AS {type_name(kind)}[])")
