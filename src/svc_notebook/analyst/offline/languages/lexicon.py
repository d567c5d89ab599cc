"""Another language's phrases: what they are in English, and which of their words tell the language."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from .... import patterns as re
from .... import word_tables
from ....records import dataclass

__all__ = ["LANGUAGES", "Language", "Phrase", "folded", "language", "made_of", "words_of"]

LANGUAGES = ("de", "fr")
_WORD = re.compile(r"\d{1,2}/\d{1,2}/\d{4}|\d[\d.,]*%?|[^\W\d_]+['’]?|_+|\S")
_OF_UMLAUT = re.compile(r"(?<=[aou])(?<!q[aou])e(?=[a-z])")
_DIGRAPHS = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "’": "'"})


def words_of(text: str) -> list[re.Match[str]]:
    """Dates, numbers, words (``l'`` with its apostrophe) and signs, in order."""
    return list(_WORD.finditer(text))


def folded(word: str) -> str:
    """A word as it is compared: small, without accents, umlauts as one letter however they are typed."""
    plain = word.lower()
    if not plain.isascii():
        apart = unicodedata.normalize("NFKD", plain.translate(_DIGRAPHS))
        plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return _OF_UMLAUT.sub("", plain)


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a phrase is in English, and how it stands: ``said``, ``behind`` what it qualifies, or a ``noun``."""

    english: str
    stands: str


@dataclass(frozen=True)
class Language:
    """What is read of one language.

    Attributes
    ----------
    phrases
        By their folded words; ``#`` is any number, ``@`` a year, a date or a month.
    longest
        Words of the longest phrase.
    signs
        What a word, folded, tells for this language: 1, or ½ for words that names hold in any language.
    before
        First parts of compounds, folded, with what they are in English.
    linking
        Words that stand inside of names, or do not.
    thread
        Words that tell the language where the thread is in it, and nowhere else.
    first, last
        Phrases, by their folded words, that are said so at the beginning, or at the end, of a turn alone.
    several
        Words right before a noun that is one of several; where there are ``several_endings``, an adjective with such an
        ending stands between them.
    """

    code: str
    name: str
    phrases: Mapping[tuple[str, ...], Phrase]
    longest: int
    signs: Mapping[str, float]
    before: Mapping[str, str]
    endings: Sequence[str]
    linking: frozenset[str]
    months: frozenset[str]
    thread: frozenset[str] = frozenset()
    first: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    last: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    several: frozenset[str] = frozenset()
    several_endings: tuple[str, ...] = ()

    @cached_property
    def nouns(self) -> dict[tuple[str, ...], str]:
        """The English of nouns, by their stems."""
        return {
            tuple(self.stem(word) for word in key): phrase.english
            for key, phrase in self.phrases.items()
            if phrase.stands == "noun"
        }

    def stem(self, word: str) -> str:
        """A folded word without its endings."""
        ending = next((end for end in self.endings if word.endswith(end) and len(word) - len(end) >= 3), "")
        return self.stem(word[: -len(ending)]) if ending else word


_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)  # fmt: skip


def _outer(told: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    return {_key(phrase): english for phrase, english in told.items()}


def _key(phrase: str) -> tuple[str, ...]:
    """The folded words of a phrase: folded as a whole, which takes half as long."""
    return tuple(_WORD.findall(folded(phrase)))


@lru_cache(maxsize=len(LANGUAGES))
def language(code: str) -> Language:
    """The language of a code of :data:`LANGUAGES`."""
    return made_of(code, word_tables.loads((files(__package__) / code / "questions.toml").read_text("utf8")))


def made_of(code: str, told: Mapping[str, Any]) -> Language:
    """A language of what its file says: ``name`` and some ``phrases``; all else may be left out."""
    phrases: dict[tuple[str, ...], Phrase] = {}
    for part, stands in (("nouns", "noun"), ("phrases", "said"), ("behind", "behind")):
        for key, english in told.get(part, {}).items():
            phrases[_key(key)] = Phrase(english, stands)
    months = frozenset(key[0] for key, phrase in phrases.items() if len(key) == 1 and phrase.english in _MONTHS)
    signs = _signs(phrases, _listed(told, "shared"), _listed(told, "weak"))
    return Language(
        code, told["name"], phrases, max(map(len, phrases)), signs,
        {folded(part): english for part, english in told.get("before", {}).items()},
        sorted(told.get("endings", ()), key=len, reverse=True), _listed(told, "linking"), months,
        _listed(told, "thread"), _outer(told.get("first", {})), _outer(told.get("last", {})),
        _listed(told, "several"), tuple(told.get("several_endings", ())),
    )  # fmt: skip


def _listed(told: Mapping[str, Any], name: str) -> frozenset[str]:
    return frozenset(map(folded, told.get(name, ())))


def _signs(phrases: Mapping[tuple[str, ...], Phrase], shared: frozenset[str], weak: frozenset[str]) -> dict[str, float]:
    """How much each word tells for the language: those that it shares with English nothing."""
    signs: dict[str, float] = {}
    for key, phrase in phrases.items():
        for word in set(key).difference(shared, folded(phrase.english).split()):
            if len(word) > 1 and word[0].isalpha():
                signs[word] = max(signs.get(word, 0.0), 0.5 if word in weak or phrase.stands == "noun" else 1.0)
    return signs
