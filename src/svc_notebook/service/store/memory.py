"""A database in memory: one connection of SQLite's driver, which everybody shares.

Statements that have a text go to the driver; where one comes without, SQLAlchemy is loaded and shown the same
connection, whose transactions are begun and ended here in any case.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .prepared import command

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = ["MemoryDatabase"]

# The tables of `schema.py` as SQLite's text: to write it anew took six times as long as to make them.
_TABLES = Path(__file__).with_name("memory.sql")


class MemoryDatabase:
    """Begins transactions on the one connection there is, one after the other; who asks sees to that."""

    dialect = "sqlite"
    description = "sqlite://"

    def __init__(self) -> None:
        driver = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False, factory=_Driver)
        driver.execute("PRAGMA foreign_keys=ON")  # off by default; deleting users relies on it
        # Without Alembic, whose import takes longer than everything else here; nothing that is in memory is ever older.
        driver.executescript(_TABLES.read_text("utf8"))
        self._held = _Held(driver)
        self._connection = cast("Connection", self._held)

    @property
    def engine(self) -> Engine:
        """The database as SQLAlchemy is shown it."""
        return self._held.shown.engine

    @contextmanager
    def begun(self, *, write: bool, durable: bool) -> Iterator[Connection]:
        """The connection, in a transaction that is kept as the block ends, and not if it fails."""
        command(self._connection, "BEGIN IMMEDIATE" if write else "BEGIN")
        try:
            yield self._connection
            command(self._connection, "COMMIT")
        except BaseException:
            if self._held.dbapi_connection.in_transaction:  # SQLite has ended it by itself after some errors
                command(self._connection, "ROLLBACK")
            raise

    def dispose(self) -> None:
        """Close it: what it held is gone."""
        self._held.dbapi_connection.close()

    def forked(self) -> None:
        """A child has a copy of its own."""


class _Driver(sqlite3.Connection):
    """Its transactions are the store's alone: SQLAlchemy ends one whenever it has done something."""

    def commit(self) -> None: ...

    def rollback(self) -> None: ...


class _Held:
    """What the store's functions use of a connection of SQLAlchemy's."""

    class dialect:  # noqa: N801 (as it is named there)
        name = "sqlite"

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.dbapi_connection = driver

    @property
    def connection(self) -> _Held:
        return self

    @cached_property
    def shown(self) -> Connection:
        """The connection as SQLAlchemy sees it."""
        from sqlalchemy import create_engine
        from sqlalchemy.pool import StaticPool

        return create_engine("sqlite://", creator=lambda: self.dbapi_connection, poolclass=StaticPool).connect()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shown, name)
