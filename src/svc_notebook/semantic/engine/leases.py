"""Cursors, set up once and lent to one query at a time."""

from __future__ import annotations

import threading

import duckdb

__all__ = ["Lease", "set_up"]

_SETTINGS = (
    "SET enable_progress_bar_print = false",  # how far a query is can be asked, and is not printed
    "SET enable_progress_bar = true",
)


class Lease:
    """A cursor while one query has it.

    A cursor that was interrupted, or whose query failed, is not lent again: nothing of one query reaches the next.
    """

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self.cursor = cursor
        self._lock = threading.Lock()
        self._over = False
        self._spoilt = False

    def interrupt(self) -> None:
        """Interrupt the query, if it still has the cursor."""
        # The same lock as in end(): an interrupt either meets its own query or none, never the next that has the
        # cursor.
        with self._lock:
            if not self._over:
                self._spoilt = True
                self.cursor.interrupt()

    def spoil(self) -> None:
        """Something was done to the cursor that the next query should not meet."""
        self._spoilt = True

    def end(self) -> bool:
        """From now on nothing is interrupted; whether the cursor may be lent again."""
        with self._lock:
            self._over = True
            return not self._spoilt


def set_up(cursor: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A new cursor with its settings."""
    for setting in _SETTINGS:
        cursor.execute(setting)
    return cursor
