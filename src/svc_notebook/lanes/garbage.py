"""Garbage is not looked for while that would hold up somebody; what nothing refers to any more is freed as ever."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

__all__ = ["seldom", "uncollected"]

_lock = threading.Lock()
_holders: set[object] = set()
_was_enabled = False
_MANY = 20_000
"""New objects after which garbage is looked for. What chats at once make is freed as they end, without a search: by
the interpreter's own number, 700, looking for it anew and anew was a sixth of what a turn computes."""
_at_work: set[object] = set()
_before: tuple[int, int, int] = (0, 0, 0)


def seldom() -> Callable[[], None]:
    """Look for garbage seldom until the returned function is called (twice does nothing more), and others' are.

    Where somebody has it looked for as seldom, or has turned it off, nothing changes.
    """
    global _before
    worker = object()
    with _lock:
        if not _at_work:
            _before = gc.get_threshold()
            if 0 < _before[0] < _MANY:
                gc.set_threshold(_MANY, *_before[1:])
        _at_work.add(worker)

    def ended() -> None:
        with _lock:
            if worker in _at_work:
                _at_work.discard(worker)
                if not _at_work and gc.get_threshold() == (_MANY, *_before[1:]):  # else somebody has set another since
                    gc.set_threshold(*_before)

    return ended


def uncollected() -> Callable[[], None]:
    """Look for no garbage until the returned function is called (twice does nothing more), and others' are.

    Where it was not looked for anyway, nothing changes.
    """
    global _was_enabled
    holder = object()
    with _lock:
        if not _holders:
            _was_enabled = gc.isenabled()
            gc.disable()
        _holders.add(holder)

    def go_on() -> None:
        with _lock:
            held = holder in _holders
            _holders.discard(holder)
            if held and not _holders and _was_enabled:
                gc.enable()

    return go_on
