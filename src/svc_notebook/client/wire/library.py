"""httpx (or httpx2, its continuation with the same names), loaded when something goes over a network.

A service of this process is asked without it, and its import is a part of every first answer that does not need it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .left_out import later, left_out

__all__ = ["httpx", "libraries", "library_of"]

LIBRARIES = ("httpx", "httpx2")

if TYPE_CHECKING:
    import httpx
else:

    class _Library:
        def __getattr__(self, name: str) -> Any:
            return getattr(_loaded(), name)

    httpx = _Library()


@cache
def _loaded() -> Any:
    try:
        with left_out("httpx._main"):
            found: Any = import_module("httpx")
        if "httpx._main" not in sys.modules:
            found.main = later("httpx._main", "main", found.main)
    except ImportError:
        found = import_module("httpx2")
    return found


def libraries() -> Iterator[Any]:
    """Those of the two that are loaded."""
    for name in LIBRARIES:
        if name in sys.modules:
            yield sys.modules[name]


def library_of(made: Any) -> Any:
    """The library, httpx or httpx2, that made a client or a request: each wants its own classes."""
    homes = (kind.__module__.partition(".")[0] for kind in type(made).__mro__)
    name = next((home for home in homes if home in LIBRARIES), None)
    return _loaded() if name is None else sys.modules[name]
