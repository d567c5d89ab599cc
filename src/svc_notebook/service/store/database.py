"""One store, three databases: memory and file on SQLite, or PostgreSQL.

A unit of work is a function of one connection, run by :meth:`Store.write` or :meth:`Store.read` inside one
transaction. Every call blocks; the service runs them on the store's own threads.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from .errors import StoreBusy, StoreFailed, StoreFull
from .lockholder import lock_holder
from .migrate import migrate
from .schema import metadata
from .statehash import state_hash

__all__ = ["Store", "open_store"]

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_RETRIES = 8
_THREADS = 8
_SERIALIZATION = {"40001", "40P01"}  # could not serialize, deadlock detected


class Store:
    """An open state store. Make one with :func:`open_store`."""

    def __init__(self, engine: Engine, *, path: Path | None = None, exclusive: bool = False) -> None:
        self.engine = engine
        self.dialect = engine.dialect.name
        # SQLite's transactions see one state by themselves.
        one_view = {} if self.dialect == "sqlite" else {"isolation_level": "REPEATABLE READ"}
        self._reading = engine.execution_options(svc_write=False, **one_view)
        self._writing = engine.execution_options(svc_write=True)
        self._noting = engine.execution_options(svc_write=True, svc_durable=False)
        self.path = path
        self._exclusive = exclusive  # one connection serves everybody
        self._writer = threading.Lock()
        self._one_writer = self.dialect == "sqlite"

    def __repr__(self) -> str:
        return f"<Store {self.description}>"

    @property
    def description(self) -> str:
        """Where the state lives, without a password."""
        return str(self.path) if self.path else self.engine.url.render_as_string(hide_password=True)

    @property
    def readers(self) -> int:
        """How many threads can read at once without waiting for each other."""
        return 1 if self._exclusive else _THREADS

    @property
    def writers(self) -> int:
        """How many threads can write at once without waiting for each other."""
        return 1 if self._one_writer else _THREADS

    def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` in one transaction: all of it is kept, or nothing.

        Raises
        ------
        StoreBusy, StoreFull, StoreFailed
            The database could not do the work; nothing was changed.
        """
        return self._write(self._writing, work, *args, **kwargs)

    def note(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` as :meth:`write` does, kept whatever becomes of this process, not yet of the machine.

        The next :meth:`write` keeps it for good. Nobody waits for a disk.
        """
        return self._write(self._noting, work, *args, **kwargs)

    def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` on one consistent view of the state."""
        if self._exclusive:
            with self._writer:
                return self._transaction(self._reading, work, *args, **kwargs)
        return self._transaction(self._reading, work, *args, **kwargs)

    def trial(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` as :meth:`write` does, give what it gives, and keep nothing of what it changed."""

        def undone(connection: Connection) -> None:
            raise _Undone(work(connection, *args, **kwargs))

        try:
            self.write(undone)
        except _Undone as done:
            return cast(T, done.args[0])
        raise AssertionError("a trial ends where its work does")

    def state_hash(self) -> str:
        """A digest of users, definitions, memberships and values that does not depend on ids or on order."""
        return self.read(state_hash)

    def close(self) -> None:
        self.engine.dispose()

    def _write(self, mode: Engine, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        if not self._one_writer:
            return self._retried(mode, work, *args, **kwargs)
        with self._writer:
            return self._transaction(mode, work, *args, **kwargs)

    def _retried(self, mode: Engine, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        for attempt in range(_RETRIES):
            try:
                return self._transaction(mode, work, *args, **kwargs)
            except _Again:
                time.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311 (jitter)
        raise StoreBusy("The state store could not order this change among others made at the same time; try again.")

    def _transaction(self, mode: Engine, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        try:
            with mode.begin() as connection:
                return work(connection, *args, **kwargs)
        except SQLAlchemyError as error:
            raise self._explained(error) from error

    def _explained(self, error: SQLAlchemyError) -> Exception:
        text = str(getattr(error, "orig", error))
        if getattr(getattr(error, "orig", None), "sqlstate", None) in _SERIALIZATION:
            return _Again(text)
        if isinstance(error, OperationalError | DBAPIError):
            if "locked" in text or "busy" in text:
                return self._told(
                    StoreBusy("The state store is locked; try again."),
                    f"The state store {self.description} is locked by {lock_holder(self.path)}.",
                )
            if "disk is full" in text or "No space left" in text or "disk I/O error" in text:
                return self._told(
                    StoreFull("The state store has no room left: free some disk space."),
                    f"The state store {self.description} has no room left.",
                )
        _log.error("state store %s: %s", self.description, text)
        return StoreFailed("The state store failed; the service's log says why.")

    @staticmethod
    def _told(error: Exception, detail: str) -> Exception:
        """The error as a caller may read it; which file and which process is for the log and for tracebacks."""
        _log.warning("%s", detail)
        error.add_note(detail)
        return error


class _Undone(Exception):
    """What came out of a trial; its transaction is rolled back."""


class _Again(StoreBusy):
    """The database asks to run the transaction again."""


def open_store(url: str | Path = "memory", *, busy_timeout: float = 5.0, pool_size: int = 8) -> Store:
    """Open the state store at ``url``, creating and migrating its tables as needed.

    Parameters
    ----------
    url
        ``"memory"``; a path or ``sqlite:///path`` of an SQLite file; ``postgresql+psycopg://…``.
    busy_timeout
        Seconds to wait for a lock that another process holds.
    """
    text = str(url)
    if text in {"memory", ":memory:", "sqlite://", "sqlite:///:memory:"}:
        return _open_memory()
    if "://" not in text:
        target = URL.create("sqlite", database=text)
    else:
        target = make_url(text)
    if target.drivername == "postgresql":
        target = target.set(drivername="postgresql+psycopg")
    if target.get_backend_name() == "sqlite":
        return _open_file(Path(target.database or ""), busy_timeout)
    return _open_server(target, busy_timeout, pool_size)


def _open_memory() -> Store:
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    _configure_sqlite(engine, 0.0, durable=False)
    store = Store(engine, exclusive=True)
    store.write(metadata.create_all)
    return store


def _open_file(path: Path, busy_timeout: float) -> Store:
    path = path.expanduser().absolute()
    if not path.parent.is_dir():
        raise StoreFailed(f"The state store {path} cannot be opened: the folder {path.parent} does not exist.")
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"check_same_thread": False, "timeout": busy_timeout},
        pool_size=8, max_overflow=32, pool_use_lifo=True,  # a connection that is warm
    )  # fmt: skip
    _configure_sqlite(engine, busy_timeout, durable=True)
    store = Store(engine, path=path)
    try:
        store.write(migrate)
    except BaseException:
        engine.dispose()
        raise
    return store


def _open_server(target: URL, timeout: float, pool_size: int) -> Store:
    engine = create_engine(
        target, pool_size=pool_size, max_overflow=pool_size, pool_pre_ping=True,
        connect_args={"connect_timeout": max(2, int(timeout)), "options": f"-c lock_timeout={int(timeout * 1000)}"},
    )  # fmt: skip
    _configure_server(engine)
    store = Store(engine)
    try:
        store.write(migrate)
    except BaseException:
        engine.dispose()
        raise
    return store


def _configure_sqlite(engine: Engine, busy_timeout: float, *, durable: bool) -> None:
    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # transactions are begun by the listener below, not by the driver
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={int(busy_timeout * 1000)}")
        cursor.execute("PRAGMA foreign_keys=ON")
        if durable:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            record.info["svc_durable"] = True
            cursor.execute("PRAGMA journal_size_limit=16777216")
        cursor.close()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        # A deferred transaction that turns into a writing one fails at once when another process wrote in between.
        options = connection.get_execution_options()
        write = options.get("svc_write", True)
        if durable and write:
            _synchronise(connection, options.get("svc_durable", True))
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _synchronise(connection: Connection, durable: bool) -> None:
    """Whether a commit waits for the disk: without, it is in the log that the next durable one writes out."""
    if connection.info["svc_durable"] is not durable:
        connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        connection.info["svc_durable"] = durable


def _configure_server(engine: Engine) -> None:
    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("svc_durable", True):
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
