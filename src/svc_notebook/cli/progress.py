"""Progress on standard error, at a terminal only: a bar where steps are counted, seconds where they are not.

Where standard error is a file, a pipe or a notebook's cell, nothing moves: a counted step is one line, and waiting is
silent.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["counted", "waiting"]

T = TypeVar("T")
WIDTH = 24
"""Characters of the bar."""
AGAIN = 0.5
"""Seconds between two looks at the clock while waiting."""


def counted(items: Sequence[T], names: Sequence[str]) -> Iterator[T]:
    """The items one by one, each announced while it is worked on."""
    for number, (item, name) in enumerate(zip(items, names, strict=True), 1):
        if sys.stderr.isatty():
            done = WIDTH * (number - 1) // len(items)
            _draw(f"{'━' * done}{'╌' * (WIDTH - done)} {number}/{len(items)} {name}")
        else:
            print(f"{number}/{len(items)} {name}", file=sys.stderr, flush=True)
        yield item
    _clear()


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """While the block runs: what is done, and for how long already, once that is more than a moment."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    began = time.monotonic()

    def tell() -> None:
        while not over.wait(AGAIN):
            _draw(f"{what} … {time.monotonic() - began:.0f} s")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
        _clear()


def _draw(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
