"""The DuckDB engine: an in-memory instance, locked down, with the data attached read-only or loaded before the lock.

The locks (see :mod:`.locks`) are the second wall; the first is that only compiled SQL comes here.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from svc_notebook.cancellation import CancellationToken

from ..errors import EngineFailure, NotComputed, NotPlanned, OutOfMemory, QueryError, QueryTimeout
from ..intake.sqlite_files import is_sqlite, read_sqlite
from ..results.cache import Cache
from .apart import apart
from .arrow_types import canonical_table
from .base import OWN_VALUES, TableName
from .known_tables import KnownTables
from .leases import Lease, set_up
from .limits import EngineLimits
from .loading import attach_database, load_data, quoted
from .locks import CONFIG, lock
from .planning import Planning
from .references import SERIALISE, Sources, read_sources, shape_of
from .watch import Watch, watched

__all__ = ["DuckDBEngine"]

_log = logging.getLogger(__name__)
_DATABASE = "data"
_KEPT = "svc_rollups"
# A cancelled result stops between batches; smaller ones cost a Python step for each, larger ones memory.
_BATCH = 20_000
_PARSED = 2_097_152
"""Bytes of statements of which it is remembered what they read."""
# Eight threads that read ahead are started with each instance, whatever "threads" says: a hundred services in a process
# would be a thousand of them. Where no file is read after the data are loaded they have nothing to do.
_NO_READING = {"async_threads": "0"}
_PARSING = {"autoload_known_extensions": "false", "threads": "1", **_NO_READING}
_COLUMNS = (
    "SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() "
    "WHERE NOT internal AND database_name = ? ORDER BY schema_name, table_name, column_index"
)
T = TypeVar("T")


class DuckDBEngine:
    """Runs compiled SQL on one DuckDB instance; one cursor per query; safe to use from many threads."""

    dialect = "duckdb"
    default_schema = "main"
    sampled_rows = None
    unchanging = True  # the data were copied when it was opened

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, catalog: str, limits: EngineLimits, planning: Planning
    ) -> None:
        self.concurrent = limits.concurrent
        self._connection = connection
        self._catalog = catalog
        self._limits = limits
        self._planning = planning
        self._settling = False  # plans are about to change: no query begins
        self._keeping = threading.Lock()
        self._kept: dict[str, int] = {}  # tables of ours, and how often each is needed
        self._let_go: deque[str] = deque()
        self._admission = threading.BoundedSemaphore(limits.concurrent)
        # One instance, one thread: it parses only, and each thread that it is allowed would be started with it.
        self._parser = duckdb.connect(":memory:", config={**_PARSING})
        self._parser.execute("PRAGMA disable_optimizer")  # there is nothing to optimise, and looking takes a third
        [self._serialise] = self._parser.extract_statements(SERIALISE)
        self._parser_lock = threading.Lock()
        self._read: Cache[Sources] = Cache(_PARSED)
        self._closed = False
        self._open: set[Lease] = set()
        self._idle: list[duckdb.DuckDBPyConnection] = []
        self._changing = threading.Condition()  # what is open; a connection that is in use refuses another call
        with self._lent() as lease:
            self._tables = KnownTables(lease.cursor, catalog)

    @classmethod
    def open(
        cls,
        database: str | Path | None = None,
        *,
        data: Mapping[str, Any] | None = None,
        limits: EngineLimits | None = None,
        settings: Mapping[str, str] | None = None,
        remarks: list[str] | None = None,
    ) -> DuckDBEngine:
        """Open a database file read-only, or load ``data`` (name → data frame, Arrow table, or file), then lock.

        An SQLite file is read into memory, since DuckDB's extension for it would have to be downloaded.

        Parameters
        ----------
        settings
            Further DuckDB settings for ``config=`` (tests switch optimiser rules off with it).
        remarks
            What a reader should know of how files were read is appended here; it is logged without.

        Raises
        ------
        ValueError
            If a file is missing or of an unknown kind, or the folder to spill into is none.
        EngineFailure
            If a lock does not hold on a fresh cursor.
        """
        if database is not None and is_sqlite(database):
            data, database = {**read_sqlite(database), **(data or {})}, None
        limits = limits or EngineLimits()
        config = {**CONFIG, "memory_limit": limits.memory, "max_temp_directory_size": limits.temp}
        if limits.spill is not None:
            config["temp_directory"] = _spilled(limits.spill)
        config["max_execution_time"] = str(int(limits.timeout * 1000))
        if limits.threads:
            config["threads"] = str(limits.threads)
        if database is None:
            config |= _NO_READING
        connection = duckdb.connect(":memory:", config={**config, **(settings or {})})

        def opened() -> DuckDBEngine:
            # In a notebook DuckDB would print its progress into the cell while data are loaded.
            connection.execute("SET enable_progress_bar = false")
            # Compiled into the wheel, so nothing is fetched; time zones need it, and the lock below forbids loading it
            # later.
            connection.execute("LOAD icu")
            if data:
                load_data(connection, data, remarks)
            if database is not None:
                attach_database(connection, database, _DATABASE)
            # After the data: from here on no file can be opened and no setting changed.
            lock(connection, apart_from=settings or ())
            planning = Planning(connection, given="disabled_optimizers" in (settings or ()))
            return cls(connection, _DATABASE if database is not None else "memory", limits, planning)

        try:
            return apart(connection.interrupt, opened)
        except BaseException:
            connection.close()
            raise

    @contextmanager
    def _lent(self) -> Iterator[Lease]:
        """A cursor of one's own, set up once and lent again unless something went wrong."""
        with self._changing:
            self._changing.wait_for(lambda: not self._settling or self._closed)
            self._refuse_closed()
            known = self._idle.pop() if self._idle else None
            lease = Lease(known or self._connection.cursor())
            self._open.add(lease)
        try:
            if known is None:
                apart(lease.interrupt, partial(set_up, lease.cursor))
            yield lease
        except BaseException:
            lease.spoil()
            raise
        finally:
            again = lease.end()
            with self._changing:
                self._open.discard(lease)
                if again and not self._closed and len(self._idle) < self._limits.concurrent:
                    self._idle.append(lease.cursor)
                else:
                    lease.cursor.close()
                self._changing.notify_all()

    def plan_for(self, *, shown: bool) -> None:
        """A model is going to be asked that shows everybody every row, or (``shown`` is False) one that does not.

        Plans go by what the tables hold while every model does (:mod:`.planning`). The first that does not waits for
        what runs, so that none of its own queries is planned so.
        """
        with self._changing:
            if not shown:
                self._wait_for_what_runs(self._planning.by_data)
            # Planning by the data is only faster: where something runs, it is begun by the next who asks.
            if not self._closed and not (shown and self._open):
                apart(self._connection.interrupt, self._planning.begin if shown else self._planning.end)

    def _wait_for_what_runs(self, needed: bool) -> None:
        self._settling = needed
        try:
            self._changing.wait_for(lambda: not self._settling or not self._open or self._closed)
        finally:
            self._settling = False
            self._changing.notify_all()

    def lowered(self, sql: str, params: Mapping[str, Any]) -> str:
        """See :meth:`Engine.lowered`: the compiler writes what DuckDB speaks."""
        return sql

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
        return canonical_table(self._run(sql, params, lambda reader: _fetched(reader, rows), cancel, timeout))

    def write(
        self,
        sql: str,
        params: Mapping[str, Any],
        path: Path,
        *,
        cancel: CancellationToken | None = None,
        timeout: float | None = None,
    ) -> None:
        """Write every row to an Arrow IPC file, as it comes; errors as of :meth:`execute`."""
        self._run(sql, params, lambda reader: _written(reader, path), cancel, timeout)

    def _run(
        self,
        sql: str,
        params: Mapping[str, Any],
        take: Callable[[pa.RecordBatchReader], T],
        cancel: CancellationToken | None,
        timeout: float | None,
    ) -> T:
        if cancel is not None:
            cancel.raise_if_cancelled()
        timeout = self._limits.timeout if timeout is None else timeout
        watch: Watch | None = None
        with self._admission:
            try:
                with (
                    self._lent() as lease,
                    _reported(lease.cursor, cancel),
                    watched(lease.interrupt, cancel=cancel, timeout=timeout) as watch,
                ):
                    taken = apart(lease.interrupt, partial(_taken, lease, sql, params, take))
            # DuckDB raises RuntimeError for what goes wrong while its Arrow reader is read, an interrupt among it.
            except (duckdb.Error, RuntimeError, OSError, pa.ArrowException) as error:  # Arrow says OSError too
                raise self._failure(error, watch, cancel, timeout) from None
        if cancel is not None:
            cancel.raise_if_cancelled()
        return taken

    def _failure(
        self, error: BaseException, watch: Watch | None, cancel: CancellationToken | None, timeout: float
    ) -> QueryError:
        _log.debug("engine failure", exc_info=error)
        if watch is not None and watch.cancelled and cancel is not None:
            cancel.raise_if_cancelled()
        # The engine's own limit (max_execution_time) has no exception of its own.
        if (watch is not None and watch.timed_out) or "execution time" in str(error).lower():
            return QueryTimeout(
                f"The query took longer than {timeout:g} seconds and was stopped; narrow it with a filter."
            )
        if isinstance(error, duckdb.OutOfMemoryException):
            return OutOfMemory("The query needs more memory than it may use; narrow it with a filter or group by less.")
        if self._closed:
            return EngineFailure("The engine is closed.")
        if isinstance(error, _OF_VALUES) or _SEVERAL_ROWS in str(error):
            return NotComputed(OWN_VALUES)
        kind = NotPlanned if isinstance(error, _UNPLANNED) else EngineFailure
        return kind(
            "The query could not be computed (a value was out of range, or an expression does not fit its type)."
        )

    def _refuse_closed(self) -> None:
        if self._closed:
            raise EngineFailure("The engine is closed.")

    def materialise(self, name: str, sql: str) -> tuple[TableName, int]:
        """Keep the rows of a statement, which the compiler wrote, in a table of their own, until it is let go.

        Returns the table and how many rows it has. One of that name is not built again; then it is to be let go twice.

        Raises
        ------
        QueryTimeout, OutOfMemory, EngineFailure
            As of :meth:`execute`.
        """
        table = TableName(_KEPT, "main", name)
        target = ".".join(quoted(part) for part in table)
        with self._keeping:
            self._drop_what_was_let_go()
            # An instance of its own beside the data's, which may be attached for reading alone; ':memory:' is no
            # external access.
            self._do(f"ATTACH IF NOT EXISTS ':memory:' AS {_KEPT}")
            self._do(f"CREATE TABLE IF NOT EXISTS {target} AS {sql}")
            counted = self.execute(f"SELECT COUNT(*) FROM {target}", {})
            self._kept[name] = self._kept.get(name, 0) + 1
        return table, int(counted.column(0)[0].as_py())

    def let_go(self, name: str) -> None:
        """What :meth:`materialise` made under a name is needed once less; it is dropped when the next one is made.

        Any thread may say so, also while the interpreter frees what needed it.
        """
        # No lock: a deque takes it in one step, and a finalizer may run in a thread that holds any lock.
        self._let_go.append(name)

    def _drop_what_was_let_go(self) -> None:
        while self._let_go:
            name = self._let_go.popleft()
            self._kept[name] -= 1
            if not self._kept[name]:
                del self._kept[name]
                self._do(f"DROP TABLE IF EXISTS {_KEPT}.main.{quoted(name)}")

    def _do(self, text: str) -> None:
        self._run(text, {}, lambda reader: reader.read_all(), None, None)

    def spread(self, sql: str, share: float) -> str:
        """See :meth:`Engine.spread`."""
        return f"SELECT * FROM ({sql}) AS svc_drawn WHERE random() < {share!r}"

    def column_types(self, sql: str) -> list[str]:
        """See :meth:`Engine.column_types`."""
        try:
            with self._lent() as lease:
                return apart(lease.interrupt, lambda: [str(kind) for kind in lease.cursor.sql(sql).types])
        except (duckdb.Error, RuntimeError) as error:
            _log.debug("engine failure", exc_info=error)
            raise EngineFailure("The model's SQL does not fit the database.") from None

    def qualify(self, schema: str | None, table: str, catalog: str | None = None) -> TableName:
        """See :meth:`Engine.qualify`."""
        return self._tables.qualify(schema, table, catalog)

    def tables_read(self, sql: str) -> frozenset[TableName] | None:
        """See :meth:`Engine.tables_read`; asked of a second, empty instance, so that nothing can be looked up.

        Of statements that differ in numbers and quoted names alone one is parsed: they read what has the same names.
        """
        self._refuse_closed()
        shape = shape_of(sql)
        found = self._read.find(shape.text)
        if found is None and (found := self._sources(shape.named)) is not None:
            self._read.put(shape.text, found)
        if found is not None:
            return found.called(shape.names).tables
        # A name may mean something to the parser: a quoted "range" is a function of its own.
        as_it_is = self._sources(sql) if shape.names else None
        return None if as_it_is is None else as_it_is.tables

    def _sources(self, sql: str) -> Sources | None:
        with self._parser_lock:
            self._refuse_closed()
            row = self._parser.execute(self._serialise, [sql]).fetchone()
        return read_sources(row[0]) if row else None

    def describe(self) -> Mapping[str, Mapping[str, str]]:
        """Columns and their types by ``schema.table`` (by ``table`` alone in schema main)."""
        with self._lent() as lease:
            rows = apart(lease.interrupt, lambda: lease.cursor.execute(_COLUMNS, [self._catalog]).fetchall())
        tables: dict[str, dict[str, str]] = {}
        for schema, table, column, kind in rows:
            tables.setdefault(table if schema == "main" else f"{schema}.{table}", {})[column] = kind
        return tables

    def close(self) -> None:
        """Interrupt what runs, wait until it has ended, and close."""
        with self._changing:
            self._closed = True
            self._changing.notify_all()
            while self._open:
                for lease in self._open:
                    lease.interrupt()
                self._changing.wait(0.02)  # an interrupt that comes before its query is lost
            for cursor in self._idle:
                cursor.close()
            self._connection.close()
        with self._parser_lock:  # a query may be compiled at this moment
            self._parser.close()

    def __reduce__(self) -> Any:
        raise TypeError("an engine holds a live connection and cannot be pickled")


