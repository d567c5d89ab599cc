"""The one that has most: *the aircraft with the maximum distance*, and no largest distance of each."""

from __future__ import annotations

from ...words.rewriting import Found
from ..named_numbers import named_numbers
from .wording import Wording

__all__ = ["with_extreme"]

_HAVING = frozenset({"with", "having", "has", "have", "had"})
_WAYS = {
    **dict.fromkeys(("maximum", "max", "largest", "biggest", "greatest", "top"), "highest"),
    **dict.fromkeys(("minimum", "min", "smallest", "least"), "lowest"),
}
_GROUPING = frozenset({"by", "per", "each", "every"})


def with_extreme(w: Wording, at: int) -> Found | None:
    """``with the maximum distance``: highest, where an amount of each row is named."""
    if w.at(at) not in _HAVING or w.at(at + 1) != "the" or w.at(at + 2) not in _WAYS or _GROUPING & set(w.words):
        return None
    if next(named_numbers(w.tokens, w.meta, at + 3), None) is None:
        return None
    return [w.tokens[at], w.tokens[at + 1], *w.said(at + 2, _WAYS[w.at(at + 2)])], at + 3
