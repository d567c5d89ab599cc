"""The words of a language that say how a turn hangs on those before it: a data file, loaded and typed once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["Discourse", "load_discourse"]


@dataclass(frozen=True)
class Discourse:
    """``opening`` and ``closing`` phrases by act, whole ``turns`` by what they want, and words that point back."""

    opening: tuple[tuple[str, re.Pattern[str]], ...]
    closing: tuple[tuple[str, re.Pattern[str]], ...]
    turns: Mapping[str, re.Pattern[str]]
    pointing: re.Pattern[str]
    places: frozenset[str]
    empty: frozenset[str]


@cache
def load_discourse(language: str = "en") -> Discourse:
    """The discourse words in the folder ``language``."""
    text = (resources.files(__package__) / language / "discourse.toml").read_text("utf8")
    table = tomllib.loads(text)
    return Discourse(
        _acts(table["opening"], r"^\W*(?:{})(?=\W|$)[\s,:;.!…-]*"),
        _acts(table["closing"], r"[\s,;.-]*\b(?:{})\W*$"),
        {name: re.compile(rf"^\W*(?:{_any(phrases)})\W*$", re.IGNORECASE) for name, phrases in table["turn"].items()},
        re.compile(rf"\b(?:{_any(table['words']['pointing'])})\b", re.IGNORECASE),
        frozenset(table["words"]["places"]),
        frozenset(table["words"]["empty"]),
    )


def _acts(table: Mapping[str, list[str]], pattern: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((act, re.compile(pattern.format(_any(phrases)), re.IGNORECASE)) for act, phrases in table.items())


def _any(phrases: list[str]) -> str:
    """A pattern for any of the phrases, the longest first; ``?`` behind a word makes it optional, ``*`` is any few."""
    return "|".join(_pattern(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def _pattern(phrase: str) -> str:
    made = ""
    for word in phrase.split():
        optional, word = word.endswith("?"), word.rstrip("?")
        one = r"\S+(?:\s+\S+){0,2}" if word == "*" else re.escape(word).replace("'", "['’]?")
        gap = r"[\s,]+" if made else ""
        made += f"(?:{gap}{one})?" if optional else gap + one
    return made.removeprefix(r"[\s,]+")
