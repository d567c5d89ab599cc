"""Open a store that SQLAlchemy connects to: a file of SQLite's, or PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url

from .database import Store
from .errors import StoreBusy, StoreFailed
from .faults import broken_file
from .migrate import migrate
from .server import Database

__all__ = ["connect"]

_PAUSE = 0.02


def connect(url: str, busy_timeout: float, pool_size: int) -> Store:
    """The store of a path or URL, its tables migrated."""
    target = make_url(url) if "://" in url else URL.create("sqlite", database=url)
    if target.drivername == "postgresql":
        target = target.set(drivername="postgresql+psycopg")
    if target.get_backend_name() == "sqlite":
        return _open_file(Path(target.database or ""), busy_timeout)
    return _open_server(target, busy_timeout, pool_size)


def _open_file(path: Path, busy_timeout: float) -> Store:
    path = path.expanduser().absolute()
    if not path.parent.is_dir():
        raise StoreFailed(f"The state store {path} cannot be opened: the folder {path.parent} does not exist.")
    if path.is_dir():
        raise StoreFailed(f"The state store {path} cannot be opened: it is a folder; name a file in it.")
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"check_same_thread": False, "timeout": busy_timeout},
        pool_size=8, max_overflow=32, pool_use_lifo=True,  # a connection that is warm
    )  # fmt: skip
    _configure_sqlite(engine)
    store = Store(Database(engine), path=path)
    try:
        _patiently(lambda: store.write(migrate), busy_timeout)
    except BaseException as error:
        engine.dispose()
        if isinstance(error, StoreFailed) and (cause := error.__cause__) is not None:
            raise StoreFailed(broken_file(path, str(getattr(cause, "orig", cause)))) from error
        raise
    store.watch()
    return store


def _patiently(work: Callable[[], None], seconds: float) -> None:
    """Try until ``seconds`` have passed: who makes a new file's log is not waited for by SQLite itself."""
    until = time.monotonic() + seconds
    while True:
        try:
            work()
        except StoreBusy:
            if time.monotonic() >= until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _open_server(target: URL, timeout: float, pool_size: int) -> Store:
    engine = create_engine(
        target, pool_size=pool_size, max_overflow=pool_size, pool_pre_ping=True,
        connect_args={
            # libpq takes whole seconds, and no fewer than two.
            "connect_timeout": max(2, int(timeout)), "options": f"-c lock_timeout={int(timeout * 1000)}",
            # A machine that has vanished is known by its silence on the wire.
            "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000,
        },
    )  # fmt: skip
    store = Store(Database(engine))
    try:
        store.write(migrate)
    except BaseException:
        engine.dispose()
        raise
    return store


def _configure_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # transactions are begun by the store, not by the driver
        cursor = connection.cursor()
        # Off by default, and for each connection anew; deleting users relies on it.
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        record.info["svc_durable"] = True
        # Else the log keeps the size of the largest transaction there ever was.
        cursor.execute("PRAGMA journal_size_limit=16777216")
        cursor.close()
