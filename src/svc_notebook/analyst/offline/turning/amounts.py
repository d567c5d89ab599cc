"""Amounts of a unit in figures: *longer than ten minutes* names no album called Ten."""

from __future__ import annotations

from itertools import pairwise

from .... import patterns as re
from ..words.numbers import exact_unit, number_word

__all__ = ["in_figures"]

_WORD = re.compile(r"[^\W_]+")
_FEWEST, _MOST = 2, 90


def in_figures(question: str) -> str:
    """A question in which amounts of a unit are written in figures, unless of more words than one (*two hundred*)."""
    words = list(_WORD.finditer(question))
    values = [number_word(word[0].lower()) for word in words]
    for place, (number, unit) in reversed(list(enumerate(pairwise(words)))):
        value, alone = values[place], not place or values[place - 1] is None
        if value and alone and _FEWEST <= value <= _MOST and exact_unit(unit[0].lower()):
            question = f"{question[: number.start()]}{value:g}{question[number.end() :]}"
    return question
