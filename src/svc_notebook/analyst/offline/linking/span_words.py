"""The words of a question as they may speak of how long something takes, and what is said in their place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date

from msgspec import Struct

from ....records import dataclass
from ..schema.metadata import Metadata
from ..schema.spans import Span
from ..words.numbers import exact_unit
from ..words.text import Token, stem
from .ends import End, end_at

__all__ = [
    "ANYONE",
    "EXTREMES",
    "FOLDS",
    "GAPS",
    "SINCE",
    "TAKES",
    "Asked",
    "Found",
    "fold_said",
    "that_before",
    "unit_said",
]

_UNITS = frozenset({"minute", "hour", "day", "week", "month", "year"})
_CALLED = {"night": "day", "nights": "day", "month": "month", "months": "month", "year": "year", "years": "year"}
TAKES = frozenset("take takes took taken taking wait waits waited last lasts lasted need needs needed".split())
EXTREMES = {
    "longest": "highest",
    "slowest": "highest",
    "fastest": "lowest",
    "quickest": "lowest",
    "shortest": "lowest",
}  # fmt: skip
FOLDS = {
    "average": "average", "avg": "average", "mean": "average", "typical": "average", "typically": "average",
    "usually": "average", "normally": "average", "median": "median", "maximum": "maximum", "max": "maximum",
    "minimum": "minimum", "min": "minimum", "averages": "average",
}  # fmt: skip
GAPS = frozenset("time gap interval delay wait lag stretch turnaround period lead".split())
ANYONE = frozenset("anyone anybody someone somebody people we they you us one customers'".split())
SINCE = frozenset({"after", "once", "from", "since"})


class Found(Struct, frozen=True):
    """``gone`` tokens in whose place, at ``at``, stand ``lead``, the span and ``tail``."""

    at: int
    gone: frozenset[int]
    spans: Sequence[Span]
    lead: tuple[str, ...] = ()
    tail: tuple[Token, ...] = ()
    role: str = "measure"


@dataclass(frozen=True)
class Asked:
    tokens: Sequence[Token]
    meta: Metadata
    today: date

    def at(self, place: int) -> str:
        return self.tokens[place].lower if 0 <= place < len(self.tokens) else ""

    def unit(self, place: int) -> str | None:
        word = self.at(place)
        unit = _CALLED.get(word) or exact_unit(word)
        return unit if unit in _UNITS else None

    def end(self, place: int) -> End | None:
        return end_at(self.tokens, place, self.meta) if place < len(self.tokens) else None

    def find(self, words: Collection[str], start: int, stop: int | None = None) -> int | None:
        last = min(len(self.tokens), stop if stop is not None else len(self.tokens))
        return next((place for place in range(start, last) if self.at(place) in words), None)

    def said(self, place: int, words: Sequence[str]) -> list[Token]:
        token = self.tokens[min(place, len(self.tokens) - 1)]
        return [replace(token, text=w, lower=w, stem=stem(w), kind="word", value=None) for w in words]


def fold_said(q: Asked, gone: Collection[int]) -> tuple[str, frozenset[int]]:
    """Which of several times is told, and the words that say so."""
    for place in range(len(q.tokens)):
        fold = FOLDS.get(q.at(place)) if place not in gone else None
        if fold is None:
            continue
        said = {place}
        if q.at(place - 1) == "on":
            said.add(place - 1)
        for beside in (min(said) - 1, max(said) + 1):
            if q.at(beside) in (",", "number", "of", "the", "an", "a") and beside not in gone:
                said.add(beside)
        if q.unit(max(said) + 1):
            said.add(max(said) + 1)
        return fold, frozenset(said)
    return "", frozenset()


def unit_said(q: Asked, gone: Collection[int]) -> tuple[str | None, frozenset[int]]:
    """The unit that times are told in, where it is not what is asked for: ``in hours``, ``median days``."""
    for place in range(1, len(q.tokens)):
        if place not in gone and q.at(place - 1) in ("in", *FOLDS) and (unit := q.unit(place)):
            before = {place - 1} if q.at(place - 1) == "in" else set()
            comma = {place - 2} if before and q.at(place - 2) == "," else set()
            return unit, frozenset({place} | before | comma)
    return None, frozenset()


def that_before(q: Asked, place: int) -> set[int]:
    """``that``, ``which`` and helpers right before a verb."""
    said = set()
    while q.at(place - 1) in ("that", "which", "who", "have", "has", "had", "was", "were", "been", "are", "is"):
        if q.at(place - 1) in ("which", "who") and place < 2:
            break
        place -= 1
        said.add(place)
    return said
