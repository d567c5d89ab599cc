"""The turns of a thread as a tree: each follows another one, and what was said before a question is the path to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .records import Record
from .threads import latest_turns

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["followed", "path_to"]


def followed(turn: Record) -> int:
    """Number of the turn that ``turn`` follows; 0 for none."""
    return int(turn.number) - 1 if turn.after is None else int(turn.after)


def path_to(
    connection: Connection, thread_id: str, number: int, most: int, known: Sequence[Record] = ()
) -> list[Record]:
    """The last turns, at most so many, on the path to ``number``, each following the one before.

    Parameters
    ----------
    known
        Turns of the thread that have been read.
    """
    block = {turn.number: turn for turn in known}
    path: list[Record] = []
    while number and len(path) < most:
        if number not in block:
            block = {turn.number: turn for turn in latest_turns(connection, thread_id, most - len(path), number)}
        if number not in block:
            break
        path.append(block[number])
        number = followed(block[number])
    return path[::-1]
