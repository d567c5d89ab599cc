"""Bands whose bounds are said: *up to 100, 101 to 300, above 300*, *aged 8 to 12, 13 to 17, 18 and over*."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from ....records import dataclass
from ..lexicon.bounds import bound_at
from ..words.numbers import exact_unit
from ..words.text import Token, tokenize

__all__ = ["Band", "Banded", "banded"]

_SHORT = {"under": "<", "above": ">", "<": "<", ">": ">"}
_JOINING = frozenset({",", ";", "/", "and", "or", "&", "vs", "plus"})
_LEADING = frozenset("with from of aged are were is was being the those that ones for in at ages".split())
_TO = frozenset({"to", "-", "–", "—", "till", "until", "through"})
_MORE = frozenset("more over above up higher older beyond longer upwards plus greater larger bigger".split())
_LESS = frozenset("less fewer under below younger lower shorter smaller".split())
_REST = (
    ("more", "than", "that"), ("over", "that"), ("above", "that"), ("and", "the", "rest"), ("the", "rest"),
    ("everything", "above"), ("above",), ("over",), ("more",), ("older",), ("beyond",), ("longer",), ("higher",),
)  # fmt: skip
_THREE, _YEARS = 3, range(1900, 2101)


@dataclass(frozen=True, slots=True)
class Band:
    """From ``low`` to ``high``, each left out where it is open; ``said`` as it was said."""

    low: float | None
    high: float | None
    with_low: bool = True
    with_high: bool = True
    said: str = ""

    def follows(self, other: Band) -> bool:
        """Whether nothing that is counted in whole numbers lies between ``other`` and this one."""
        if other.high is None or self.low is None:
            return False
        step = self.low - other.high
        whole = self.with_low and other.with_high and self.low.is_integer() and other.high.is_integer()
        return step == (1 if whole else 0) or step == 0 and (self.with_low or other.with_high)


@dataclass(frozen=True)
class Banded:
    """A question whose bands were found, with what stands before and behind them and what they are counted in."""

    before: str
    behind: str
    unit: str
    bands: tuple[Band, ...]

    @cached_property
    def adjoining(self) -> bool:
        """Whether each of the bands begins where the one before ends."""
        return all(second.follows(first) for first, second in pairwise(self.bands))


def banded(question: str, is_unit: Callable[[str], bool]) -> Banded | None:
    """The bands of a question: three, or two that adjoin; ``is_unit`` tells what a number may be of."""
    tokens = tokenize(question)
    reading = _Run(tokens, is_unit)
    for start in range(len(tokens)):
        bands, end = reading.at(start)
        before, behind = (_text(question, tokens, *part) for part in ((0, start), (end, len(tokens))))
        found = Banded(before, behind, reading.unit, bands)
        if len(bands) >= _THREE or len(bands) == _THREE - 1 and found.adjoining:
            return None if reading.left(end) or _are_years(bands) and not reading.unit else found
    return None


def _text(question: str, tokens: Sequence[Token], start: int, end: int) -> str:
    return question[tokens[start].start : tokens[end - 1].end].strip(" ,;:-–?.!") if start < end else ""


def _are_years(bands: Sequence[Band]) -> bool:
    return all(end is None or end in _YEARS for band in bands for end in (band.low, band.high))


class _Run:
    """Bands one behind the other, and the noun that their numbers are of."""

    def __init__(self, tokens: Sequence[Token], is_unit: Callable[[str], bool]) -> None:
        self.tokens, self.words, self.is_unit = tokens, [token.lower for token in tokens], is_unit
        self.unit, self.mixed = "", False

    def at(self, start: int) -> tuple[tuple[Band, ...], int]:
        """The bands from a place on, and the place behind them."""
        self.unit, self.mixed, bands, end, place = "", False, list[Band](), start, start
        while place < len(self.tokens):
            found = self._band(place, bands)
            if found is None or bands and not _rises(bands[-1], found[0]):
                break
            if bands and found[0].high is None and found[0].with_low and found[0].low == bands[-1].high:
                # "0 to 10, 10 to 20, 20 or more": so the others begin with what they are said from, as well.
                bands = [replace(b, with_high=b.high not in {n.low for n in (*bands, found[0])}) for b in bands]
            bands.append(found[0])
            end = place = found[1]
            while self._links(place):
                place += 1
        return (() if self.mixed else tuple(bands)), end

    def _links(self, at: int) -> bool:
        """Whether a word joins two bands, and is none of a bound."""
        return at < len(self.words) and self.words[at] in _JOINING | _LEADING and not bound_at(self.words, at)[0]

    def left(self, at: int) -> bool:
        """Whether a bound that was not read stands at a place: half of the bands would be no answer."""
        while at < len(self.words) and self.words[at] in _JOINING:
            at += 1
        return at < len(self.tokens) and (bound_at(self.words, at)[0] > 0 or self._number(at)[0] is not None)

    def _counted_in(self, word: str) -> None:
        """Note what a number is of: minutes beside hours are no bands of one number as it is written."""
        kept = exact_unit(self.unit) or self.unit
        self.mixed = self.mixed or bool(kept) and kept != (exact_unit(word) or word)
        self.unit = word

    def _band(self, at: int, bands: Sequence[Band]) -> tuple[Band, int] | None:
        for read in (self._bound, self._between, self._open):
            found = read(at)
            if found is not None:
                band, end = found
                return replace(band, said=self._said(at, end)), self._past_unit(end)
        return self._rest(at, bands)

    def _said(self, start: int, end: int) -> str:
        said = " ".join(token.text for token in self.tokens[start:end])
        return said.replace("< ", "<").replace("> ", ">").replace(" +", "+")

    def _bound(self, at: int) -> tuple[Band, int] | None:
        """``up to 100``, ``over 300``."""
        size, sign = bound_at(self.words, at)
        if not size and self.words[at] in _SHORT:
            size, sign = 1, _SHORT[self.words[at]]
        value, end = self._number(at + size)
        if not size or value is None or sign == "=":
            return None
        if self.words[end : end + 1] and self.words[end] in _TO and self._number(end + 1)[0] is not None:
            return None
        low, high = (value, None) if sign in (">", ">=") else (None, value)
        return Band(low, high, sign == ">=", sign == "<="), end

    def _between(self, at: int) -> tuple[Band, int] | None:
        """``101 to 300``, ``between 101 and 300``, ``101-300``."""
        opened = self.words[at] == "between"
        low, middle = self._number(at + opened)
        middle = self._past_unit(middle) if low is not None and not opened else middle
        link = self.words[middle] if middle < len(self.words) else ""
        joined = link in _TO or opened and link == "and"
        high, end = self._number(middle + 1) if low is not None and joined else (None, 0)
        return (Band(low, high), end) if high is not None and low is not None and low < high else None

    def _open(self, at: int) -> tuple[Band, int] | None:
        """``18 and over``, ``50 or less``, ``100+``."""
        value, end = self._number(at)
        if value is None:
            return None
        end = self._past_unit(end)
        if self.words[end : end + 1] == ["+"]:
            return Band(value, None), self._past_unit(end + 1)
        linked = end + (self.words[end : end + 1] in (["and"], ["or"]))
        word = self.words[linked] if linked < len(self.words) else ""
        if linked == end or word not in _MORE | _LESS or self._number(linked + 1)[0] is not None:
            return None
        return (Band(value, None) if word in _MORE else Band(None, value)), linked + 1

    def _rest(self, at: int, bands: Sequence[Band]) -> tuple[Band, int] | None:
        """``above`` behind other bands: what lies beyond them."""
        last = bands[-1] if bands else None
        size = next((len(said) for said in _REST if tuple(self.words[at : at + len(said)]) == said), 0)
        if last is None or last.high is None or not size:
            return None
        behind = self.words[at + size] if at + size < len(self.words) else ""
        if behind not in {"", ",", "?", ".", "-", "–", ":", "how", "per", "by"}:
            return None
        return Band(last.high, None, not last.with_high, said=f"above {last.high:,g}"), at + size

    def _number(self, at: int) -> tuple[float | None, int]:
        at += self.words[at : at + 1] in (["€"], ["$"], ["£"])
        token = self.tokens[at] if 0 <= at < len(self.tokens) else None
        if token is None or token.kind != "number" or token.value is None:
            return None, at
        value = float(token.value)
        if token.text.endswith("%"):
            value = round(value * 100, 9)
            self._counted_in("percent")
        elif token.text[0] in "$€£":
            self._counted_in({"$": "dollars", "€": "euros", "£": "gbp"}[token.text[0]])
        return value, at + 1

    def _past_unit(self, at: int) -> int:
        """The place behind what a number is of, where that is said."""
        word = self.words[at] if at < len(self.words) else ""
        if word == "%" or word and self.tokens[at].kind == "word" and self.is_unit(word):
            self._counted_in("percent" if word == "%" else word)
            return at + 1 + (self.words[at + 1 : at + 2] == ["old"])
        return at


def _rises(first: Band, second: Band) -> bool:
    """Whether a band begins at the end of the one before or beyond it."""
    return first.high is not None and second.low is not None and second.low >= first.high
