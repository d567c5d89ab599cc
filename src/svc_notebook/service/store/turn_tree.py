"""The turns of a thread as a tree: each follows another one, and what was said before a question is the path to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

__all__ = ["followed", "path_to"]


def followed(turn: Row[*tuple[Any, ...]]) -> int:
    """Number of the turn that ``turn`` follows; 0 for none."""
    return int(turn.number) - 1 if turn.after is None else int(turn.after)


def path_to(turns: Sequence[Row[*tuple[Any, ...]]], number: int) -> list[Row[*tuple[Any, ...]]]:
    """The turns from the first to ``number``, each following the one before; a turn follows only earlier ones."""
    known = {turn.number: turn for turn in turns}
    path = []
    while (turn := known.get(number)) is not None:
        path.append(turn)
        number = followed(turn)
    return path[::-1]
