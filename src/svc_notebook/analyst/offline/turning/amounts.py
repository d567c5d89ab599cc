"""Amounts of a unit in figures: *longer than ten minutes* names no album called Ten."""

from __future__ import annotations

from itertools import pairwise

from .... import patterns as re
from ..words.numbers import exact_unit, number_word
from .rules import said_so

__all__ = ["in_figures"]

_GLUED = said_so(r"(?<![\w.,/-])(?P<many>\d+(?:[.,]\d+)?)(?P<unit>cm|mm|km|kg|mins?|hrs?|lbs?|oz|ml|mph)\b")
_IN_METERS = said_so(
    r"(?P<bound>\b(?:(?:taller|shorter|wider|deeper|narrower|smaller) than|(?:height|width|depth|altitude|elevation) "
    r"(?:of |is |was |are )?(?:at least|at most|(?:more|less) than|over|above|under|below)|(?:over|under|at least)"
    r"(?= \d+(?:\.\d+)?\s*m (?:tall|high|wide|deep)\b)) \d+(?:[.,]\d+)?)\s*m(?![\w²])"
)
_WORD = re.compile(r"[^\W_]+")
_FEWEST, _MOST = 2, 90


def in_figures(question: str) -> str:
    """A question in which amounts of a unit are written in figures, unless of more words than one (*two hundred*), and
    apart from their unit (*190cm*): what somebody is taller than by *1.90m* are no millions.
    """
    question = _IN_METERS.sub(r"\g<bound> meters", _GLUED.sub(r"\g<many> \g<unit>", question))
    words = list(_WORD.finditer(question))
    values = [number_word(word[0].lower()) for word in words]
    for place, (number, unit) in reversed(list(enumerate(pairwise(words)))):
        value, alone = values[place], not place or values[place - 1] is None
        if value and alone and _FEWEST <= value <= _MOST and exact_unit(unit[0].lower()):
            question = f"{question[: number.start()]}{value:g}{question[number.end() :]}"
    return question
