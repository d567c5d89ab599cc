"""Words within a question that restrict nothing: *each one of the …*, *over the course of*, *ends up being*."""

from __future__ import annotations

from collections.abc import Sequence

from ..words.text import singular
from .said import Word, lowered
from .table import Frames

__all__ = ["without_light"]

_ONE = "~"  # behind what is said in place of a phrase: of the noun that follows, one
_NOUN = 3  # words of what is named so


def without_light(words: Sequence[Word], frames: Frames) -> list[Word]:
    """The words, with what is said in fewer in place of those that restrict nothing."""
    lower, plain, place = lowered(words), [], 0
    while place < len(words):
        found = frames.light.at(lower, place)
        if found is None:
            plain.append(words[place])
            place += 1
        else:
            plain += [Word(word, word) for word in found[1].removesuffix(_ONE).split()]
            place = found[0]
            if found[1].endswith(_ONE) and (noun := _plural(words, place)) is not None:
                one = singular(words[noun].lower)
                plain += [*words[place:noun], Word(one, one)]
                place = noun + 1
    return plain


def _plural(words: Sequence[Word], place: int) -> int | None:
    """Where the noun in the plural stands that words begin with: *of the product categories*."""
    ahead = range(place, min(place + _NOUN, len(words)))
    return next((at for at in ahead if singular(words[at].lower) != words[at].lower), None)
