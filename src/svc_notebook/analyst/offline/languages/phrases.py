"""The phrases that answers are told in: a data file for each language, loaded and typed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from .... import word_tables
from ....locales import Locale, locale_of
from ....records import dataclass
from .lexicon import LANGUAGES

__all__ = ["NoPhrase", "Phrases", "phrases_of"]

_PARTS = ("sentences", "caveats", "refusals", "titles", "names")


class NoPhrase(Exception):
    """What is to be told has no phrase in a language: all of the answer is told in English."""


@dataclass(frozen=True)
class Phrases:
    """What is said in one language.

    Attributes
    ----------
    said
        By name; the names are the same in all languages.
    locale
        How numbers and dates are written.
    offers
        What the words of questions that lead on are, by the English ones.
    """

    said: Mapping[str, str]
    locale: Locale
    offers: Mapping[str, str]

    def say(self, name: str, /, **parts: object) -> str:
        """A phrase with its parts in place.

        Raises
        ------
        NoPhrase
            If the language has none of that name.
        """
        phrase = self.said.get(name)
        if phrase is None:
            raise NoPhrase(name)
        return phrase.format(**parts)

    def joined(self, items: Sequence[str], link: str = "and") -> str:
        """``a, b und c``."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self.say(link)} {items[-1]}"


@lru_cache(maxsize=len(LANGUAGES) + 1)
def phrases_of(code: str) -> Phrases:
    """The phrases of ``en`` or a code of :data:`LANGUAGES`."""
    told = word_tables.loads((files(__package__) / code / "phrases.toml").read_text("utf8"))
    said = {name: phrase for part in _PARTS for name, phrase in told.get(part, {}).items()}
    return Phrases(said, locale_of(code), told.get("offers", {}))
