"""The words of a language that say what to do with what is named: data files, loaded and typed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache, cached_property
from importlib import resources
from typing import Any

from msgspec import Struct

from .... import word_tables
from ....records import dataclass
from ..words.text import stem, within_distance
from ..words.thesaurus import FILLER_WORDS

__all__ = [
    "Entry", "Lexicon", "any_kinds", "bounding", "compounds", "customers", "general_happenings", "happenings", "heads",
    "load_lexicon", "persons",
]  # fmt: skip


class Entry(Struct, frozen=True):
    """One sense of a phrase: an operator with its argument; for adjectives what they measure."""

    operator: str
    argument: str
    hints: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Lexicon:
    """The phrases of one language by their first word."""

    phrases: Mapping[str, tuple[tuple[tuple[str, ...], Entry], ...]] = field(repr=False)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of a phrase."""
        return frozenset(word for entries in self.phrases.values() for phrase, _ in entries for word in phrase)

    def saying(self, *operators: str) -> dict[str, str]:
        """The phrases of some operators, and the argument that each says."""
        return {
            " ".join(phrase): entry.argument
            for entries in self.phrases.values()
            for phrase, entry in entries
            if entry.operator in operators
        }

    def near(self, word: str) -> str | None:
        """The one word of the lexicon that ``word`` is a slip of."""
        found = {
            other
            for other in self.words
            if len(other) > 4 and other[0] == word[0] and other not in FILLER_WORDS and within_distance(word, other)
        }
        return found.pop() if len(found) == 1 and word not in FILLER_WORDS else None

    def at(self, words: tuple[str, ...]) -> list[tuple[int, Entry]]:
        """Senses of phrases that ``words`` begin with, and how many words each takes; articles do not count."""
        kept = [(place, word) for place, word in enumerate(words) if word not in _ARTICLES or not place]
        found = []
        for phrase, entry in self.phrases.get(words[0] if words else "", ()):
            if tuple(word for _, word in kept[: len(phrase)]) == phrase:
                found.append((kept[len(phrase) - 1][0] + 1, entry))
        return found


@cache
def persons(language: str = "en") -> frozenset[str]:
    """Stems of what people are called."""
    return frozenset(map(stem, _read(language, "persons")["persons"]))


@cache
def heads(language: str = "en") -> tuple[str, ...]:
    """Words for how many people there are."""
    return tuple(_read(language, "persons")["heads"])


@cache
def customers(language: str = "en") -> tuple[tuple[str, ...], frozenset[str]]:
    """Words for those who pay, and stems of what a model may call them instead."""
    held = _read(language, "persons")
    return tuple(held["customers"]), frozenset(map(stem, held["paying"]))


@cache
def happenings(language: str = "en") -> tuple[frozenset[str], ...]:
    """Nouns for a single row of what happened that may stand for each other."""
    return tuple(frozenset(line.split()) for line in _read(language, "nouns")["happenings"])


@cache
def general_happenings(language: str = "en") -> frozenset[str]:
    """Nouns for a single row of whatever happened."""
    return frozenset(_read(language, "nouns")["general"])


@cache
def compounds(language: str = "en") -> frozenset[tuple[str, ...]]:
    """Nouns of two words whose last says it alone."""
    return frozenset(tuple(said.split()) for said in _read(language, "nouns")["compounds"])


@cache
def any_kinds(language: str = "en") -> Mapping[str, frozenset[str]]:
    """Nouns for things of any kind, each with the last words of what such things are called."""
    held = _read(language, "nouns")
    return {noun: frozenset(held["held"][kind]) for kind, nouns in held["any"].items() for noun in nouns}


@cache
def bounding(language: str = "en") -> Mapping[tuple[str, ...], str]:
    """Phrases that stand before a number and bound it, and their signs."""
    table = _read(language, "operators")["compare"]
    return {
        tuple(phrase.split()): sign
        for sign in ("<", "<=", ">", ">=", "=")
        for phrase in table[sign]
        if not phrase.startswith(("or ", "and "))  # "3 or more": behind the number
    }


_ARTICLES = frozenset({"the", "a", "an"})


@cache
def load_lexicon(language: str = "en") -> Lexicon:
    """The lexicon in the folder ``language``."""
    found: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
    for phrase, entry in [*_operators(_read(language, "operators")), *_adjectives(_read(language, "adjectives"))]:
        words = tuple(word for place, word in enumerate(phrase.split()) if word not in _ARTICLES or not place)
        found.setdefault(words[0], []).append((words, entry))
    return Lexicon({first: tuple(sorted(entries, key=lambda e: -len(e[0]))) for first, entries in found.items()})


@cache
def _read(language: str, name: str) -> dict[str, Any]:
    folder = resources.files(__package__) / language
    return word_tables.loads((folder / f"{name}.toml").read_text("utf8"))


def _operators(table: Mapping[str, Mapping[str, list[str]]]) -> list[tuple[str, Entry]]:
    return [
        (phrase, Entry(operator, argument))
        for operator, arguments in table.items()
        for argument, phrases in arguments.items()
        for phrase in phrases
    ]


def _adjectives(table: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Entry]]:
    found = []
    for content in table.values():
        hints, turned = frozenset(content["names"]), frozenset(content.get("reversed", ()))
        most = content["direction"]
        for form in content["forms"]:
            if (
                form.endswith("est")
                or form.startswith(("most ", "least ", "best ", "highest ", "top "))
                or form in _BARE
            ):
                found.append((form, Entry("superlative", most, hints, turned)))
            else:
                found.append((f"{form} than", Entry("compare", ">" if most == "desc" else "<", hints, turned)))
    return found


_BARE = frozenset({"last", "first", "recent"})
