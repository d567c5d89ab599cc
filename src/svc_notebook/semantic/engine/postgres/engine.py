"""The PostgreSQL engine: the same queries, answered where the data lie.

Nothing is copied: every query sees the tables as they are at its moment, in a transaction that cannot write, on
connections whose settings are pinned (:mod:`.connections`). The compiled query is said in PostgreSQL's words by
:mod:`svc_notebook.semantic.dialects.postgres`; what has none is refused by its name before it runs.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from svc_notebook.cancellation import CancellationToken

from .... import patterns as re
from ...dialects.postgres import lowered as _lowered
from ...errors import EngineFailure, NotComputed, NotPlanned, OutOfMemory, QueryError, QueryTimeout
from ..apart import apart
from ..base import OWN_VALUES, TableName
from ..limits import EngineLimits
from ..watch import Watch, watched
from .catalog import COLUMNS, SETTINGS, Catalog, traits_of
from .connections import Connections, Lent, driver, plain_url
from .results import plain_table

__all__ = ["PostgresEngine"]

_log = logging.getLogger(__name__)
# Quoted texts and names are matched first, so that what looks like a parameter in one is left alone.
_PARAMETER = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(p\d+)\b""")
# The oldest that the dialect is tested with.
_OLDEST = 150_000


class PostgresEngine:
    """Runs compiled SQL on a PostgreSQL server; one connection per query; safe to use from many threads.

    Attributes
    ----------
    remarks
        What the operator should know of the database and of what its role may do.
    """

    dialect = "postgres"
    default_schema = "public"
    sampled_rows = 100_000
    unchanging = False  # the next query may see other rows

    def __init__(self, connections: Connections, catalog: Catalog, limits: EngineLimits, remarks: list[str]) -> None:
        self.concurrent = limits.concurrent
        self.remarks = remarks
        self._connections = connections
        self._catalog = catalog
        self._limits = limits
        self._admission = threading.BoundedSemaphore(limits.concurrent)

    @classmethod
    def open(cls, url: str, *, limits: EngineLimits | None = None) -> PostgresEngine:
        """Connect to the database of a ``postgresql://`` URL and read what it holds.

        Raises
        ------
        ValueError
            If the driver is missing, the server does not let us in, or there is nothing to read. The message never
            repeats the password.
        """
        limits = limits or EngineLimits()
        connections = Connections(url, limits.concurrent)
        where = plain_url(url).partition("://")[2].rpartition("@")[2].partition("?")[0]
        try:
            with connections.lent() as lent:
                database, collation, encoding, letters, writes, version = lent.rows(SETTINGS)[0]
                catalog = Catalog(database, traits_of(collation, letters))
                catalog.add(lent.rows(COLUMNS))
        except driver().Error as error:
            raise ValueError(f"PostgreSQL at {where}: {_said(error)}") from None
        try:
            return cls(connections, catalog, limits, _remarks(where, encoding, version, writes, catalog))
        except ValueError:
            connections.close()
            raise

    def lowered(self, sql: str, params: Mapping[str, Any]) -> str:
        """See :meth:`Engine.lowered`."""
        query = _lowered(sql, params, self._columns, self._catalog.traits)
        sizes = [kind.decimals for _, kind in query.columns]
        exact = [
            kind.name in ("huge", "numeric") and size is not None
            for (_, kind), size in zip(query.columns, sizes, strict=True)
        ]
        if not any(exact):
            return query.sql
        # So that a result tells how many decimals its numbers have, whatever rows it has.
        shown = (
            (f"CAST(c{i} AS numeric(38, {size}))" if sized else f"c{i}") + f" AS {_quoted(name)}"
            for i, ((name, _), size, sized) in enumerate(zip(query.columns, sizes, exact, strict=True))
        )
        names = ", ".join(f"c{i}" for i in range(len(sizes)))
        return f"SELECT {', '.join(shown)} FROM ({query.sql}) AS svc_result({names})"

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database says of itself."""
        with self._connections.lent() as lent:
            return lent.rows(sql)

    def _columns(self, schema: str, table: str) -> Any:
        return self._catalog.columns(schema or self.default_schema, table)

    def spread(self, sql: str, share: float) -> str:
        """See :meth:`Engine.spread`."""
        return f"SELECT * FROM ({sql}) AS svc_drawn WHERE random() < {share!r}"

    def column_types(self, sql: str) -> list[str]:
        """See :meth:`Engine.column_types`; found without the server."""
        try:
            return [kind.duckdb for _, kind in _lowered(sql, {}, self._columns, self._catalog.traits).columns]
        except QueryError as error:
            raise EngineFailure(error.message) from None

    def qualify(self, schema: str | None, table: str, catalog: str | None = None) -> TableName:
        """See :meth:`Engine.qualify`."""
        return self._catalog.qualify(schema, table, catalog)

    def describe(self) -> Mapping[str, Mapping[str, str]]:
        """Columns and their types, by DuckDB's names, by ``schema.table`` (by ``table`` alone in schema public)."""
        return self._catalog.described()

    def tables_read(self, sql: str) -> frozenset[TableName] | None:
        """See :meth:`Engine.tables_read`: the finished text read once more, by the rules of PostgreSQL's grammar."""
        try:
            tree = sqlglot.parse_one(sql, read="postgres")
        except (SqlglotError, ValueError, RecursionError):
            return None
        common = {cte.alias for cte in tree.find_all(exp.CTE)}
        found = set()
        for table in tree.find_all(exp.Table):
            if not isinstance(table.this, exp.Identifier) or table.args.get("catalog") is not None:
                return None
            if table.args.get("db") is not None:
                found.add(TableName(self._catalog.database, table.db, table.name))
            elif table.name not in common:
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
        # The driver fetches whole results.
        return self._run(f"SELECT * FROM ({sql}) AS svc_rows LIMIT {int(rows)}", params, cancel, timeout)

    def write(
        self,
        sql: str,
        params: Mapping[str, Any],
        path: Path,
        *,
        cancel: CancellationToken | None = None,
        timeout: float | None = None,
    ) -> None:
        """Write every row to an Arrow IPC file; errors as of :meth:`execute`."""
        table = self._run(sql, params, cancel, timeout)
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)

    def _run(
        self, sql: str, params: Mapping[str, Any], cancel: CancellationToken | None, timeout: float | None
    ) -> pa.Table:
        if cancel is not None:
            cancel.raise_if_cancelled()
        timeout = self._limits.timeout if timeout is None else timeout
        text, values = _positional(sql, params)
        with self._admission:
            table = self._tried(text, values, cancel, timeout)
        if cancel is not None:
            cancel.raise_if_cancelled()
        return plain_table(table)

    def _tried(self, text: str, values: list[Any], cancel: CancellationToken | None, timeout: float) -> pa.Table:
        """Once more on a new connection, if one that had been idle turns out to be gone."""
        watch: Watch | None = None
        for fresh in (False, True):
            used_fresh = fresh
            try:
                with self._connections.lent(fresh=fresh) as lent:
                    used_fresh = lent.fresh
                    # A second later than the server's own limit: this one is for a server that does not keep its word.
                    with watched(lent.interrupt, cancel=cancel, timeout=timeout + 1) as watch:
                        return apart(lent.interrupt, partial(_fetched, lent, text, values, timeout))
            except driver().Error as error:
                if _is_gone(error) and not used_fresh and not self._connections.closed:
                    continue
                raise self._failure(error, watch, cancel, timeout) from None
        raise EngineFailure("The database does not answer.")

    def _failure(self, error: Any, watch: Watch | None, cancel: CancellationToken | None, timeout: float) -> QueryError:
        _log.debug("engine failure", exc_info=error)
        state = str(getattr(error, "sqlstate", "") or "")
        if watch is not None and watch.cancelled and cancel is not None:
            cancel.raise_if_cancelled()
        if self._connections.closed:
            return EngineFailure("The engine is closed.")
        if (watch is not None and watch.timed_out) or state == "57014":
            return QueryTimeout(
                f"The query took longer than {timeout:g} seconds and was stopped; narrow it with a filter."
            )
        if state.startswith("53"):
            return OutOfMemory("The query needs more of the database than it may use; narrow it with a filter.")
        if state.startswith("22") or state == "21000":
            return NotComputed(OWN_VALUES)
        if state == "42501":
            return NotPlanned("The database's role may not read a table of the model.")
        if _is_gone(error):
            return EngineFailure("The database does not answer.")
        return (NotPlanned if state.startswith("42") else EngineFailure)(
            "The query could not be computed (a value was out of range, or an expression does not fit its type)."
        )

    def close(self) -> None:
        """Interrupt what runs, wait until it has ended, and close."""
        self._connections.close()

    def __reduce__(self) -> Any:
        raise TypeError("an engine holds live connections and cannot be pickled")


