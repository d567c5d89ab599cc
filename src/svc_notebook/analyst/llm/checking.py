"""What a model says is looked up in the results it had: numbers and names that are found nowhere are told.

A number is found when a result holds it, rounded as it is written, or when it follows from rows that the sentence
names: a difference, a ratio, a change or a share in per cent, a sum, a mean, a number of rows. Numbers and names of the
question and of the queries are nobody's claim. Nothing is proved: a wrong number may be another right one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ... import patterns as re
from ...records import dataclass
from .figures import Figure, figures

__all__ = ["ROWS", "Evidence", "unfounded"]

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ*])|\n+")
_NUMBERING = re.compile(r"^\s*\d+[.)]\s+", re.MULTILINE)
_NAME = re.compile(r"\b[A-ZÄÖÜ][\w'’&-]*(?:\s+[A-ZÄÖÜ][\w'’&-]*)*")
_MOST = re.compile(r"\b(?:lead(?:s|ing|er)?|highest|most|largest|biggest|top|best|ranks? first)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:lowest|least|smallest|fewest|bottom|trails?)\b", re.IGNORECASE)
_MONTHS = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b")
ROWS = 2_000
"""Rows of a result that are looked at."""
_PAIRED = 12


@dataclass(frozen=True)
class Evidence:
    """A result as the model had it: names of its columns and its rows."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> Evidence:
        """A result as it was kept with its turn."""
        names = [str(column.get("name", "")) for column in result.get("schema") or ()]
        rows = [row for row in result.get("data") or () if isinstance(row, list) and len(row) == len(names)]
        return cls(names, rows)

    @cached_property
    def numeric(self) -> list[int]:
        """Places of the columns that hold numbers."""
        return [
            place for place in range(len(self.columns)) if any(_number(row[place]) is not None for row in self.rows)
        ]

    @cached_property
    def labels(self) -> list[frozenset[str]]:
        """The words that each row is known by, in small letters."""
        return [frozenset(_words(row)) for row in self.rows]

    def named(self, text: str) -> list[int]:
        """The rows that a text names."""
        lowered = text.lower()
        return [place for place, labels in enumerate(self.labels) if any(_says(lowered, each) for each in labels)]

    def column(self, place: int) -> list[float]:
        return [number for row in self.rows if (number := _number(row[place])) is not None]


def unfounded(text: str, results: Sequence[Evidence], known: str = "") -> list[str]:
    """The numbers and names in ``text`` that neither ``results`` nor what is ``known`` (question, queries) bear out."""
    results = [Evidence(each.columns, each.rows[:ROWS]) for each in results]
    given = {figure.value for figure in figures(re.sub(r"[-_/T:]", " ", known))}
    years = {number for each in results for row in each.rows for cell in row for number in _years(cell)}
    found: list[str] = []
    before = ""
    text = _NUMBERING.sub("", text)
    for sentence in _SENTENCE.split(text):
        for figure in figures(sentence):
            if figure.value in given or figure.value in years or _of_a_date(figure, sentence):
                continue
            if not any(_borne_out(figure, each, sentence, before) for each in results):
                found.append(figure.text)
        found += _wrong_leaders(sentence, results)
        before = sentence
    found += _strangers(text, results, known)
    return list(dict.fromkeys(found))


def _borne_out(figure: Figure, result: Evidence, sentence: str, before: str) -> bool:
    if not figure.percent and figure.value == len(result.rows):
        return True
    meant = result.named(sentence) or result.named(before)
    rows = [result.rows[place] for place in meant] or list(result.rows)
    return any(figure.means(value) for value in _values(figure, result, rows, bool(meant)))


def _values(figure: Figure, result: Evidence, rows: Sequence[Sequence[Any]], named: bool) -> Iterator[float]:
    """What follows from ``rows`` of a result, and from the result as a whole."""
    for place in result.numeric:
        own = [number for row in rows if (number := _number(row[place])) is not None]
        whole = result.column(place)
        yield from own
        if figure.percent:
            yield from (100 * number for number in own)
        total = math.fsum(whole)
        yield from (total, total / len(whole), max(whole) - min(whole))
        yield from (math.fsum(own), math.fsum(own) / len(own)) if own and named else ()
        if figure.percent and total:
            yield from (100 * number / total for number in own)
            yield 100 * math.fsum(own) / total
        if not named:
            own = [whole[0], whole[-1], max(whole), min(whole)]
        for one, other in itertools.permutations(own[:_PAIRED], 2):
            yield one - other
            if other:
                yield from ((100 * one / other, 100 * (one - other) / other) if figure.percent else (one / other,))
    for row in rows:
        cells = [number for place in result.numeric if (number := _number(row[place])) is not None]
        for one, other in itertools.permutations(cells[:6], 2):
            yield one - other
            if other:
                yield 100 * one / other if figure.percent else one / other


