"""What a why-question takes for granted: *why did revenue drop* of what rose is told that it did not."""

from __future__ import annotations

from .... import patterns as re
from ..telling.phrased import say

__all__ = ["refuted", "supposed"]

_ROSE = re.compile(
    r"\b(?:ris(?:e|en|ing)|rose|grow(?:n|s|ing)?|grew|growth|increas(?:e[sd]?|ing)|jump(?:s|ed)?|climb(?:s|ed)?|surged?"
    r"|(?:go|goes|going|gone|went|is|was|are|were) up)\b",
    re.IGNORECASE,
)
_FELL = re.compile(
    r"\b(?:fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?|declin(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|shr[aiu]nk|slump(?:ed)?"
    r"|collaps(?:e|ed)|plunged?|dip(?:s|ped)?|(?:go|goes|going|gone|went|is|was|are|were) down)\b",
    re.IGNORECASE,
)


def supposed(question: str) -> int:
    """Which way a question says that a number went: 1 up, -1 down, 0 where it says neither, or both."""
    return bool(_ROSE.search(question)) - bool(_FELL.search(question))


def refuted(way: int, gap: float) -> list[str]:
    """That a number did not go the way that was supposed; nothing where it did."""
    if not way or way * gap > 0:
        return []
    return [say("It did not rise.") if way > 0 else say("It did not fall.")]