def _fetched(lent: Lent, text: str, values: list[Any], timeout: float) -> pa.Table:
    lent.limit(timeout)
    with lent.cursor() as cursor:
        cursor.execute(text, values or None)
        return cursor.fetch_arrow_table()


def _positional(sql: str, params: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """``$p3`` as ``$1``: PostgreSQL counts its parameters."""
    names: list[str] = []

    def place(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return found[0]
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    text = _PARAMETER.sub(place, sql)
    return text, [_sent(params[name]) for name in names]


def _sent(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        # PostgreSQL takes a larger whole number as numeric alone.
        return Decimal(value)
    return list(value) if isinstance(value, tuple) else value


def _quoted(name: str) -> str:
    from ...dialects.postgres.names import identifier

    return identifier(name)


def _is_gone(error: Any) -> bool:
    state = str(getattr(error, "sqlstate", "") or "")
    return state.startswith(("08", "57P")) or (not state and "server closed the connection" in str(error))


def _said(error: Any) -> str:
    """The first line of what the driver says that tells something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else "cannot be read").removeprefix("IO: ").removeprefix("[libpq] ")


def _remarks(where: str, encoding: str, version: int, writes: bool, catalog: Catalog) -> list[str]:
    if encoding != "UTF8":
        raise ValueError(f"PostgreSQL at {where}: the database's encoding is {encoding}; only UTF8 is read")
    if version < _OLDEST:
        raise ValueError(f"PostgreSQL at {where}: version {version // 10_000}; 15 and newer are asked")
    if not catalog.described():
        raise ValueError(f"PostgreSQL at {where} has no tables that this user may read")
    if not writes:
        return []
    told = (
        f"the role of PostgreSQL at {where} may write: nothing here does, but a role that can only read is safer "
        "(GRANT SELECT alone; docs/engines.md)"
    )
    _log.warning("%s", told)
    return [told]
