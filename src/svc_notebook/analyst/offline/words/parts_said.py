"""Parts of a whole in words and figures: *every tenth*, *two thirds*, *9 out of 10*, *85 %*."""

from __future__ import annotations

from .... import patterns as re
from .numbers import number_word

__all__ = ["PART", "part_said"]

_NTH = {
    "other": 2, "second": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "twelfth": 12, "twentieth": 20, "fiftieth": 50, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_NAMES = "|".join(_NTH)
_COUNT = r"(?:\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|a hundred|a thousand)"
PART = (
    rf"(?:every (?:{_NAMES})|(?:an? |one )?half|(?:an?|one|two|three|four|five|seven|nine) (?:{_NAMES})s?"
    rf"|{_COUNT} (?:in|of|out of)(?: every)? {_COUNT}|\d+(?:\.\d+)?\s*(?:%|percent\b|per cent\b|pct\b))"
)
"""What a part of a whole looks like, for a pattern in which a space is any."""

_EVERY = re.compile(rf"^every\s+(?P<nth>{_NAMES})$", re.IGNORECASE)
_SOME = re.compile(rf"^(?P<some>[a-z]+)\s+(?P<nth>{_NAMES})s?$", re.IGNORECASE)
_OUT_OF = re.compile(
    r"^(?P<some>\d[\d,]*|[a-z]+)\s+(?:in|of|out\s+of)(?:\s+every)?\s+(?:a\s+)?(?P<all>\d[\d,]*|[a-z]+)$", re.IGNORECASE
)
_PERCENT = re.compile(r"^(?P<some>\d+(?:\.\d+)?)\s*\D+$")
_HUNDREDS = {"hundred": 100.0, "thousand": 1000.0, "a": 1.0, "an": 1.0}


def part_said(words: str) -> float | None:
    """A part as a fraction of one; None for words that are no part.

    >>> part_said("two thirds") == 2 / 3, part_said("every tenth"), part_said("9 out of 10"), part_said("85 %")
    (True, 0.1, 0.9, 0.85)
    """
    text = words.strip().lower()
    if text.endswith("half"):
        return 0.5
    if (said := _EVERY.match(text)) is not None:
        return 1 / _NTH[said["nth"]]
    if (said := _SOME.match(text)) is not None:
        return _divided(_number(said["some"]), float(_NTH[said["nth"]]))
    if (said := _OUT_OF.match(text)) is not None:
        return _divided(_number(said["some"]), _number(said["all"]))
    said = _PERCENT.match(text)
    return _divided(float(said["some"]), 100.0) if said is not None else None


def _number(word: str) -> float | None:
    figures = word.replace(",", "")
    return float(figures) if figures.isdigit() else _HUNDREDS.get(word, number_word(word))


def _divided(some: float | None, every: float | None) -> float | None:
    return some / every if some and every and some <= every else None
