"""PostgreSQL by its URL: its tables read into memory, up to a bound, with their declared keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .keys import DeclaredKeys

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MOST_ROWS", "declared_keys", "is_postgres_url", "read_postgres"]

MOST_ROWS = 2_000_000
_BATCH = 50_000
_TABLES = (
    "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition "
    "AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%' "
    "AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1, 2"
)
_KEYS = (
    "SELECT n.nspname, c.relname, k.contype::text, "
    "(SELECT array_agg(a.attname::text ORDER BY o.at) FROM unnest(k.conkey) WITH ORDINALITY o(num, at) "
    " JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = o.num), fn.nspname, f.relname, "
    "(SELECT array_agg(a.attname::text ORDER BY o.at) FROM unnest(k.confkey) WITH ORDINALITY o(num, at) "
    " JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = o.num) "
    "FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
    "LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace "
    "WHERE k.contype IN ('p', 'f')"
)
# Object ids of pg_type, the same in every PostgreSQL: int8, int2, int4, oid; float4, float8.
_WHOLE, _FLOATING = (20, 21, 23, 26), (700, 701)
_NUMERIC, _BOOLEAN, _DATE, _MOMENT, _MOMENT_WITH_ZONE = 1700, 16, 1082, 1114, 1184


def declared_keys(rows: Callable[[str], list[tuple[Any, ...]]]) -> dict[str, DeclaredKeys]:
    """The keys that a database's tables declare; ``rows`` asks it."""
    return _keys(rows(_KEYS))


def is_postgres_url(value: object) -> bool:
    """Whether a value is the URL of a PostgreSQL database."""
    return isinstance(value, str) and value.partition("://")[0].partition("+")[0] in ("postgresql", "postgres")


def read_postgres(
    url: str, remarks: list[str] | None = None, *, most_rows: int = MOST_ROWS
) -> tuple[dict[str, pa.Table], dict[str, DeclaredKeys]]:
    """Every table and view that the URL's user may read, in one snapshot, and the keys they declare.

    Parameters
    ----------
    remarks
        Tables that hold more rows than are read are told here.
    most_rows
        How many rows of a table are read.

    Raises
    ------
    ValueError
        If the driver is not installed, the server does not let us in, or there is nothing to read. The message never
        repeats the password.
    """
    told = remarks if remarks is not None else []
    try:
        import psycopg
    except ImportError:
        raise ValueError('PostgreSQL needs its driver: pip install "svc-notebook[postgres]"') from None
    scheme, _, rest = url.partition("://")
    try:
        with psycopg.connect(f"{scheme.partition('+')[0]}://{rest}", connect_timeout=10) as connection:
            # One snapshot for all tables, or an order could lack its customer.
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            places = connection.execute(_TABLES).fetchall()
            tables = {
                _shown(schema, name): _table(connection, (schema, name), most_rows, told) for schema, name in places
            }
            keys = _keys(connection.execute(_KEYS).fetchall())
    except psycopg.Error as error:
        said = str(error).strip().splitlines()
        raise ValueError(f"PostgreSQL at {_without_password(rest)}: {said[0] if said else 'cannot be read'}") from None
    if not tables:
        raise ValueError(f"PostgreSQL at {_without_password(rest)} has no tables that this user may read")
    return tables, keys


def _table(connection: Any, place: tuple[str, str], most_rows: int, told: list[str]) -> pa.Table:
    import pyarrow as pa
    from psycopg import sql

    # A named cursor stays on the server; any other would fetch the whole table at once.
    with connection.cursor(name="svc_rows") as cursor:
        cursor.itersize = _BATCH
        # One more than is read tells that there are more.
        cursor.execute(sql.SQL("SELECT * FROM {} LIMIT {}").format(sql.Identifier(*place), most_rows + 1))
        names = [column.name for column in cursor.description]
        types = [_type(column, pa) for column in cursor.description]
        schema = pa.schema(list(zip(names, types, strict=True)))
        batches = []
        while rows := cursor.fetchmany(_BATCH):
            columns = zip(*rows, strict=True)
            arrays = [_array(list(values), kind, pa) for values, kind in zip(columns, types, strict=True)]
            batches.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
    table = pa.Table.from_batches(batches, schema=schema)
    if table.num_rows > most_rows:
        told.append(
            f"{_shown(*place)} has more than {most_rows:,} rows, of which the first are read; "
            "give a query's result (data={...}), or a model over a database file, to have all"
        )
    return table.slice(0, most_rows)


def _type(column: Any, pa: Any) -> pa.DataType:
    code = column.type_code
    if code == _NUMERIC:
        digits, places = column.precision, column.scale
        return (
            pa.decimal128(digits, places)
            if digits and places is not None and 0 <= places <= digits <= 38
            else pa.float64()
        )
    plain = {**dict.fromkeys(_WHOLE, pa.int64()), **dict.fromkeys(_FLOATING, pa.float64())}
    plain |= {_BOOLEAN: pa.bool_(), _DATE: pa.date32(), _MOMENT: pa.timestamp("us")}
    plain[_MOMENT_WITH_ZONE] = pa.timestamp("us", tz="UTC")
    return plain.get(code, pa.string())


def _array(values: list[Any], kind: Any, pa: Any) -> pa.Array:
    if pa.types.is_string(kind):
        values = [value if value is None or isinstance(value, str) else _text(value) for value in values]
    elif pa.types.is_float64(kind):
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, kind)


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, (bytes, memoryview)) else str(value)


def _keys(rows: list[tuple[Any, ...]]) -> dict[str, DeclaredKeys]:
    found: dict[str, DeclaredKeys] = {}
    for schema, table, kind, here, other_schema, other, there in rows:
        name = _shown(schema, table)
        known = found.get(name, DeclaredKeys())
        if kind == "p":
            found[name] = DeclaredKeys(tuple(here), known.foreign_keys)
        else:
            key = (tuple(here), _shown(other_schema, other), tuple(there))
            found[name] = DeclaredKeys(known.primary_key, (*known.foreign_keys, key))
    return found


def _shown(schema: str, table: str) -> str:
    return table if schema == "public" else f"{schema}.{table}"


def _without_password(rest: str) -> str:
    # The password stands before the last @; options, which may hold one too, behind the ?.
    return rest.rpartition("@")[2].partition("?")[0]
