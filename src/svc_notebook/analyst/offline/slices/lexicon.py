"""The words that set two slices of rows against each other: a data file, loaded and typed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Any, NamedTuple

from .... import patterns as re
from .... import word_tables
from ....records import dataclass
from ..lexicon import Entry, load_lexicon
from ..words.text import stem

__all__ = ["Comparing", "Sense", "in_other_words", "load_comparing", "one_of"]

_PLAIN = ("more", "less", "better", "worse", "busy", "quiet", "often", "seldom")


class Sense(NamedTuple):
    """What a comparative compares by: a plain kind of more or less, or words that the name of a number holds."""

    kind: str
    sign: int = 1
    hints: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Comparing:
    """The words of one language."""

    words: Mapping[str, tuple[str, ...]]
    verbs: Mapping[str, tuple[str, ...]]
    senses: Mapping[str, Sense]
    values: Mapping[str, tuple[str, ...]]

    @cached_property
    def by_stem(self) -> Mapping[str, tuple[str, ...]]:
        """What the numbers may be called that verbs speak of, by the stems of these."""
        return {stem(verb): names for verb, names in self.verbs.items()}

    @cached_property
    def comparative(self) -> str:
        """A pattern of every comparative."""
        return one_of(self.senses)

    @cached_property
    def against(self) -> re.Pattern[str]:
        """Two sides with a word between them that sets them against each other."""
        return re.compile(
            rf"^(?P<one>.+?)\s*,?\s+(?:{one_of(self.words['against'])}|as\s+against)(?!\S)\s*(?P<other>.+)$",
            re.IGNORECASE,
        )

    @cached_property
    def hedges(self) -> re.Pattern[str]:
        """Words that say how much or how surely, and nothing of what is compared."""
        return re.compile(rf"(?<!\w)(?:{one_of(self.words['hedges'])})(?!\w)", re.IGNORECASE)

    @cached_property
    def tails(self) -> re.Pattern[str]:
        """What stands behind a question and says how it is to be told."""
        return re.compile(rf"[\s,]+(?:{one_of(self.words['tails'])})\W*$", re.IGNORECASE)

    def sense(self, comparative: str) -> Sense | None:
        """What a comparative compares by."""
        return self.senses.get(" ".join(comparative.lower().split()))


def one_of(phrases: Iterable[str]) -> str:
    """A pattern of any of the phrases, the longest first."""
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(phrases, key=lambda p: -len(p)))


@cache
def load_comparing(language: str = "en") -> Comparing:
    """The words in the folder ``language``."""
    table = word_tables.loads((resources.files(__package__) / language / "slices.toml").read_text("utf8"))
    words = {name: tuple(phrases) for name, phrases in table["words"].items()}
    verbs = {verb: tuple(names) for verb, names in table["verbs"].items()}
    values = {word: tuple(others) for word, others in table["values"].items()}
    return Comparing(words, verbs, _senses(table), values)


def _senses(table: Mapping[str, Any]) -> dict[str, Sense]:
    found = {" ".join(words): _of_adjective(entry) for words, entry in _adjectives()}
    for kind in _PLAIN:
        less = kind in ("less", "quiet", "seldom")
        for form in table["comparing"][kind]:
            known = found.get(form)
            found[form] = Sense(kind, -1 if less else 1, *(known[2:] if known else ()))
    for adverb in ("late", "early"):
        said = table[adverb]
        sense = Sense("so", 1 if said["sign"] == ">" else -1, frozenset(said["names"]))
        found |= dict.fromkeys(said["forms"], sense)
    return found


def _adjectives() -> list[tuple[tuple[str, ...], Entry]]:
    """The adjectives that compare by what they measure, without their ``than``."""
    every = (pair for pairs in load_lexicon().phrases.values() for pair in pairs)
    return [(phrase[:-1], entry) for phrase, entry in every if entry.operator == "compare" and entry.hints]


def _of_adjective(entry: Entry) -> Sense:
    return Sense("so", 1 if entry.argument == ">" else -1, entry.hints, entry.turned)


def in_other_words(words: str) -> list[str]:
    """The words, and with others that the data may have for the same state: ``won`` quotes are ``accepted``."""
    known = load_comparing().values
    said = next((word for word in words.lower().split() if word in known), None)
    others = known.get(said or "", ())
    return [words, *(re.sub(rf"\b{said}\b", other, words, flags=re.IGNORECASE) for other in others if other != said)]
