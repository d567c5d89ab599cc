"""Where a clause of a form comes from: words of the question, an earlier turn, or an assumption."""

from __future__ import annotations

from ....records import dataclass
from .vocabulary import Origin

__all__ = ["ASSUMED", "Anchor", "said"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """``said``: the half-open span of characters in the question; ``kept``: the message id of the turn."""

    origin: Origin = "assumed"
    start: int = 0
    end: int = 0
    words: str = ""
    turn: str = ""


ASSUMED = Anchor()


def said(question: str, start: int, end: int) -> Anchor:
    """An anchor in the words ``question[start:end]``."""
    return Anchor("said", start, end, question[start:end])
