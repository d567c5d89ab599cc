"""Verbs that say that something was not had, or went wrong: what is said of other rows than those that were."""

from __future__ import annotations

from .families import deed

__all__ = ["is_undone"]

_UNDONE = frozenset(map(deed, "miss skip owe lose lost cancel refuse reject waste refund fail lack".split()))


def is_undone(word: str) -> bool:
    """Whether a verb says so: *missed*, *owes*, *cancelled*."""
    return deed(word) in _UNDONE
