"""Words that stand before a number and bound it: *more than*, *over*, *at least*, *up to*."""

from __future__ import annotations

from collections.abc import Sequence

from . import bounding

__all__ = ["MORE", "bound_at"]

MORE = frozenset({">", ">="})
_BOUNDS = bounding()
_LONGEST = max(map(len, _BOUNDS))


def bound_at(words: Sequence[str], place: int) -> tuple[int, str]:
    """How many words of a bound stand at a place, and its sign; ``(0, "")`` where none does.

    The longest counts: *no more than* is no *more than*.
    """
    for size in range(_LONGEST, 0, -1):
        sign = _BOUNDS.get(tuple(words[place : place + size]))
        if sign is not None:
            return size, sign
    return 0, ""
