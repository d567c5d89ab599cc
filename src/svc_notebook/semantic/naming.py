"""Names as people read them: ``avg_arr_delay`` → ``Avg arr delay``, ``customerID`` → ``Customer ID``."""

from __future__ import annotations

from functools import lru_cache

from .. import patterns as re

__all__ = ["PROMISED", "UNITS", "begun", "joined_title", "title_of", "words_of"]

UNITS = {"kwh": "kWh", "mwh": "MWh", "gwh": "GWh", "kw": "kW"}
"""Words of names that are units, as these are written."""
PROMISED = frozenset(
    "est estimate estimated quote quoted budget budgeted plan planned target forecast expected asking list".split()
)
"""Words of names of amounts that were said beforehand: what came of it stands beside them."""

# Acronyms part before a word ("HTTPServer" is two), and one letter stays with its digits ("30d"); units and what is
# written like them stay whole ("kWh", "SoC").
_UNIT = (
    r"(?<![^\W_])(?:[kMGT]?Wh|[kmMG]W|[kmMG]?Hz|[mkM]?Pa|hPa|[mk]?VA|[mk]?Ah|m[LlgV]|dB|pH|mmHg|"
    r"[A-Z][a-z][A-Z])(?![^\W_])"
)
_WORD = re.compile(_UNIT + r"|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+(?:[a-z](?![a-z]))?|[^\W_]+")


def words_of(name: str) -> list[str]:
    """The words of an identifier, split at ``_``, other signs, and changes of case."""
    return _WORD.findall(name)


@lru_cache(8192)  # asked for every member of every relation that a query names
def title_of(name: str) -> str:
    """A title for a name that has none: its words, the first one capitalised, acronyms kept."""
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in words_of(name)]
    if all(word.isupper() or word.isdigit() for word in words_of(name)):
        words = [word.lower() for word in words]  # SHOUTED_NAMES are no acronyms
    if not words:
        return name
    return begun(" ".join(UNITS.get(word.lower(), word) for word in words))


def begun(text: str) -> str:
    """Words as a title begins: with a capital, unless the first is a unit that has its own."""
    return text if text.partition(" ")[0] in UNITS.values() else text[:1].upper() + text[1:]


def joined_title(first: str, rest: str) -> str:
    """Two titles as one: ``Origin`` and ``Airport name`` → ``Origin airport name``."""
    # An acronym keeps its capitals.
    lowered = rest if rest[1:2].isupper() else rest[:1].lower() + rest[1:]
    return f"{first} {lowered}".strip()
