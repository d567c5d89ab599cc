"""Connections to PostgreSQL: read-only, with every setting that a result may depend on pinned; lent to one query."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["Connections", "Lent", "driver", "plain_url"]

_log = logging.getLogger(__name__)
# Unqualified names are PostgreSQL's own: nobody who may create something can put a function of theirs before it.
_PINNED = {
    "search_path": "pg_catalog", "default_transaction_read_only": "on", "TimeZone": "UTC", "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres", "extra_float_digits": "1", "standard_conforming_strings": "on",
    "client_encoding": "UTF8", "row_security": "on", "application_name": "svc-notebook",
}  # fmt: skip


_HARMLESS = ("21", "22", "42")  # the server has undone what there was to undo


def driver() -> Any:
    """ADBC's driver for PostgreSQL.

    Raises
    ------
    ValueError
        If it is not installed.
    """
    try:
        import adbc_driver_postgresql.dbapi as found
    except ImportError:
        raise ValueError(
            'a database that is asked where it lies needs its driver: pip install "svc-notebook[postgres]"'
        ) from None
    return found


def plain_url(url: str) -> str:
    """The URL as libpq reads it: without the driver that SQLAlchemy's have in their scheme."""
    scheme, _, rest = url.partition("://")
    return f"{scheme.partition('+')[0]}://{rest}"


class Lent:
    """A connection while one query has it."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.fresh = True
        self.timeout: int | None = None
        self._cursor: Any = None
        self._lock = threading.Lock()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """A query of our own making."""
        with self.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        cursor = self.connection.cursor()
        with self._lock:
            self._cursor = cursor
        try:
            yield cursor
        finally:
            with self._lock:
                self._cursor = None
            cursor.close()

    def limit(self, seconds: float) -> None:
        """How long a statement may take; the server ends it by itself."""
        # 0 would be no limit at all.
        wanted = max(1, int(seconds * 1000))
        if wanted != self.timeout:
            self.rows(f"SELECT set_config('statement_timeout', '{wanted}', false)")
            self.timeout = wanted

    def interrupt(self) -> None:
        """Ask the server to end what runs; one that comes when nothing does is lost."""
        with self._lock:
            if self._cursor is not None:
                with suppress(Exception):  # the connection may be gone: then nothing runs
                    self._cursor.adbc_cancel()


class Connections:
    """Opens connections, and keeps those that are idle."""

    def __init__(self, url: str, most: int) -> None:
        self._url, self._most = plain_url(url), most
        self._idle: list[Lent] = []
        self._open: set[Lent] = set()
        self._changed = threading.Condition()
        self.closed = False

    def open(self) -> Lent:
        """A new one."""
        lent = Lent(driver().connect(self._url, autocommit=True))
        try:
            lent.rows("SELECT " + ", ".join(f"set_config('{k}', '{v}', false)" for k, v in _PINNED.items()))
        except BaseException:
            lent.connection.close()
            raise
        return lent

    @contextmanager
    def lent(self, *, fresh: bool = False) -> Iterator[Lent]:
        """One for a query; one whose query failed is not lent again, unless it failed by its values or its words."""
        with self._changed:
            lent = self._idle.pop() if self._idle and not fresh else None
        if lent is None:
            lent = self.open()
        else:
            lent.fresh = False
        with self._changed:
            self._open.add(lent)
        kept = False
        try:
            yield lent
            kept = True
        except driver().Error as error:
            kept = str(error.sqlstate or "")[:2] in _HARMLESS
            raise
        finally:
            with self._changed:
                self._open.discard(lent)
                kept = kept and not self.closed and len(self._idle) < self._most
                if kept:
                    self._idle.append(lent)
                self._changed.notify_all()
            if not kept:
                _shut(lent)

    def close(self) -> None:
        """Interrupt what runs, wait until it has ended, and close."""
        with self._changed:
            self.closed = True
            while self._open:
                for lent in self._open:
                    lent.interrupt()
                self._changed.wait(0.02)
            idle, self._idle = self._idle, []
        for lent in idle:
            _shut(lent)


def _shut(lent: Lent) -> None:
    try:
        lent.connection.close()
    except Exception:  # noqa: BLE001  # a connection that is broken says so in many ways; it is given up
        _log.debug("a connection could not be closed", exc_info=True)
