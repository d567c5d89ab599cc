"""The Spark engine: the same queries, answered by a cluster where the data lie.

Nothing is copied and nothing is written: only queries that were compiled are sent, in one session whose settings are
pinned (:mod:`.sessions`), their values bound. The compiled query is said in Spark's words by
:mod:`svc_notebook.semantic.dialects.spark`; what has none is refused by its name before it runs.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from svc_notebook.cancellation import CancellationToken

from .... import patterns as re
from ...dialects.spark import lowered as _lowered
from ...dialects.spark.names import identifier
from ...errors import EngineFailure, NotAllowed, NotComputed, NotPlanned, OutOfMemory, QueryError, QueryTimeout
from ..apart import apart
from ..arrow_types import canonical_table
from ..base import OWN_VALUES, TableName
from ..limits import EngineLimits
from ..watch import Watch, watched
from .catalog import FILES, Catalog, column_of
from .sessions import Query, Session, driver, errors, failed_at, place_of

__all__ = ["SparkEngine"]

T = TypeVar("T")
_log = logging.getLogger(__name__)
_PARAMETER = re.compile(r"""'(?:[^'\\]|\\.)*'|`(?:[^`]|``)*`|\$(p\d+)\b""")
_OLDEST = 4
# Each table is described by a round trip to the server, which takes longer than describing.
_AT_ONCE = 8
_GONE = ("INVALID_HANDLE", "SESSION_CLOSED", "INVALID_CURSOR")
_UNSAID = ("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY", "UNSUPPORTED_FEATURE", "UNSUPPORTED_CORRELATED")


