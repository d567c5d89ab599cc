"""Numbers as people write them: separators, units, per cent, words for thousands; and how exactly each is meant."""

from __future__ import annotations

from collections.abc import Iterator

from ... import patterns as re
from ...records import dataclass

__all__ = ["Figure", "figures"]

_UNITS = {
    "k": 1e3, "thousand": 1e3, "tausend": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "millionen": 1e6, "mio": 1e6,
    "b": 1e9, "bn": 1e9, "billion": 1e9, "mrd": 1e9, "milliarden": 1e9,
}  # fmt: skip
_FIGURE = re.compile(
    r"(?<![\w.,'’#-])(?P<sign>[-+−–]?)(?P<money>[$€£]?)"
    r"(?P<number>\d{1,3}(?:[,.'’\u00a0\u2009\u202f ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
    r"(?:\s?(?P<percent>%|per ?cent\b|percentage points?\b|pp\b|Prozent\b)"
    r"|\s?(?P<unit>[kKM]|mn|bn|[Mm]io\.?|[Mm]rd\.?|thousand|million|billion|Tausend|Millionen|Milliarden)\b)?"
    r"(?![\w%])"
)
_SKIPPED = re.compile(r"`[^`]*`|\]\([^)]*\)|^\s*\d+[.)]\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text.

    Attributes
    ----------
    text, start
        As it is written, and where.
    value
        What it means, its unit taken in; of a percentage the number before the sign.
    step
        The size of its last digit that means something.
    percent
        Whether it is one.
    """

    text: str
    start: int
    value: float
    step: float
    percent: bool

    def means(self, value: float) -> bool:
        """Whether it is ``value``, rounded as it is written."""
        near = abs(abs(value) - abs(self.value))
        return near <= self.step / 2 * (1 + 1e-9) + 1e-12 * abs(value)


def figures(text: str) -> Iterator[Figure]:
    """The numbers of a text, but for those in code, in links, and those that number a list."""
    plain = _SKIPPED.sub(lambda found: " " * len(found[0]), text)
    for found in _FIGURE.finditer(plain):
        value, places = _read(found["number"])
        unit = _UNITS.get((found["unit"] or "").lower().rstrip("."), 1.0)
        step = 10.0**-places
        if not places and unit == 1.0 and not found["percent"]:
            step = _rounded(found["number"], value)
        yield Figure(found[0].strip(), found.start(), value * unit, step * unit, found["percent"] is not None)


def _read(written: str) -> tuple[float, int]:
    """A number and how many decimal places it has."""
    parts = re.split(r"([,.'’\u00a0\u2009\u202f ])", written)
    digits, marks = parts[0::2], parts[1::2]
    decimal = (
        bool(marks) and marks[-1] in ",." and (len(digits[-1]) != 3 or (len(marks) > 1 and marks[-1] != marks[-2]))
    )
    if decimal:
        return float("".join(digits[:-1]) + "." + digits[-1]), len(digits[-1])
    return float("".join(digits)), 0


def _rounded(written: str, value: float) -> float:
    """A whole number of five digits and more that ends in zeros may be one that was rounded there."""
    zeros = len(written) - len(written.rstrip("0,.'’\u00a0\u2009\u202f "))
    count = sum(mark == "0" for mark in written[len(written) - zeros :])
    return 10.0**count if value >= 10_000 and count >= 2 else 1.0
