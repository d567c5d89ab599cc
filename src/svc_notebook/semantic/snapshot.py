"""The data at one moment, in an engine of their own, and where they come from.

A snapshot is never changed. Who answers from it holds it; with the last one that lets go its engine is closed.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from ..records import dataclass
from .engine import DuckDBEngine, Engine
from .intake.given import Given, read_given
from .intake.live import LiveDatabase, SparkServer
from .intake.postgres import declared_keys
from .intake.stamps import Stamp, paths_among, settled, stamp_of

__all__ = ["DataSource", "Snapshot"]

# A second and a half in all, which a file that is copied or written anew is through with as a rule.
_WAITS = (0.06, 0.1, 0.2, 0.4, 0.8)


class Snapshot:
    """Data as they were at one moment.

    Attributes
    ----------
    engine
        Answers from them.
    as_of
        When reading them began, in seconds since 1970; None where every query sees them as they are at its moment.
    stamp
        Of the files they were read from.
    given
        What was read: the keys it declares, and what is to be known of how that went.
    """

    def __init__(self, engine: Any, as_of: float | None, stamp: Stamp, given: Given) -> None:
        self.engine = engine
        self.as_of = as_of
        self.stamp = stamp
        self.given = given
        self._held = 0
        self._lock = threading.Lock()

    def hold(self) -> Callable[[], None]:
        """Keep the engine open until what this returns is called (a second call does nothing)."""
        with self._lock:
            self._held += 1
        kept = [True]

        def let_go() -> None:
            with self._lock:
                if not kept:
                    return
                kept.clear()
                self._held -= 1
                # Closed outside of the lock: closing an engine waits for its queries.
                last = not self._held
            if last:
                self.engine.close()

        return let_go


@dataclass(frozen=True)
class DataSource:
    """What data are read from, as often as it is asked.

    Parameters
    ----------
    values
        As for :func:`~svc_notebook.semantic.intake.given.read_given`.
    names
        What to call a table that has no name of its own, by the identity of the value.
    limits
        The engine's limits.
    """

    values: tuple[Any, ...] = field(repr=False)
    names: Mapping[int, str] = field(default_factory=dict, repr=False)
    limits: Any = None

    @property
    def paths(self) -> list[Path]:
        """The files and folders among the values."""
        return [path for value in self.values for path in paths_among(value)]

    @property
    def files(self) -> Mapping[str, Path] | None:
        """The file of each table, by its name; None where anything else is read, or a folder."""
        value = self.values[0] if len(self.values) == 1 else None
        if not isinstance(value, dict) or not all(isinstance(each, Path) and each.is_file() for each in value.values()):
            return None
        return dict(value)

    def stamp(self) -> Stamp:
        """Changes when a file does, or a folder has others; whatever is not a file never changes."""
        return stamp_of(self.paths)

    def read(self, *, first: bool = False) -> Snapshot:
        """The data as they are now.

        Parameters
        ----------
        first
            There is nothing to fall back to: files that are written to without a pause are taken as they come, with a
            remark.

        Raises
        ------
        ValueError
            They cannot be read; the message says what is wrong with which of them.
        """
        for wait in (*_WAITS, None):
            stamp, as_of = self.stamp(), time.time()
            if wait is not None and not settled(stamp, as_of):
                time.sleep(wait)
                continue
            try:
                given = read_given(*self.values, names=self.names)
                engine = _opened(given, self.limits)
            except (ValueError, OSError, sqlite3.Error) as error:
                # A file that fails and has changed since was read in the middle of being written.
                if wait is None or self.stamp() == stamp:
                    if isinstance(error, sqlite3.Error):
                        raise ValueError(f"the SQLite data cannot be read again: {error}") from None
                    raise
            else:
                given.tables = {}  # they are in the engine now
                steady = self.stamp() == stamp
                if not steady and wait is None and first:
                    given.remarks.append(
                        f"{_names(self.paths)}: written to while being read, so the end may be missing"
                    )
                if steady or (wait is None and first):
                    return Snapshot(engine, None if given.server is not None else as_of, stamp, given)
                engine.close()
            if wait is not None:
                time.sleep(wait)
        raise ValueError(f"{_names(self.paths)}: written to without a pause, so no one state of it could be read")

    @property
    def unseen(self) -> bool:
        """Whether something is read that may change without showing in a stamp: a database by its URL."""
        items = [item for value in self.values for item in _items(value)]
        return any(isinstance(item, LiveDatabase) or (isinstance(item, str) and "://" in item) for item in items)

    def kept(self) -> DataSource:
        """The same, without what cannot change where nothing else can: nobody need keep it in memory."""
        return self if self.paths or self.unseen else DataSource((), {}, self.limits)


def _opened(given: Given, limits: Any) -> Engine:
    """The engine over what was given."""
    if given.server is None:
        return DuckDBEngine.open(given.database, data=given.tables, limits=limits, remarks=given.remarks)
    if isinstance(given.server, SparkServer):
        from .engine.spark import SparkEngine

        return SparkEngine.open(given.server.url, files=given.server.files, limits=limits)
    from .engine.postgres import PostgresEngine

    engine = PostgresEngine.open(given.server.url, limits=limits)
    given.remarks += engine.remarks
    given.keys |= declared_keys(engine.rows)
    return engine


def _items(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]


def _names(paths: Iterable[Path]) -> str:
    return ", ".join(path.name for path in paths) or "the data"
