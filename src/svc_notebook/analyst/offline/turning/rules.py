"""Patterns in which a space is any, and texts that stand in the place of what they find."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re

__all__ = ["Rules", "applied", "said_so"]

Rules = Sequence[tuple[re.Pattern[str], str]]
"""Patterns, and what stands in the place of what each finds."""


def said_so(*pieces: str) -> re.Pattern[str]:
    """The pattern that these make together, in which every space stands for one or more of any kind."""
    return re.compile("".join(pieces).replace(" ", r"\s+"), re.IGNORECASE)


def applied(rules: Rules, text: str) -> str:
    """A text with every rule applied, one after the other."""
    for pattern, plain in rules:
        text = pattern.sub(plain, text)
    return text
