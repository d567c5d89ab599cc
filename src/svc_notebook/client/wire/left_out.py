"""A part of a library that it loads by itself and nobody here uses: loaded when somebody else does use it.

httpx loads its command line, and with it rich, click and pygments where they are installed: a tenth of what all takes
from the first import to the first answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

__all__ = ["later", "left_out"]


@contextmanager
def left_out(part: str) -> Iterator[None]:
    """While the block runs, a module is as if it were not installed; one that is loaded stays."""
    loaded: dict[str, Any] = sys.modules
    if part in loaded:
        yield
        return
    loaded[part] = None
    try:
        yield
    finally:
        if loaded.get(part, part) is None:
            del loaded[part]


def later(part: str, name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a module that is loaded when it is called; ``otherwise`` stands in where it cannot be."""

    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            found = getattr(import_module(part), name)
        except ImportError:
            found = otherwise
        return found(*args, **kwargs)

    return called
