"""One store, three databases: memory and file on SQLite, or PostgreSQL.

A unit of work is a function of one connection, run by :meth:`Store.write` or :meth:`Store.read` inside one
transaction. Every call blocks; the service runs them on the store's own threads.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from .errors import StoreBusy, StoreError
from .faults import Again, explained, of_database
from .file_watch import FileWatch
from .forking import at_rest_for_forks
from .prepared import command

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from .memory import MemoryDatabase
    from .server import Database

__all__ = ["Outcome", "Store"]

P = ParamSpec("P")
T = TypeVar("T")
_RETRIES = 8
_THREADS = 8
_FILE_READERS = 2
"""Threads that read a file of SQLite's: one computes while the other waits for the disk. More take the interpreter from
each other and from everybody: for 500 chats at once eight computed a tenth more, and first lines left later.
"""
_LONGEST = 0.02
"""Seconds after which no further work is begun in a transaction that several share: others wait for its lock."""


class Outcome(NamedTuple):
    """What work gave, or what it raised."""

    value: Any = None
    error: Exception | None = None


class _Mode(NamedTuple):
    """What a transaction is for, and whether its end waits for the disk."""

    write: bool
    durable: bool = True


_READING, _WRITING, _NOTING = _Mode(write=False), _Mode(write=True), _Mode(write=True, durable=False)


class Store:
    """An open state store. Make one with :func:`~svc_notebook.service.store.open_store`."""

    def __init__(
        self, database: Database | MemoryDatabase, *, path: Path | None = None, exclusive: bool = False
    ) -> None:
        self._database = database
        self.dialect = database.dialect
        self.path = path
        self._exclusive = exclusive  # one connection serves everybody
        self._watch: FileWatch | None = None
        self._writer = threading.Lock()
        self._one_writer = self.dialect == "sqlite"
        at_rest_for_forks(self)

    def __repr__(self) -> str:
        return f"<Store {self.description}>"

    @property
    def engine(self) -> Engine:
        """The database as SQLAlchemy knows it."""
        return self._database.engine

    def watch(self) -> None:
        """From now on, notice when the file is no longer where it was opened."""
        assert self.path is not None
        self._watch = FileWatch(self.path)

    @property
    def description(self) -> str:
        """Where the state lives, without a password."""
        return str(self.path) if self.path else self._database.description

    @property
    def lasts(self) -> bool:
        """Whether what is kept here outlives the process."""
        return not self._exclusive

    @property
    def readers(self) -> int:
        """How many threads are best to read at once."""
        if self._exclusive:
            return 1
        return _FILE_READERS if self._one_writer else _THREADS

    @property
    def writers(self) -> int:
        """How many threads can write at once without waiting for each other."""
        return 1 if self._one_writer else _THREADS

    def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` in one transaction: all of it is kept, or nothing.

        Raises
        ------
        StoreBusy, StoreAway, StoreFull, StoreFailed
            The database could not do the work; nothing was changed.
        """
        return self._write(_WRITING, work, *args, **kwargs)

    def note(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` as :meth:`write` does, kept whatever becomes of this process, not yet of the machine.

        The next :meth:`write` keeps it for good. Nobody waits for a disk.
        """
        return self._write(_NOTING, work, *args, **kwargs)

    def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` on one consistent view of the state."""
        if self._exclusive:
            with self._writer:
                return self._transaction(_READING, work, *args, **kwargs)
        return self._transaction(_READING, work, *args, **kwargs)

    @property
    def shares_writes(self) -> bool:
        """Whether writes that wait for each other are better done by :meth:`write_together`."""
        return self._one_writer

    def write_together(
        self, works: Sequence[Callable[[Connection], Any]], *, durable: bool = True
    ) -> list[Outcome] | None:
        """Run works in one transaction, of which each is kept wholly or not at all: they wait for one disk together.

        What one raises is its outcome, and it has changed nothing. Not all may be done, but the first are. None where
        the database could not do them so: then nothing was changed, and one by one each finds what is in its way.
        """
        with self._writer:
            return self._together(_WRITING if durable else _NOTING, works, _apart)

    def read_together(self, works: Sequence[Callable[[Connection], Any]]) -> list[Outcome] | None:
        """Run works on one view of the state; the rest as of :meth:`write_together`."""
        if self._exclusive:
            with self._writer:
                return self._together(_READING, works, _outcome)
        return self._together(_READING, works, _outcome)

    def trial(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` as :meth:`write` does, give what it gives, and keep nothing of what it changed."""

        def undone(connection: Connection) -> None:
            # An exception is the one way out of a transaction that rolls it back, whoever began it.
            raise _Undone(work(connection, *args, **kwargs))

        try:
            self.write(undone)
        except _Undone as done:
            return cast(T, done.args[0])
        raise AssertionError("a trial ends where its work does")

    def state_hash(self) -> str:
        """A digest of users, definitions, memberships and values that does not depend on ids or on order."""
        from .statehash import state_hash

        return self.read(state_hash)

    def close(self) -> None:
        if not self._exclusive:
            self._database.dispose()
            return
        with self._writer:  # SQLite does not survive a connection that is closed under a running statement
            self._database.dispose()

    def _forked(self) -> None:
        self._database.forked()

    def _write(self, mode: _Mode, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        if not self._one_writer:
            return self._retried(mode, work, *args, **kwargs)
        with self._writer:
            return self._transaction(mode, work, *args, **kwargs)

    def _retried(self, mode: _Mode, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        for attempt in range(_RETRIES):
            try:
                return self._transaction(mode, work, *args, **kwargs)
            except Again:
                # Up to 10 ms at first, doubled: a second or two in all, on a thread that has nothing else to do.
                time.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311 (jitter)
        raise StoreBusy("The state store could not order this change among others made at the same time; try again.")

    def _transaction(self, mode: _Mode, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        self._check_file(used=False)
        try:
            with self._database.begun(write=mode.write, durable=mode.durable) as connection:
                result = work(connection, *args, **kwargs)
        except Exception as error:
            if not of_database(error):
                raise
            raise explained(error, self.path, self.description) from error
        self._check_file(used=True)  # moved meanwhile: what was kept is not where anybody will look for it
        return result

    def _together(
        self, mode: _Mode, works: Sequence[Callable[[Connection], Any]], way: Callable[..., Outcome]
    ) -> list[Outcome] | None:
        found: list[Outcome] = []
        begun = False

        def each(connection: Connection) -> None:
            nonlocal begun
            begun, until = True, time.monotonic() + _LONGEST
            for work in works:
                found.append(way(connection, work))
                if time.monotonic() >= until:
                    return

        try:
            self._transaction(mode, each)
        except StoreError as error:  # where nothing was begun, none of them would be
            return None if begun else [Outcome(error=error)] * len(works)
        return found

    def _check_file(self, *, used: bool) -> None:
        if self._watch is not None:
            self._watch.check(used=used)


def _outcome(connection: Connection, work: Callable[[Connection], Any]) -> Outcome:
    try:
        return Outcome(work(connection))
    except Exception as error:  # whoever waits for it is told
        if of_database(error):  # what it leaves behind may be everybody's
            raise
        return Outcome(error=error)


def _apart(connection: Connection, work: Callable[[Connection], Any]) -> Outcome:
    """Work among others in a transaction of SQLite's, undone alone where it fails."""
    command(connection, "SAVEPOINT svc_one")
    found = _outcome(connection, work)
    if found.error is not None:
        # It stays open after that, and is released below in either case.
        command(connection, "ROLLBACK TO svc_one")
    command(connection, "RELEASE svc_one")
    return found


class _Undone(Exception):
    """What came out of a trial; its transaction is rolled back."""
