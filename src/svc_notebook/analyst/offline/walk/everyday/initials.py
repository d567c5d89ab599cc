"""Initials: *purchase order* of a ``po_flag``, *full time equivalents* of ``fte``, *SP* of the value State Patrol."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["by_initials", "value_by_initials"]

_LEAST, _LONGEST, _FEW = 2, 4, 60  # letters; values of a column that may be called by theirs
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
        if short in _LITTLE:
            continue  # `our newest` is no `on_hand`
        known = short in w.first_words and _is_short(short) or f"{short}s" in w.first_words and _is_short(f"{short}s")
        if known and not w.meta.values.find(w.tokens, at):
            return w.said(at, short), at + size
    return None


def value_by_initials(w: Wording, at: int) -> Found | None:
    """``SP``: the one value of several words that begin with these letters, where they are written large."""
    token = w.tokens[at]
    if token.kind != "word" or not token.text.isupper() or not _LEAST <= len(token.text) <= _LONGEST:
        return None
    if token.stem in w.meta.vocabulary or w.meta.values.find(w.tokens, at) or _shouts(w):
        return None
    few = [values for values in w.meta.values.members.values() if len(values) <= _FEW]
    words = {tuple(str(value).lower().split()) for values in few for value in values}
    found = [said for said in words if "".join(word[0] for word in said) == token.lower and len(said) > 1]
    return (w.said(at, *found[0]), at + 1) if len(found) == 1 else None


def _shouts(w: Wording) -> bool:
    """Whether all of a question is written large."""
    return not any(token.text.islower() for token in w.tokens if token.kind == "word")


def _is_short(word: str) -> bool:
    """Whether letters are so few that they are no word."""
    return _LEAST <= len(word) <= _LONGEST and singular(word).isalpha() and word not in _CUT_SHORT
