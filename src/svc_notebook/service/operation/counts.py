"""Where counted numbers stand: in one process, or where every process behind a port adds to its own and sees them all.

Processes share a file that has no name, in blocks of which each has one to itself. A block outlives its process: what
comes in its place goes on from there, so that no sum ever goes back, whatever ended the one before. Nobody is asked and
nothing is locked between processes: one that is stuck or dead is counted as far as it came.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

__all__ = ["Counts", "Key", "OwnCounts", "SharedCounts", "shared_file"]

Key = tuple[str, ...]
"""The name of a figure, and its label values."""

_log = logging.getLogger(__name__)
# Room for some two thousand figures of one process; what is not written takes no memory.
_BLOCK = 262_144
_HEAD = struct.Struct("QQ")  # bytes of the key, numbers behind it
_WORD = 8


class Numbers(Protocol):
    """Numbers that a process adds to."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> float: ...
    def __setitem__(self, place: int, value: float, /) -> None: ...


class Counts(Protocol):
    """Numbers that only grow, by what they count."""

    def of(self, key: Key, size: int) -> Numbers:
        """So many numbers for this process to add to; 0 at first, or what those before it came to."""
        ...

    def sums(self) -> Mapping[tuple[Key, int], Sequence[float]]:
        """What has been counted by all, by key and how many numbers it has."""
        ...


class OwnCounts:
    """Numbers of this process alone."""

    def __init__(self) -> None:
        self._known: dict[tuple[Key, int], list[float]] = {}

    def of(self, key: Key, size: int) -> Numbers:
        return self._known.setdefault((key, size), [0.0] * size)

    def sums(self) -> Mapping[tuple[Key, int], Sequence[float]]:
        # Copied in one step: another thread may be adding a figure.
        return {known: list(numbers) for known, numbers in self._known.copy().items()}


def shared_file(blocks: int) -> int:
    """A file for so many processes at a time, for whoever inherits its handle."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("svc-counts")
    else:
        with tempfile.TemporaryFile() as file:
            handle = os.dup(file.fileno())
    os.ftruncate(handle, blocks * _BLOCK)
    return handle


class SharedCounts:
    """Numbers of one process among those of all that share a file.

    Parameters
    ----------
    handle
        The open file.
    block
        Which part of it no other process that runs writes to.
    """

    def __init__(self, handle: int, block: int) -> None:
        self._file = mmap.mmap(handle, 0)
        self._block = block
        self._known: dict[tuple[Key, int], Numbers] = {
            (key, len(numbers)): numbers for key, numbers in self._entries(block)
        }

    def of(self, key: Key, size: int) -> Numbers:
        return self._known.get((key, size)) or self._added(key, size)

    def sums(self) -> Mapping[tuple[Key, int], Sequence[float]]:
        found: dict[tuple[Key, int], list[float]] = {}
        for block in range(len(self._file) // _BLOCK):
            for key, numbers in self._entries(block):
                known = key, len(numbers)
                found[known] = [a + b for a, b in zip(found.get(known, [0.0] * len(numbers)), numbers, strict=True)]
        return found

    def _added(self, key: Key, size: int) -> Numbers:
        """Written whole before it is told of: others may be reading."""
        written = json.dumps(key).encode()
        # JSON passes over blanks at the end, and numbers begin at a whole word as cast() wants it.
        written += b" " * (-len(written) % _WORD)
        whole = memoryview(self._file)[self._block * _BLOCK : (self._block + 1) * _BLOCK]
        used = whole[:_WORD].cast("Q")
        at = _WORD + used[0]
        end = at + _HEAD.size + len(written) + size * _WORD
        if end > _BLOCK:  # serving goes on without that figure
            _log.warning("the figures of one process take more than %d bytes: %s is not counted", _BLOCK, key)
            return self._known.setdefault((key, size), [0.0] * size)
        _HEAD.pack_into(whole, at, len(written), size)
        whole[at + _HEAD.size : at + _HEAD.size + len(written)] = written
        # Last: a reader goes as far as this word says, and eight aligned bytes are written in one step.
        used[0] = end - _WORD
        self._known[key, size] = numbers = whole[end - size * _WORD : end].cast("d")
        return numbers

    def _entries(self, block: int) -> Iterator[tuple[Key, memoryview[float]]]:
        whole = memoryview(self._file)[block * _BLOCK : (block + 1) * _BLOCK]
        at, end = _WORD, _WORD + whole[:_WORD].cast("Q")[0]
        while at < end:
            length, size = _HEAD.unpack_from(whole, at)
            at += _HEAD.size + length + size * _WORD
            numbers = whole[at - size * _WORD : at]
            key = bytes(whole[at - size * _WORD - length : at - size * _WORD])
            yield tuple(json.loads(key)), numbers.cast("d")
