"""Amounts by what they are of: *total budget*, *budget per department* of a ``budget_amount``."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["bare_amount"]

_AMOUNTS = frozenset({"amount", "amounts", "value", "sum", "total"})
_KEPT = frozenset("line item entry record position row detail posting booking transaction".split())
"""What rows of a book are called, behind what the book is of."""


def bare_amount(w: Wording, at: int) -> Found | None:
    """``budget per department``: its amount, where rows are *budget lines* and one number a *budget amount*."""
    word = w.at(at)
    if w.tokens[at].kind != "word" or w.at(at + 1) in _AMOUNTS or not word.isalpha():
        return None
    noun = stem(word)
    if stem(w.at(at + 1)) in {stem(kept) for kept in _KEPT} or w.at(at - 1) in ("many", "number", "count"):
        return None
    rows = [name for name in w.cubes if _is_book(w, name, noun)]
    named = [path for path in w.numbers if _is_amount_of(w, path, noun)]
    own = [path for path in named if path.split(".", 1)[0] in rows]
    return (w.said(at, *w.meta.parts(own[0])), at + 1) if len(rows) == len(own) == len(named) == 1 else None


def _is_book(w: Wording, name: str, noun: str) -> bool:
    words = w.meta.words_of(name)
    return len(words) == 2 and stem(words[0]) == noun and words[1] in _KEPT


def _is_amount_of(w: Wording, path: str, noun: str) -> bool:
    parts = w.meta.parts(path)
    return len(parts) == 2 and stem(parts[0]) == noun and parts[1] in _AMOUNTS