# What DuckDB says when its own planning fails, not the query: some rules of its optimiser lose a column they need.
_FAULTS = (duckdb.Error, duckdb.InternalException)
# What fails with a value of the rows asked.
_OF_VALUES = (duckdb.OutOfRangeException, duckdb.ConversionException)
_SEVERAL_ROWS = "More than one row returned by a subquery"
_UNPLANNED = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)


def _taken(lease: Lease, sql: str, params: Mapping[str, Any], take: Callable[[pa.RecordBatchReader], T]) -> T:
    try:
        return take(_reader(lease.cursor, sql, params))
    except duckdb.Error as error:
        # By exact type: every error that says something of the query is a subclass.
        if type(error) not in _FAULTS:
            raise
        _log.warning("DuckDB could not plan a query, which runs unoptimised: %.200s", error)
        # The cursor stays unoptimised from here on, and must not be lent to another query.
        lease.spoil()
        lease.cursor.execute("PRAGMA disable_optimizer")
        return take(_reader(lease.cursor, sql, params))


def _reader(cursor: duckdb.DuckDBPyConnection, sql: str, params: Mapping[str, Any]) -> pa.RecordBatchReader:
    # sql() parses three times and binds twice before it ends in this, a third of a short query; execute() computes all
    # rows before the first.
    values = dict(params) or None
    try:
        return cursor._submit(sql, values, "stream", _BATCH).arrow_reader()
    except (AttributeError, TypeError):  # not DuckDB's public face: another version may have it otherwise
        return cursor.sql(sql, params=values).to_arrow_reader(_BATCH)


def _written(reader: pa.RecordBatchReader, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def _fetched(reader: pa.RecordBatchReader, max_rows: int) -> pa.Table:
    batches: list[pa.RecordBatch] = []
    left = max_rows
    for batch in reader:
        batches.append(batch.slice(0, left))
        left -= batch.num_rows
        if left <= 0:
            break
    return pa.Table.from_batches(batches, schema=reader.schema)


@contextmanager
def _reported(cursor: duckdb.DuckDBPyConnection, cancel: CancellationToken | None) -> Iterator[None]:
    """While the block runs, the token can be asked how far the cursor's query is, in tenths.

    The engine counts rows as they lie in their tables: finer parts would tell how many hidden ones lie between two
    that the asker sees, if those take long.
    """
    if cancel is None:
        yield
        return

    def probe() -> float | None:
        percent = cursor.query_progress()
        return None if percent < 0 else min(10, int(percent / 10)) / 10

    with cancel.reporting(probe):
        yield


def _spilled(folder: str | Path) -> str:
    place = Path(folder)
    if not place.is_dir() or not os.access(place, os.W_OK):
        raise ValueError(f"the folder to spill into, '{folder}', is not there or cannot be written to; make it first")
    return str(place)
