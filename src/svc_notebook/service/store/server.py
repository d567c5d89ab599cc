"""A database that SQLAlchemy connects to: a file of SQLite's, or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from .prepared import command

__all__ = ["Database"]


class Database:
    """Begins transactions on connections of an engine's."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.dialect = engine.dialect.name
        # SQLite's transactions see one state by themselves.
        one_view = {} if self.dialect == "sqlite" else {"isolation_level": "REPEATABLE READ"}
        self._reading, self._writing = engine.execution_options(**one_view), engine

    @property
    def description(self) -> str:
        """Where it is, without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    @contextmanager
    def begun(self, *, write: bool, durable: bool) -> Iterator[Connection]:
        """A connection, in a transaction that is kept as the block ends, and not if it fails."""
        with (self._writing if write else self._reading).begin() as connection:
            _begin(connection, write, durable)
            yield connection

    def dispose(self) -> None:
        """Close what nobody uses; what is in use is closed by whoever uses it."""
        self.engine.dispose()

    def forked(self) -> None:
        """A child opens connections of its own, and does not end its parent's."""
        self.engine.dispose(close=False)


def _begin(connection: Connection, write: bool, durable: bool) -> None:
    """Begin as the work wants it; not in a listener, since an engine that has one runs them all at each statement."""
    if connection.dialect.name == "sqlite":
        if write:
            _synchronise(connection, durable)
        # A deferred transaction that turns into a writing one fails at once when another process wrote in between.
        command(connection, "BEGIN IMMEDIATE" if write else "BEGIN")
    elif not durable:
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _synchronise(connection: Connection, durable: bool) -> None:
    """Whether a commit waits for the disk: without, it is in the log that the next durable one writes out."""
    if connection.info.get("svc_durable", durable) is not durable:
        # Before the transaction: within one SQLite refuses it.
        connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        connection.info["svc_durable"] = durable
