"""Garbage is looked for later, while much is made that stays.

The collector goes through all there is whenever enough was made. While packages are imported and a model is loaded
nearly all of it stays: the search finds nothing, and took an eighth of the time to the first answer.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]

_aside: list[bool] = []  # that somebody has set objects aside: to ask again would count them, 33 ms for a million


@contextmanager
def uncollected() -> Iterator[None]:
    """Do the block without a search for garbage, on any thread; where there was none before, there is none after."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if not _set_aside():  # what somebody has set aside stays so
                gc.freeze()  # and back: all is old at once, or the next searches would go through it
                gc.unfreeze()
            gc.enable()


def _set_aside() -> bool:
    if not _aside and gc.get_freeze_count():
        _aside.append(True)
    return bool(_aside)
