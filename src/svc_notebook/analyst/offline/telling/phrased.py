"""A sentence as its phrase and the parts in it: English to read, and whole enough to be said in another language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from .... import patterns as re
from ..plans.phrases import join_words

__all__ = ["Phrased", "say"]

_IN_DAY = re.compile(
    r"\bin (?=\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b"
    r"(?! to\b))"
)
_EITHER = re.compile(r"\[([^\[\]|]+(?:\|[^\[\]|]+)+)\]")


class Phrased(str):
    """A sentence in English that knows its phrase and its parts.

    Attributes
    ----------
    phrase
        As the sayings of other languages name it: ``{v}`` a number with its unit, and so on, ``[is|are]`` either.
    parts
        By the names in the phrase; a list of several stays one.
    """

    __slots__ = ("parts", "phrase")

    phrase: str
    parts: Mapping[str, str | Sequence[str]]

    def __new__(cls, text: str, phrase: str = "", parts: Mapping[str, str | Sequence[str]] | None = None) -> Self:
        made = super().__new__(cls, text)
        made.phrase, made.parts = phrase or text, parts or {}
        return made


def say(phrase: str, /, *either: int, **parts: str | Sequence[str]) -> Phrased:
    """A phrase with its parts in place; ``either`` says which word of each ``[one|other]`` is meant, in their order.

    Examples
    --------
    >>> say("{n} [row|rows] of {t}.", 1, n="12", t="visits")
    '12 rows of visits.'
    >>> say("{v} in {p}.", v="3 visits", p="4 May 2024")  # a day is no month
    '3 visits on 4 May 2024.'
    """
    chosen = iter(either)
    english = _EITHER.sub(lambda found: found[1].split("|")[next(chosen)], phrase)
    told = {name: part if isinstance(part, str) else join_words(list(part)) for name, part in parts.items()}
    return Phrased(_IN_DAY.sub("on ", english.format(**told)), phrase, parts)
