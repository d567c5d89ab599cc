"""A fork finds every store at rest: whoever forks waits for the transaction under way.

A child of a fork has the parent's memory as it was at that moment, and none of its other threads. A store that one of
them was just writing to would stay locked in the child for good, and its only connection stay in the middle of a
transaction that nobody ends.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Protocol

__all__ = ["at_rest_for_forks"]

_PATIENCE = 5.0  # seconds: a fork is not held up for longer by a disk that hangs; the child then finds the store locked


class _Forkable(Protocol):
    _writer: threading.Lock

    def _forked(self) -> None: ...


_open: weakref.WeakSet[_Forkable] = weakref.WeakSet()
_held: list[threading.Lock] = []


def at_rest_for_forks(store: _Forkable) -> None:
    """Let every fork of this process wait until nobody writes to ``store``, and tell the child's copy of it."""
    _open.add(store)


def _before() -> None:
    _held.extend(store._writer for store in list(_open) if store._writer.acquire(timeout=_PATIENCE))


def _after_in_parent() -> None:
    while _held:
        _held.pop().release()


def _after_in_child() -> None:
    _after_in_parent()
    for store in list(_open):
        store._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
