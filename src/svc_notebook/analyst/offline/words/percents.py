"""Numbers of a hundred: ``3%``, ``3 %``, ``3 percent``."""

from __future__ import annotations

from .text import Token

__all__ = ["PERCENT", "is_fraction"]

PERCENT = frozenset({"%", "percent", "pct"})
"""What stands behind a number of a hundred, as a word of its own."""


def is_fraction(token: Token) -> bool:
    """Whether a number is written with its sign, and so is read as 0.03: ``3%``, but not the 3 of ``3 percent``."""
    return token.kind == "number" and token.text.endswith("%")
