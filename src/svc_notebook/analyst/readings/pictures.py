"""Whether a question names the chart that it was answered with, in any of the languages that are read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ..offline.languages import LANGUAGES
from ..offline.languages.lexicon import folded, language, words_of
from ..offline.words.cues import find_cues
from ..offline.words.text import tokenize

__all__ = ["chart_is_said"]

_OTHER_NAMES = {"histogram": "bar", "circle": "point"}


def chart_is_said(question: str, mark: str) -> bool:
    """Whether the words of a question name a mark (“as a pie”, “en camembert”).

    Examples
    --------
    >>> chart_is_said("flights by origin as a pie chart", "arc"), chart_is_said("flights by origin", "bar")
    (True, False)
    """
    return mark in {_OTHER_NAMES.get(name, name) for name in (*_named(question), *_abroad(question))}


def _named(question: str) -> Iterator[str]:
    for cue in find_cues(tokenize(question)):
        if cue.kind == "mark":
            yield cue.value
        elif cue.kind == "spread" and "histogram" in question.lower():
            yield "histogram"


def _abroad(question: str) -> Iterator[str]:
    words = [folded(found.group()) for found in words_of(question)]
    for code in LANGUAGES:
        for phrase, names in _pictures(code).items():
            if any(tuple(words[at : at + len(phrase)]) == phrase for at in range(len(words))):
                yield from names


@cache
def _pictures(code: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What a language calls charts: “as a pie chart” and its like, with the marks these are."""
    return {
        words: named
        for words, phrase in language(code).phrases.items()
        if phrase.english.startswith("as a ") and (named := tuple(_named(phrase.english)))
    }
