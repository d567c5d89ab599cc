"""Names written by their initials: *purchase order* of a ``po_flag``, *full time equivalents* of ``fte``."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["by_initials"]

_LEAST, _LONGEST = 2, 4
_LITTLE = frozenset(
    "of the a an in at on by per for and or to with without is are was were not no how many who that which have has "
    "had did do does still never it we i you they this that these those last next each every all any only than".split()
)

_CUT_SHORT = frozenset("st dt nm cd ts tm no nr id rm hr mi km kg cm mm am pm sq qt qty amt".split())
"""What two letters of a name mostly are: a word without its vowels, or a unit, and no initials."""


def by_initials(w: Wording, at: int) -> Found | None:
    """``full time equivalents``: the one column that is called by their first letters."""
    for size in range(_LONGEST, _LEAST - 1, -1):
        words = w.words[at : at + size]
        if len(words) < size or any(not word.isalpha() or word in _LITTLE for word in words):
            continue
        if any(w.tokens[place].stem in w.meta.vocabulary for place in range(at, at + size)):
            continue
        short = "".join(word[0] for word in words)
        known = short in w.first_words and _is_short(short) or f"{short}s" in w.first_words and _is_short(f"{short}s")
        if known and not w.meta.values.find(w.tokens, at):
            return w.said(at, short), at + size
    return None


def _is_short(word: str) -> bool:
    """Whether letters are so few that they are no word."""
    return _LEAST <= len(word) <= _LONGEST and singular(word).isalpha() and word not in _CUT_SHORT