class SparkEngine:
    """Runs compiled SQL on a Spark Connect server; safe to use from many threads.

    Attributes
    ----------
    remarks
        What the operator should know of the server.
    """

    dialect = "spark"
    sampled_rows = 100_000
    unchanging = False  # the next query may see other rows

    def __init__(self, session: Session, catalog: Catalog, limits: EngineLimits, place: str) -> None:
        self.concurrent = limits.concurrent
        self.remarks: list[str] = []
        self._session, self._catalog, self._limits, self._place = session, catalog, limits, place
        self._admission = threading.BoundedSemaphore(limits.concurrent)

    @classmethod
    def open(
        cls, url: str, *, files: Mapping[str, str] | None = None, limits: EngineLimits | None = None
    ) -> SparkEngine:
        """Connect to the server of a ``sc://`` URL and read what its catalog holds.

        Parameters
        ----------
        files
            Folders of Parquet files as the server's workers name them, by the names of the tables they are.

        Raises
        ------
        ValueError
            If the client is missing, no server answers, or there is nothing to read. The message never repeats a token.
        """
        driver()
        limits = limits or EngineLimits()
        place = place_of(url)
        try:
            session = Session(url, files or {})
        except OSError:
            raise ValueError(
                f"no Spark Connect server answers at {place} (sbin/start-connect-server.sh starts one; docs/spark.md)"
            ) from None
        except errors() as error:
            raise ValueError(f"Spark at {place}: {_line(error)}") from None
        try:
            return cls(session, _read(session, place), limits, place)
        except errors() as error:
            session.close()
            raise ValueError(f"Spark at {place}: {_line(error)}") from None
        except BaseException:
            session.close()
            raise

    @property
    def default_schema(self) -> str:
        """See :attr:`Engine.default_schema`."""
        return self._catalog.default

    def lowered(self, sql: str, params: Mapping[str, Any]) -> str:
        """See :meth:`Engine.lowered`."""
        return _lowered(sql, params, self._catalog.columns, self._catalog.traits).sql

    def spread(self, sql: str, share: float) -> str:
        """See :meth:`Engine.spread`."""
        return f"SELECT * FROM ({sql}) AS svc_drawn WHERE rand() < {share!r}"

    def column_types(self, sql: str) -> list[str]:
        """See :meth:`Engine.column_types`; found without the server."""
        try:
            columns = _lowered(sql, {}, self._catalog.columns, self._catalog.traits).columns
        except QueryError as error:
            raise EngineFailure(error.message) from None
        return [kind.duckdb for _, kind in columns]

    def qualify(self, schema: str | None, table: str, catalog: str | None = None) -> TableName:
        """See :meth:`Engine.qualify`."""
        return self._catalog.qualify(schema, table, catalog)

    def describe(self) -> Mapping[str, Mapping[str, str]]:
        """Columns and their types, by DuckDB's names, by ``schema.table`` (in the default schema by ``table``)."""
        return self._catalog.described()

    def tables_read(self, sql: str) -> frozenset[TableName] | None:
        """See :meth:`Engine.tables_read`: the finished text read once more, by the rules of Spark's grammar."""
        try:
            tree = sqlglot.parse_one(_named(sql), read="spark")
        except (SqlglotError, ValueError, RecursionError):
            return None
        common = {cte.alias for cte in tree.find_all(exp.CTE)}
        views = {view.strip("`"): name for name, view in self._session.views.items()}
        # A CTE of the name of a view of ours would hide it.
        if not common.isdisjoint(views):
            return None
        found = set()
        for table in tree.find_all(exp.Table):
            if not isinstance(table.this, exp.Identifier):
                return None
            if table.name in views and not table.db:
                found.add(TableName(self._catalog.name, FILES, views[table.name]))
            elif table.catalog:
                found.add(TableName(table.catalog, table.db, table.name))
            elif table.db or table.name not in common:
                return None
        return frozenset(found) if isinstance(tree, exp.Query) else None

    # --- running -------------------------------------------------------------------------------------------------

    def execute(
        self,
        sql: str,
        params: Mapping[str, Any],
        *,
        cancel: CancellationToken | None = None,
        timeout: float | None = None,
        max_rows: int | None = None,
    ) -> pa.Table:
        """See :meth:`Engine.execute`."""
        rows = self._limits.max_rows if max_rows is None else max_rows
        return self._run(sql, params, partial(_whole, rows=int(rows)), cancel, timeout)

    def write(
        self,
        sql: str,
        params: Mapping[str, Any],
        path: Path,
        *,
        cancel: CancellationToken | None = None,
        timeout: float | None = None,
    ) -> None:
        """Write every row to an Arrow IPC file, as they come; errors as of :meth:`execute`."""
        self._run(sql, params, partial(_written, path=path), cancel, timeout)

    def _run(
        self,
        sql: str,
        params: Mapping[str, Any],
        work: Callable[[Query], T],
        cancel: CancellationToken | None,
        timeout: float | None,
    ) -> T:
        if cancel is not None:
            cancel.raise_if_cancelled()
        timeout = self._limits.timeout if timeout is None else timeout
        text, values = _named(sql), _sent(sql, params)
        with self._admission:
            result = self._tried(text, values, work, cancel, timeout)
        if cancel is not None:
            cancel.raise_if_cancelled()
        return result

    def _tried(
        self,
        text: str,
        values: Mapping[str, Any],
        work: Callable[[Query], T],
        cancel: CancellationToken | None,
        timeout: float,
    ) -> T:
        """Once more in a new session, if the server has forgotten the one there was."""
        watch: Watch | None = None
        for again in (False, True):
            try:
                if again:
                    self._session.again()
                with (
                    self._session.query(text, values) as query,
                    watched(query.interrupt, cancel=cancel, timeout=timeout) as watch,
                ):
                    return apart(query.interrupt, partial(work, query))
            except errors() as error:
                stopped = watch is not None and (watch.cancelled or watch.timed_out)
                if not again and not stopped and not self._session.closed and failed_at(error)[0].startswith(_GONE):
                    continue
                raise self._failure(error, watch, cancel, timeout) from None
        raise EngineFailure("The Spark server does not answer.")

    def _failure(
        self, error: Exception, watch: Watch | None, cancel: CancellationToken | None, timeout: float
    ) -> QueryError:
        condition, state = failed_at(error)
        _log.debug("engine failure %s", condition or type(error).__name__)
        if watch is not None and watch.cancelled and cancel is not None:
            cancel.raise_if_cancelled()
        if watch is not None and watch.timed_out:
            return QueryTimeout(
                f"The query took longer than {timeout:g} seconds and was stopped; narrow it with a filter."
            )
        if self._session.closed:
            return EngineFailure("The engine is closed.")
        if condition.startswith(_UNSAID):
            return NotAllowed(
                "Over Spark there is no way to say a subquery that reads the query around it in this way; "
                "write it as a join or as WITH."
            )
        if state.startswith(("22", "21", "P0")):
            return NotComputed(OWN_VALUES)
        if "OutOfMemory" in str(error) or condition.startswith(("UNABLE_TO_ACQUIRE_MEMORY", "EXCEEDS_MAX_RESULT")):
            return OutOfMemory("The query needs more of the cluster than it may use; narrow it with a filter.")
        if state.startswith("42"):
            return NotPlanned(
                "The query could not be computed (a table is not there, or an expression does not fit its type)."
            )
        if not condition:
            return EngineFailure("The Spark server does not answer.")
        return EngineFailure("The query could not be computed.")

    def close(self) -> None:
        """Interrupt what runs, wait until it has ended, and close."""
        self._session.close()

    def __reduce__(self) -> Any:
        raise TypeError("an engine holds live connections and cannot be pickled")


