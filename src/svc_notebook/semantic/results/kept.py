"""Results that are kept as Arrow tables, so that showing, loading, drawing and repeating one costs no second query.

There is room for so many bytes in memory, and for so many on disk for what memory cannot hold. A result is found again
by everything it depends on: the generation of the data, the model, what is known of the asker, the query as it was
compiled for them. So nobody is given what they could not have asked for themselves. By its ``uuid`` it is found also
when the data have moved on, by whoever still has the same rights over the same model.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterable
from dataclasses import field, replace
from pathlib import Path

import pyarrow as pa

from ... import patterns as re
from ...records import dataclass
from .query_result import KeptKey, QueryResult

__all__ = ["KeptKey", "KeptResults", "is_steady"]

_EACH = 4_096  # what an entry takes besides its rows: its key, the query as it was compiled, columns, notes
_SMALL = 65_536
_NAMES = 100_000
# Words and not calls: some of them are written without brackets. A column of such a name is computed again, no worse.
_VOLATILE = re.compile(
    r"\b(now|today|random|uuid\w*|gen_random_uuid|get_current_\w+|current_\w+|localtime\w*|transaction_timestamp|"
    r"nextval|txid_current|setseed)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Entry:
    result: QueryResult
    size: int
    path: Path | None = None
    names: set[str] = field(default_factory=set)


def is_steady(sql: str) -> bool:
    """Whether compiled SQL gives the same rows over the same data whenever it is asked."""
    return _VOLATILE.search(sql) is None


class KeptResults:
    """The results that were used last.

    Parameters
    ----------
    memory, disk
        Bytes of rows to hold in memory, and in files that go with the process. With no bytes at all nothing is kept.
    """

    def __init__(self, memory: int = 268_435_456, disk: int = 2_147_483_648) -> None:
        self._room = {False: memory, True: disk}
        self._used = {False: 0, True: 0}
        self._entries: OrderedDict[KeptKey, _Entry] = OrderedDict()
        self._names: OrderedDict[str, KeptKey] = OrderedDict()
        self._gone: deque[Hashable] = deque()
        self._lock = threading.RLock()
        self._folder: Path | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def limit(self, memory: int, disk: int) -> None:
        """Have room for so many bytes from now on."""
        with self._lock:
            self._room = {False: memory, True: disk}
            self._make_room()

    @property
    def used(self) -> tuple[int, int]:
        """Bytes of rows in memory, and on disk."""
        return self._used[False], self._used[True]

    def find(self, key: KeptKey) -> QueryResult | None:
        """The result under a key."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return self._read(key, entry)

    def at_hand(self, keys: Iterable[KeptKey], uuid: str = "", rest: Hashable = None) -> QueryResult | None:
        """What :meth:`named` and then :meth:`find` give, where nobody has to wait for it: no lock, and no file."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            named = self._names.get(uuid) if uuid else None
            for key in (*((named,) if named is not None and named.rest == rest else ()), *keys):
                entry = self._entries.get(key)
                if entry is not None and entry.path is None:
                    self._entries.move_to_end(key)
                    return entry.result
            return None
        finally:
            self._lock.release()

    def put(self, key: KeptKey, result: QueryResult) -> None:
        """Keep a result; what was used longest ago moves to disk, and from there away."""
        size = result.table.nbytes + _EACH
        if size > max(self._room.values()):
            return
        kept = replace(result, table=_compact(result.table))
        with self._lock:
            self._drop_unreachable()
            names = before.names if (before := self._entries.get(key)) is not None else set()
            self._drop(key)
            self._entries[key] = _Entry(kept, size, names=names)
            self._names.update(dict.fromkeys(names, key))
            self._used[False] += size
            self._make_room()

    def name(self, uuid: str, key: KeptKey) -> None:
        """Have what is kept under ``key`` be found by a ``uuid`` too, for as long as it is kept."""
        with self._lock:
            if (entry := self._entries.get(key)) is None:
                return
            self._names[uuid] = key
            entry.names.add(uuid)
            while len(self._names) > _NAMES:
                old, key = self._names.popitem(last=False)
                self._entries[key].names.discard(old)

    def moved_on(self, data: Hashable) -> None:
        """Nobody asks these data any more: what has no ``uuid`` is found by nobody. From any thread, at any moment."""
        self._gone.append(data)

    def named(self, uuid: str, rest: Hashable) -> QueryResult | None:
        """The result of a ``uuid``, whatever its data, for whom everything else is the same."""
        with self._lock:
            key = self._names.get(uuid)
            return self.find(key) if key is not None and key.rest == rest else None

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            for key in list(self._entries):
                self._drop(key)

    def _drop_unreachable(self) -> None:
        gone = {self._gone.popleft() for _ in range(len(self._gone))}
        for key, entry in list(self._entries.items()) if gone else ():
            if key.data in gone and not entry.names:
                self._drop(key)

    # --- memory and disk ------------------------------------------------------------------------------------------

    def _make_room(self) -> None:
        for on_disk, make in ((False, self._spill), (True, self._drop)):
            if self._used[on_disk] <= self._room[on_disk]:
                continue
            for key, entry in list(self._entries.items()):  # the oldest first
                if self._used[on_disk] <= self._room[on_disk]:
                    break
                if (entry.path is not None) is on_disk:
                    make(key)

    def _spill(self, key: KeptKey) -> None:
        entry = self._entries[key]
        if entry.size > self._room[True]:
            self._drop(key)
            return
        path = self._place()
        table = entry.result.table
        try:
            with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
        except OSError:  # no room there: it is asked for again when it is wanted
            path.unlink(missing_ok=True)
            self._drop(key)
            return
        entry.result, entry.path = replace(entry.result, table=table.schema.empty_table()), path
        self._used[False] -= entry.size
        self._used[True] += entry.size

    def _read(self, key: KeptKey, entry: _Entry) -> QueryResult | None:
        if entry.path is None:
            return entry.result
        try:
            # Mapped: a page of a large result reads a page of the file.
            with pa.memory_map(str(entry.path)) as file:
                return replace(entry.result, table=pa.ipc.open_file(file).read_all())
        except (OSError, pa.ArrowException):  # somebody cleared the folder
            self._drop(key)
            return None

    def _drop(self, key: KeptKey) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        for uuid in entry.names:
            self._names.pop(uuid, None)
        self._used[entry.path is not None] -= entry.size
        if entry.path is not None:
            entry.path.unlink(missing_ok=True)

    def _place(self) -> Path:
        if self._folder is None:  # for this process's user alone
            self._folder = Path(tempfile.mkdtemp(prefix="svc-results-"))
            # Of the process that made it: a forked child ends with the same object and would take the folder from its
            # parent.
            weakref.finalize(self, _remove, self._folder, os.getpid())
        handle, name = tempfile.mkstemp(suffix=".arrow", dir=self._folder)
        os.close(handle)
        return Path(name)


def _compact(table: pa.Table) -> pa.Table:
    """A few rows in as many bytes: an engine gives them in buffers of its own, a hundred times as large."""
    if table.nbytes > _SMALL:
        return table
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return pa.ipc.open_stream(sink.getvalue()).read_all()


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
