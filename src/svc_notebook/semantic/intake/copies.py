"""A database file that others write, read from a copy: opening it in place would lock its writers out."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .stamps import settled, stamp_of

__all__ = ["database_copy"]

_WAL = ".wal"
# Three seconds in all, doubling: a commit is over in one of the first, a nightly load in none.
_WAITS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
# A tenth more, for what the log may grow by meanwhile.
_SPARE = 1.1


@contextmanager
def database_copy(path: Path) -> Iterator[Path]:
    """A copy of a DuckDB file as it was at one moment, with what its log holds; gone when the block ends.

    Whoever opens it within the block may go on reading it afterwards (not on Windows, where it stays until then).

    Raises
    ------
    ValueError
        There is no room for it, or the file is written to without a pause that is long enough.
    """
    _check_room(path)
    # Its cleaning may fail on Windows, where somebody still reads the copy.
    folder = Path(tempfile.mkdtemp(prefix="svc-data-"))
    try:
        target = folder / path.name
        _copied(path, target)
        yield target
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_room(path: Path) -> None:
    wanted = sum(entry.size for entry in stamp_of([path])) * _SPARE
    place = tempfile.gettempdir()
    if wanted > shutil.disk_usage(place).free:
        raise ValueError(
            f"'{path.name}' is read from a copy, and {place} has no room for its {wanted / 1e9:,.1f} GB: let TMPDIR "
            "name a folder that has"
        )


def _copied(path: Path, target: Path) -> None:
    for wait in _WAITS:
        before = stamp_of([path])
        # A write within the clock's last tick might leave the same stamp as the next.
        if settled(before):
            try:
                shutil.copyfile(path, target)
                log = path.with_name(path.name + _WAL)
                _copy_log(log, target.with_name(target.name + _WAL))
            except OSError as error:
                raise ValueError(f"'{path}' cannot be copied to be read: {error.strerror or error}") from None
            # File and log fit each other only if neither was written to in between.
            if stamp_of([path]) == before:
                return
        time.sleep(wait)
    raise ValueError(f"'{path.name}' is being written to without a pause: no copy of one moment could be made")


def _copy_log(log: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        shutil.copyfile(log, target)
    except FileNotFoundError:  # all of it is in the file
        pass
