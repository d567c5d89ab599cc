"""A cache with room for so many bytes, and how much a value takes, roughly."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar

__all__ = ["Cache", "weight"]

T = TypeVar("T")
# About what an object of Python's takes beside its contents.
_EACH = 64
_TEXTS = (str, bytes)
_COLLECTIONS = (tuple, list, set, frozenset)


def weight(value: Any) -> int:
    """About how many bytes a value of texts, numbers and collections takes."""
    if isinstance(value, _TEXTS):
        return _EACH + len(value)
    if isinstance(value, _COLLECTIONS):
        return _EACH + sum(map(weight, value))
    if value is not None and isinstance(value, Mapping):
        return _EACH + sum(map(weight, value)) + sum(map(weight, value.values()))
    return _EACH


class Cache(Generic[T]):
    """The most recently used entries, as many as there is room for.

    A value may be made twice by two threads at once, which is harmless. The entry that was used last stays, however
    large it is.

    Parameters
    ----------
    room
        Bytes, keys included.
    weigh
        Bytes of a value.
    """

    def __init__(self, room: int, weigh: Callable[[T], int] = weight) -> None:
        self._room = room
        self._weigh = weigh
        self._entries: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def used(self) -> int:
        """Bytes of what is kept."""
        return self._used

    def find(self, key: Hashable) -> T | None:
        """The value of a key; None where there is none."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made where there is none."""
        found = self.find(key)
        return self.put(key, make()) if found is None else found

    def put(self, key: Hashable, value: T) -> T:
        """Keep a value; what was used longest ago makes room for it."""
        size = weight(key) + self._weigh(value)
        with self._lock:
            self._used += size - self._entries.pop(key, (value, 0))[1]
            self._entries[key] = (value, size)
            while self._used > self._room and len(self._entries) > 1:
                self._used -= self._entries.popitem(last=False)[1][1]
        return value