def _wrong_leaders(sentence: str, results: Sequence[Evidence]) -> Iterator[str]:
    """The name that a sentence puts first, or last, where no column of a result does."""
    for pattern, best in ((_MOST, max), (_LEAST, min)):
        found = pattern.search(sentence)
        if found is None:
            continue
        for result in results:
            if len(result.rows) < 2 or not result.numeric:
                continue
            name = _nearest(sentence, found.start(), result)
            if name is None:
                continue
            place, text = name
            if not any(_number(result.rows[place][column]) == best(result.column(column)) for column in result.numeric):
                yield text


def _nearest(sentence: str, start: int, result: Evidence) -> tuple[int, str] | None:
    """The row whose name stands nearest to a word."""
    lowered = sentence.lower()
    near = [
        (abs(at - start), place, sentence[at : at + len(label)])
        for place, labels in enumerate(result.labels)
        for label in labels
        if (at := _place_of(lowered, label)) >= 0
    ]
    return min(near)[1:] if near else None


def _strangers(text: str, results: Sequence[Evidence], known: str) -> Iterator[str]:
    """Names beside figures that no row, no column and no question has; only where rows have names at all."""
    if not any(len(each.rows) > 1 and any(each.labels) for each in results):
        return
    heard = " ".join(
        [known, *(" ".join([*each.columns, *(" ".join(labels) for labels in each.labels)]) for each in results)]
    )
    words = set(re.findall(r"\w+", heard.lower().replace("_", " ")))
    for sentence in _SENTENCE.split(text):
        if not any(figures(sentence)) and not _MOST.search(sentence) and not _LEAST.search(sentence):
            continue
        for found in _NAME.finditer(sentence):
            parts = [part for part in re.findall(r"\w+", found[0]) if not _MONTHS.fullmatch(part)]
            first = found.start() == 0 or not sentence[: found.start()].strip(" *_-")
            if first and len(parts) == 1 and not _stands_for_a_row(sentence, found.end()):
                continue
            if parts and not any(part.lower() in words or part.lower().rstrip("s") in words for part in parts):
                yield found[0]


def _stands_for_a_row(sentence: str, end: int) -> bool:
    """Whether the word at a sentence's start is its subject: something is said of it, with a figure or a rank."""
    return (
        re.match(r"\s+(?:leads?|has|had|is|was|ranks?|comes|made|follows|trails|accounts|recorded)\b", sentence[end:])
        is not None
    )


def _says(lowered: str, label: str) -> bool:
    return _place_of(lowered, label) >= 0


def _place_of(lowered: str, label: str) -> int:
    at = lowered.find(label)
    while at >= 0:
        end = at + len(label)
        if not (at and lowered[at - 1].isalnum()) and not (end < len(lowered) and lowered[end].isalnum()):
            return at
        at = lowered.find(label, at + 1)
    return -1


def _words(row: Iterable[Any]) -> Iterator[str]:
    for cell in row:
        if isinstance(cell, str) and _number(cell) is None and not re.match(r"\d{4}-\d\d", cell) and len(cell) > 1:
            yield cell.lower()
        elif cell is not None and re.match(r"\d{4}-\d\d", text := str(cell)):
            yield text[:10]
            yield _spoken(text)


def _spoken(date: str) -> str:
    months = "january february march april may june july august september october november december".split()
    month = int(date[5:7])
    return months[month - 1] if 1 <= month <= 12 else date[:7]


def _years(cell: Any) -> Iterator[float]:
    if cell is not None and (found := re.match(r"(\d{4})-\d\d", str(cell))):
        yield float(found[1])


def _of_a_date(figure: Figure, sentence: str) -> bool:
    """A day beside the name of a month; part of a date in figures."""
    around = sentence[max(0, figure.start - 12) : figure.start + len(figure.text) + 12]
    if figure.value <= 31 and figure.step == 1 and _MONTHS.search(around):
        return True
    return re.search(r"\d{4}-\d\d(?:-\d\d)?|\d+:\d\d", around) is not None


def _number(cell: Any) -> float | None:
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, str) and not re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", cell):
        return None
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
