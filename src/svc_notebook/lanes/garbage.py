"""Garbage is not looked for while that would hold up somebody; what nothing refers to any more is freed as ever."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

__all__ = ["uncollected"]

_lock = threading.Lock()
_holders: set[object] = set()
_was_enabled = False


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
