"""What a Spark server's catalog holds, and folders of Parquet files beside it: tables and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from .... import patterns as re
from ....records import dataclass
from ...dialects.spark import Kind, PhysicalColumn, Traits
from ...errors import UnknownPlace
from ..base import TableName

__all__ = ["FILES", "Catalog", "column_of"]

FILES = "files"  # the schema of tables that are folders of files
_KINDS = {
    "int": Kind("int4"), "bigint": Kind("int8"), "double": Kind("float8"), "string": Kind("text"),
    "boolean": Kind("bool"), "date": Kind("date"), "timestamp_ntz": Kind("timestamp"), "timestamp": Kind("timestamptz"),
}  # fmt: skip
_CAST = {"tinyint": Kind("int4"), "smallint": Kind("int4"), "float": Kind("float8")}
_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_NAMES = {"int4": "INT", "float8": "DOUBLE"}


def column_of(name: str, kind: str) -> PhysicalColumn:
    """A column by the name of its type in Spark; what is of no kind of ours is read as text."""
    if kind in _KINDS:
        return PhysicalColumn(name, _KINDS[kind])
    if kind in _CAST:
        return PhysicalColumn(name, _CAST[kind], f"CAST({{}} AS {_NAMES[_CAST[kind].name]})")
    if found := _DECIMAL.fullmatch(kind):
        return PhysicalColumn(name, Kind("numeric", int(found[2]), int(found[1])))
    item = kind.removeprefix("array<").removesuffix(">")
    if kind.startswith("array<") and item in _KINDS:
        return PhysicalColumn(name, Kind("list", item=_KINDS[item]))
    if kind.startswith("string collate"):
        # By way of its bytes, which takes the collation off: texts are compared byte by byte here.
        return PhysicalColumn(name, Kind("text"), "CAST(CAST({} AS BINARY) AS STRING)")
    nested = kind.startswith(("array<", "map<", "struct<", "variant"))
    text = "lower(hex({}))" if kind == "binary" else "to_json({})" if nested else "CAST({} AS STRING)"
    return PhysicalColumn(name, Kind("text"), text)


@dataclass
class Catalog:
    """The tables as they were when the engine was opened.

    Attributes
    ----------
    name
        Of the server's catalog.
    default
        The schema whose tables go by their names alone.
    views
        How a table of files is written, by its name.
    """

    name: str
    default: str
    views: Mapping[str, str] = field(default_factory=dict)
    _tables: dict[tuple[str, str], list[PhysicalColumn]] = field(default_factory=dict)

    def add(self, schema: str, table: str, columns: list[PhysicalColumn]) -> None:
        self._tables[(schema, table)] = columns

    @property
    def traits(self) -> Traits:
        """What the dialect has to know."""
        return Traits(self.name, {(FILES, table): view for table, view in self.views.items()})

    def columns(self, schema: str, table: str) -> Sequence[PhysicalColumn] | None:
        """The columns of a table; None if there is no such table."""
        return self._tables.get(self._own(schema or self.default, table))

    def _own(self, schema: str, table: str) -> tuple[str, str]:
        """Schema and table in their own spelling: DuckDB's names know no case."""
        if (schema, table) in self._tables:
            return schema, table
        near = [p for p in self._tables if (p[0].lower(), p[1].lower()) == (schema.lower(), table.lower())]
        return near[0] if len(near) == 1 else (schema, table)

    def qualify(self, schema: str | None, table: str, catalog: str | None) -> TableName:
        """See :meth:`Engine.qualify`; a bare name means that of the files, then that of the default schema."""
        if catalog is not None and catalog.lower() != self.name.lower():
            raise UnknownPlace(f"there is no catalog '{catalog}' here; this one is '{self.name}'")
        known = sorted({place[0] for place in self._tables})
        if schema is not None:
            if schema.lower() not in {name.lower() for name in known}:
                raise UnknownPlace(f"there is no schema '{schema}' with tables to read (there is {', '.join(known)})")
            return TableName(self.name, *self._own(schema, table))
        places = [place for place in self._tables if place[1].lower() == table.lower()]
        for home in (FILES, self.default):
            if found := [place for place in places if place[0] == home]:
                return TableName(self.name, *found[0])
        if len(places) > 1:
            named = ", ".join(".".join(place) for place in places)
            raise UnknownPlace(f"the table '{table}' is in several schemas: write one of {named}")
        return TableName(self.name, *(places[0] if places else (self.default, table)))

    def described(self) -> Mapping[str, Mapping[str, str]]:
        """See :meth:`Engine.describe`."""
        return {
            table if schema in (FILES, self.default) else f"{schema}.{table}": {c.name: c.kind.duckdb for c in columns}
            for (schema, table), columns in self._tables.items()
        }
