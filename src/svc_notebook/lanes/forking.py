"""A fork finds every lane idle, where it can: whoever forks waits a moment for the work under way.

A child of a fork has none of its parent's other threads. Whatever lock one of them held just then, the engine's own
among them, stays locked in the child for good.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .lane import Lane

__all__ = ["idle_for_forks"]

_PATIENCE = 2.0  # seconds: a long query is not waited for, and a child that forks under one may have to be given up
_STEP = 0.005

_lanes: weakref.WeakSet[Lane] = weakref.WeakSet()
_held: list[Lane] = []


def idle_for_forks(lane: Lane) -> None:
    """Let every fork of this process wait until nothing runs in ``lane``, and let nothing begin meanwhile."""
    _lanes.add(lane)


def _before() -> None:
    until = time.monotonic() + _PATIENCE
    lanes = list(_lanes)
    # All locks at once or none: held one by one, work that needs a second lane to end would never end.
    while not (_hold(lanes) and not any(lane.running for lane in lanes)) and time.monotonic() < until:
        _release()  # what runs ends, and may need another lane for it
        time.sleep(_STEP)


def _hold(lanes: Iterable[Lane]) -> bool:
    for lane in lanes:
        if not lane._lock.acquire(timeout=_STEP):  # somebody who holds it may be waiting for one that is held here
            return False
        _held.append(lane)
    return True


def _release() -> None:
    while _held:
        _held.pop()._lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_release, after_in_child=_release)