def _whole(query: Query, rows: int) -> pa.Table:
    return canonical_table(pa.concat_tables(query.tables(rows)))


def _written(query: Query, path: Path) -> None:
    """Part by part; where whole numbers turn out too large for the type they began with, once more as a whole."""
    try:
        _copied(map(canonical_table, query.tables()), path)
    except pa.ArrowInvalid:
        _copied([canonical_table(pa.concat_tables(query.tables()))], path)


def _copied(tables: Iterable[pa.Table], path: Path) -> None:
    parts = iter(tables)
    # Query.tables() gives one without rows where there are none.
    first = next(parts)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(part.cast(first.schema))


def _read(session: Session, place: str) -> Catalog:
    """The tables of a server; those that cannot be described are not there."""
    told = session.rows("SELECT current_catalog() AS name, current_schema() AS home, version() AS version")[0]
    if int(str(told["version"]).split(".")[0]) < _OLDEST:
        raise ValueError(f"Spark at {place}: version {told['version']}; {_OLDEST}.0 and newer are asked")
    catalog = Catalog(str(told["name"]), str(told["home"]), session.views)
    schemas = [str(next(iter(row.values()))) for row in session.rows("SHOW SCHEMAS")]
    places = [
        (schema, str(row["tableName"]))
        for schema in schemas
        for row in session.rows(f"SHOW TABLES IN {identifier(schema)}")
        if not row["isTemporary"]
    ]
    written = {(FILES, name): view for name, view in session.views.items()}
    written |= {(schema, table): f"{identifier(schema)}.{identifier(table)}" for schema, table in places}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for (schema, table), columns in zip(
            written, pool.map(partial(_columns, session), written.values()), strict=True
        ):
            if columns:
                catalog.add(schema, table, [column_of(name, kind) for name, kind in columns])
    if not catalog.described():
        raise ValueError(
            f"Spark at {place} has no tables in its catalog; give folders of Parquet files beside it: "
            "data={'flights': 's3a://lake/flights'}"
        )
    return catalog


def _columns(session: Session, place: str) -> list[tuple[str, str]]:
    try:
        return session.columns(place)
    except errors() as error:  # a table whose files are gone, or of a format without its jar
        _log.warning("the table %s cannot be described (%s)", place, failed_at(error)[0])
        return []


def _named(sql: str) -> str:
    """``$p3`` as ``:p3``."""
    return _PARAMETER.sub(lambda found: f":{found[1]}" if found[1] else found[0], sql)


def _sent(sql: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a text's parameters; as texts, where the client would put a zone or digits of its own to them."""
    names = {found[1] for found in _PARAMETER.finditer(sql) if found[1]}
    return {name: _plain(params[name]) for name in sorted(names)}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, (date, Decimal)) or (type(value) is int and not -(2**63) <= value < 2**63):
        return str(value)
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200] if lines else type(error).__name__
