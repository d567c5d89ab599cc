"""Words put in the place of words, from the first to the last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .text import Token

__all__ = ["Found", "rewritten"]

Found = tuple[list[Token], int]
"""What stands in the place of some tokens, and the place behind them."""


def rewritten(tokens: Sequence[Token], rule: Callable[[int, Sequence[Token]], Found | None]) -> list[Token]:
    """The tokens with what ``rule`` finds at a place, given those that are written already, in the place of its own."""
    whole: list[Token] = []
    place = 0
    while place < len(tokens):
        found = rule(place, whole)
        if found is None:
            whole.append(tokens[place])
            place += 1
        else:
            whole.extend(found[0])
            place = found[1]
    return whole
