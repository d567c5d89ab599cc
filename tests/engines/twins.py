"""The same rows on both engines, the same question to both, and what became of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from svc_notebook.semantic.compiler.query.text import parse_query
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.engine.postgres import PostgresEngine
from svc_notebook.semantic.errors import NotAllowed, QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.model import DataModel

from .spark_server import written

__all__ = ["Twins", "beside", "filled", "rows_of", "spark_twins", "twins"]

_TYPES = {
    pa.int64(): "bigint", pa.int32(): "integer", pa.int16(): "smallint", pa.float64(): "double precision",
    pa.string(): "text", pa.bool_(): "boolean", pa.date32(): "date", pa.timestamp("us"): "timestamp",
    pa.timestamp("us", "UTC"): "timestamptz",
}  # fmt: skip


def filled(url: str, tables: Mapping[str, pa.Table]) -> str:
    """A database of these tables; its URL as libpq reads it."""
    import psycopg

    plain = url.replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as connection:
        for name, table in tables.items():
            columns = ", ".join(f'"{field.name}" {_type(field.type)}' for field in table.schema)
            connection.execute(f'CREATE TABLE "{name}" ({columns})')  # type: ignore[arg-type]
            with connection.cursor() as cursor, cursor.copy(f'COPY "{name}" FROM STDIN') as copy:  # type: ignore[arg-type]
                for row in table.to_pylist():
                    copy.write_row(list(row.values()))
    return plain


def _type(kind: Any) -> str:
    if pa.types.is_decimal(kind):
        return f"numeric({kind.precision}, {kind.scale})"
    if pa.types.is_list(kind):
        return f"{_type(kind.value_type)}[]"
    return _TYPES[kind]


@dataclass(frozen=True)
class Twins:
    """One model over both engines."""

    here: SemanticLayer
    there: SemanticLayer

    def difference(self, sql: str, ctx: SecurityContext, **options: Any) -> str:
        """``""`` where both say the same, ``"refused: …"`` where the other engine refuses it by name, else what differs."""
        try:
            wanted: Any = self.here.query(ctx, sql, **options)
        except QueryError as refusal:
            wanted = refusal
        try:
            found = self.there.query(ctx, sql, **options)
        except NotAllowed as refusal:
            return "" if isinstance(wanted, QueryError) else f"refused: {refusal.message}"
        except QueryError as refusal:
            return "" if isinstance(wanted, QueryError) else f"failed: {refusal.message}"
        if isinstance(wanted, QueryError):
            return f"answered, where DuckDB says {wanted.message}"
        one, other = rows_of(wanted.table), rows_of(found.table)
        ordered = _is_ordered(sql)
        if not ordered:
            one, other = sorted(one, key=repr), sorted(other, key=repr)
        return "" if one == other else f"{one[:3]}… against {other[:3]}… ({len(one)} and {len(other)} rows)"


def _is_ordered(sql: str) -> bool:
    """Whether the rows of a query come in an order; that of a window orders none."""
    return parse_query(sql).args.get("order") is not None


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    return [tuple(map(_plain, row)) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]


def _plain(value: Any) -> Any:
    """A number by its first nine digits: sums of floating numbers go by the order of their rows."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return str(value) if value is not None else None
    return "nan" if math.isnan(value) else float(f"{float(value):.9g}") + 0.0


@contextmanager
def twins(model: DataModel | Mapping[str, Any], tables: Mapping[str, pa.Table], url: str) -> Iterator[Twins]:
    """The model over the tables, in memory and in a PostgreSQL database."""
    with beside(model, tables, PostgresEngine.open(filled(url, tables))) as made:
        yield made


@contextmanager
def spark_twins(
    model: DataModel | Mapping[str, Any], tables: Mapping[str, Any], url: str, folder: Path
) -> Iterator[Twins]:
    """The model over the tables, in memory and as folders of Parquet files on a Spark server."""
    from svc_notebook.semantic.engine.spark import SparkEngine

    with beside(model, tables, SparkEngine.open(url, files=written(folder, tables))) as made:
        yield made


@contextmanager
def beside(model: DataModel | Mapping[str, Any], tables: Mapping[str, Any], there: Any) -> Iterator[Twins]:
    """The model over the tables in memory, and over an engine that holds the same."""
    loaded = model if isinstance(model, DataModel) else load_model(dict(model))
    here = DuckDBEngine.open(data=dict(tables))
    try:
        yield Twins(SemanticLayer(loaded, here), SemanticLayer(loaded, there))
    finally:
        here.close()
        there.close()
