"""Words within a question that restrict nothing: *each one of the …*, *over the course of*, *ends up being*."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..words.text import singular
from .said import Word, lowered
from .table import Frames

__all__ = ["Knows", "in_place", "without_light"]

Knows = Callable[[str], bool]
"""Whether a model knows a word."""

_ONE = "~"  # behind what is said in place of a phrase: of the noun that follows, one
_NOUN = 3  # words of what is named so


def without_light(words: Sequence[Word], frames: Frames, knows: Knows) -> list[Word]:
    """The words, with what is said in fewer in place of those that restrict nothing; ``knows``: words that may."""
    lower, plain, place = lowered(words), list[Word](), 0
    while place < len(words):
        found = frames.light.at(lower, place) or _weak_at(lower, place, frames, knows)
        if found is None:
            plain.append(words[place])
            place += 1
        else:
            behind, place = in_place(found[1], words, found[0])
            plain += behind
    return plain


def in_place(meant: str, words: Sequence[Word], place: int) -> tuple[list[Word], int]:
    """The words that are said in place of a phrase that ends at a place, with the noun that is one of several, and
    where they end.
    """
    said = [Word(word, word) for word in meant.removesuffix(_ONE).split()]
    noun = _plural(words, place) if meant.endswith(_ONE) else None
    if noun is None:
        return said, place
    one = singular(words[noun].lower)
    return [*said, *words[place:noun], Word(one, one)], noun + 1


def _weak_at(lower: Sequence[str], place: int, frames: Frames, knows: Knows) -> tuple[int, str] | None:
    """What may be left out at a place, where the model knows none of its words that is not kept."""
    found = frames.weak.at(lower, place) if place else None
    if found is None or any(knows(word) for word in lower[place : found[0]] if word not in found[1].split()):
        return None
    return found


def _plural(words: Sequence[Word], place: int) -> int | None:
    """Where the noun in the plural stands that words begin with: *of the product categories*."""
    ahead = range(place, min(place + _NOUN, len(words)))
    return next((at for at in ahead if singular(words[at].lower) != words[at].lower), None)
