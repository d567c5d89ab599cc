"""``information_schema`` as the data API answers it: the asker's own catalog as tables, and nothing else.

A query of it is asked of a database that holds these tables alone, so that no condition, join or function in it can
reach the engine's real catalog, a physical table, or what the asker may not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .. import patterns as re
from .catalog import Catalog, Member
from .context import SecurityContext
from .errors import InvalidQuery

if TYPE_CHECKING:
    import pyarrow as pa

    from svc_notebook.cancellation import CancellationToken

    from .results.query_result import QueryResult

__all__ = ["asks_for_the_catalog", "query_catalog"]

_SCHEMA, _CATALOG, _PLACE = "information_schema", "svc", "public"
_NAMED = re.compile(r'(?i)\b(?:from|join)\s+"?information_schema"?\s*\.')
_TYPES = {
    "string": "character varying", "number": "double precision", "boolean": "boolean",
    "time": "timestamp without time zone",
}  # fmt: skip
_COLUMNS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "schemata": (("catalog_name", "string"), ("schema_name", "string"), ("schema_owner", "string")),
    "tables": (
        ("table_catalog", "string"), ("table_schema", "string"), ("table_name", "string"), ("table_type", "string"),
        ("title", "string"), ("description", "string"),
    ),
    "columns": (
        ("table_catalog", "string"), ("table_schema", "string"), ("table_name", "string"), ("column_name", "string"),
        ("ordinal_position", "number"), ("column_default", "string"), ("is_nullable", "string"),
        ("data_type", "string"), ("member_kind", "string"), ("title", "string"), ("description", "string"),
    ),
}  # fmt: skip


def asks_for_the_catalog(sql: str) -> bool:
    """Whether a text reads from ``information_schema``, as far as can be told without parsing it."""
    return _NAMED.search(sql) is not None


def query_catalog(catalog: Catalog, sql: str, *, cancel: CancellationToken | None = None) -> QueryResult:
    """The rows of a query of ``information_schema``, which knows the relations and members of ``catalog``.

    Raises
    ------
    QueryError
        If it is refused, or reads something else beside it.
    """
    from .engine import DuckDBEngine
    from .layer import SemanticLayer
    from .loader import load_model

    text = _of_own_tables(sql)
    # An engine of its own over what the asker sees: whatever the query does, there is nothing else to be found.
    engine = DuckDBEngine.open(None, data=_tables(catalog))
    try:
        layer = SemanticLayer(load_model({"cubes": [_cube(name) for name in _COLUMNS]}), engine)
        return layer.query(SecurityContext.operator(), text, cancel=cancel)
    finally:
        engine.close()


def _of_own_tables(sql: str) -> str:
    """The query with its tables by their own names."""
    from sqlglot import exp

    from .compiler.query.text import parse_query

    query = parse_query(sql)
    known = {cte.alias_or_name.lower() for cte in query.find_all(exp.CTE)}
    for table in list(query.find_all(exp.Table)):
        if not table.db and table.name.lower() in known:
            continue
        if table.db.lower() != _SCHEMA or table.catalog:
            raise InvalidQuery(f"'{table.name}' stands beside {_SCHEMA}, which is asked for by itself.")
        if table.name.lower() not in _COLUMNS:
            raise InvalidQuery(f"There is no {_SCHEMA}.{table.name[:60]}; there are {', '.join(_COLUMNS)}.")
        table.set("db", None)
    return query.sql(dialect="duckdb", identify=False)


def _cube(name: str) -> dict[str, Any]:
    dimensions = [{"name": column, "sql": column, "type": kind} for column, kind in _COLUMNS[name]]
    return {"name": name, "sql_table": name, "dimensions": dimensions, "measures": [{"name": "count", "type": "count"}]}


def _tables(catalog: Catalog) -> dict[str, pa.Table]:
    import pyarrow as pa

    relations = catalog.relations.values()
    rows: dict[str, list[tuple[Any, ...]]] = {
        "schemata": [(_CATALOG, _PLACE, None)],
        "tables": [
            (_CATALOG, _PLACE, r.name, "VIEW" if r.kind == "view" else "BASE TABLE", r.title, r.description)
            for r in relations
        ],
        "columns": [row for r in relations for row in _columns(r.members)],
    }
    kinds = {"string": pa.string(), "number": pa.int64()}
    return {
        name: pa.table(
            [pa.array([row[i] for row in found], kinds[kind]) for i, (_, kind) in enumerate(_COLUMNS[name])],
            names=[column for column, _ in _COLUMNS[name]],
        )
        for name, found in rows.items()
    }


def _columns(members: Mapping[str, Member]) -> Iterator[tuple[Any, ...]]:
    for number, m in enumerate(members.values(), 1):
        kind = "boolean" if m.kind == "segment" else m.type
        type_name = _TYPES.get(kind, _TYPES["string"])
        yield (
            _CATALOG, _PLACE, m.relation, m.name, number, None, "YES", type_name, m.kind, m.title, m.description,
        )  # fmt: skip
