"""Whether files have changed, told from their directory entries alone: nothing is opened, so it can be asked often."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["FileStamp", "Stamp", "paths_among", "settled", "stamp_of"]

_BESIDE = (".wal", "-wal", "-journal")  # where a database keeps what is not in its file yet
_TICK = 0.05  # seconds; within one tick of the file system's clock two writes leave the same time
# PATH_MAX of Linux: a longer text is data, and no path.
_MOST_CHARS = 4096


class FileStamp(NamedTuple):
    """What changes with a file: also when it is replaced by one of the same size and time."""

    path: str
    inode: int
    size: int
    written: int
    changed: int


Stamp = tuple[FileStamp, ...]


def stamp_of(paths: Iterable[Path], *, suffixes: tuple[str, ...] = ()) -> Stamp:
    """The stamp of files and of every file in folders; with ``suffixes`` of such files alone. What is not there counts.

    Parameters
    ----------
    suffixes
        Lower-case endings, ``(".yml", ".yaml")``, that count within folders.
    """
    return tuple(sorted({found for path in paths for found in _stamps(path, suffixes)}))


def settled(stamp: Stamp, now: float | None = None) -> bool:
    """Whether the last write is so long ago that another one would show."""
    moment = time.time() if now is None else now
    return all(not 0 <= moment - entry.written / 1e9 < _TICK for entry in stamp)


def paths_among(value: Any) -> Iterator[Path]:
    """The files and folders among what was handed over as data, within mappings and lists too."""
    if isinstance(value, Path):
        yield value.expanduser()
    elif isinstance(value, str):
        if "://" not in value and "\n" not in value and len(value) < _MOST_CHARS:
            yield Path(value).expanduser()
    elif isinstance(value, dict):
        for item in value.values():
            if not isinstance(item, list):  # a column, or the rows of one table
                yield from paths_among(item)
    elif isinstance(value, (list, tuple)) and all(isinstance(item, (str, Path)) or _opaque(item) for item in value):
        for item in value:
            yield from paths_among(item)


def _opaque(value: Any) -> bool:
    return not isinstance(value, (dict, list, tuple, int, float, bool, type(None)))


def _stamps(path: Path, suffixes: tuple[str, ...]) -> Iterator[FileStamp]:
    if not path.is_dir():
        yield _stamp(str(path))
        # Logs count only while they are there; the file itself counts as missing, too.
        yield from (found for end in _BESIDE if (found := _stamp(f"{path}{end}")).inode)
        return
    for base, folders, files in os.walk(path):
        folders.sort()
        for name in files:
            if not suffixes or name.lower().endswith(suffixes):
                yield _stamp(os.path.join(base, name))


def _stamp(path: str) -> FileStamp:
    try:
        found = os.stat(path)
    except OSError:
        return FileStamp(path, 0, 0, 0, 0)
    return FileStamp(path, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
