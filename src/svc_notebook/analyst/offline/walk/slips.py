"""Words that are a slip away from one that says nothing: ``happend``, ``recieve``; they would stay unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ..lexicon import load_lexicon
from ..schema.lexicon import means_nothing
from ..schema.metadata import Metadata
from ..words.text import Token, stem, within_distance
from ..words.thesaurus import FILLER, FILLER_WORDS

__all__ = ["without_slips"]

_SHORTEST = 7  # letters: shorter words are one slip from each other


def without_slips(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with the word that says nothing in the place of its misspelling, where that names nothing."""
    return [_meant(tokens, at, metadata) for at in range(len(tokens))]


def _meant(tokens: Sequence[Token], at: int, metadata: Metadata) -> Token:
    token = tokens[at]
    word = token.lower
    if token.kind != "word" or len(word) < _SHORTEST or not word.isalpha() or token.stem in FILLER:
        return token
    if word in load_lexicon().words or not (near := _near(word)) or not means_nothing(token, metadata):
        return token
    if metadata.values.find(tokens, at) or metadata.values.near(token):
        return token
    return replace(token, text=near[0], lower=near[0], stem=stem(near[0]))


@cache
def _long() -> dict[str, tuple[str, ...]]:
    """The words that say nothing, long enough for a slip, by their first letter."""
    found: dict[str, list[str]] = defaultdict(list)
    for word in sorted(FILLER_WORDS):
        if len(word) >= _SHORTEST and word.isalpha():
            found[word[0]].append(word)
    return {letter: tuple(words) for letter, words in found.items()}


def _near(word: str) -> list[str]:
    return [other for other in _long().get(word[0], ()) if within_distance(word, other)]
