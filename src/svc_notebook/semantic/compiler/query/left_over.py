"""Parsed queries that the compiler is done with: whoever reads the same text next need not parse it again."""

from __future__ import annotations

import threading

from sqlglot import exp

from .text import parse_query

__all__ = ["leave", "taken"]

# What is not taken within so many others is dropped.
_FEW = 16
_LONGEST = 2_000
"""Characters of a text whose tree is left."""
_left: dict[str, exp.Query] = {}
_lock = threading.Lock()


def leave(sql: str, query: exp.Query) -> None:
    """Leave the tree of a text to whoever takes it; who leaves it does not look at it again.

    A tree says what the text says and nothing of who asked: no name is resolved in it.
    """
    if len(sql) > _LONGEST:
        return
    with _lock:
        _left.pop(sql, None)
        _left[sql] = query
        if len(_left) > _FEW:
            del _left[next(iter(_left))]


def taken(sql: str) -> exp.Query:
    """The tree of a text, for the caller alone: one that was left, or parsed now.

    Raises
    ------
    SqlSyntaxError, NotAllowed, TooComplex
    """
    with _lock:
        found = _left.pop(sql, None)
    return parse_query(sql) if found is None else found
