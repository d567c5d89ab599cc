"""Threads for linear algebra rest soon after they are made, instead of waiting busily for work that does not come.

OpenBLAS, which numpy brings along, makes a thread for each core as it is loaded. Each of them spins for a tenth of a
second before it sleeps: half as much computing as the import of numpy itself, once for every core.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["resting_soon"]

_TIMEOUT = "OPENBLAS_THREAD_TIMEOUT"
# By the clock of the processor, as a power of two: less than a millisecond, longer than between two calls of a loop.
_TICKS = "20"


@contextmanager
def resting_soon() -> Iterator[None]:
    """Do the block, which may be the first to import numpy; how somebody else wants its threads stays so."""
    if "numpy" in sys.modules or _TIMEOUT in os.environ:
        yield
        return
    os.environ[_TIMEOUT] = _TICKS
    try:
        yield
    finally:
        os.environ.pop(_TIMEOUT, None)
