"""Hours and seconds said of a number whose unit nobody told: they are compared as minutes, and that is said."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..forms import Form
from ..forms.conditions import Compare, Range
from ..forms.expressions import Member, Value
from ..forms.walking import parts
from ..languages import Phrases
from ..plans.plan import Plan
from ..schema.kept_units import own_unit
from ..schema.metadata import Metadata
from ..words.numbers import number_word, unit_of
from ..words.text import tokenize

__all__ = ["taken_for_minutes"]

_MINUTES = {"hour": 60.0, "second": 1 / 60}


def taken_for_minutes(shown: Plan | Form, question: str, metadata: Metadata, words: Phrases) -> list[str]:
    """That a number is taken to be in minutes, where hours or seconds were said of it and it has no unit."""
    said = set(_said(question))
    titles = {
        metadata.member(path).title: None
        for path, value in _bounds(shown)
        if said and path in metadata.members and isinstance(value, (int, float))
        # Hours made minutes are floats (1.1 * 60).
        and any(abs(value - minutes) < 1e-6 for minutes in said) and own_unit(metadata, path) is None
        and not metadata.members[path].meta.get("unit")
    }  # fmt: skip
    return [words.say("minutes", title=title) for title in titles]


def _said(question: str) -> Iterator[float]:
    """How many minutes the hours and seconds are that a question says."""
    for number, unit in pairwise(tokenize(question)):
        value = number.value if number.kind == "number" else number_word(number.lower)
        factor = _MINUTES.get(unit_of(unit.lower) or "")
        if value is not None and factor is not None:
            yield float(value) * factor


def _bounds(shown: Plan | Form) -> Iterator[tuple[str, object]]:
    """Members with what they are compared with."""
    if isinstance(shown, Plan):
        for condition in shown.conditions:
            yield from ((condition.member, value) for value in condition.values)
        return
    for part in parts(shown):
        if isinstance(part, Compare) and isinstance(part.left, Member) and isinstance(part.right, Value):
            yield part.left.path, part.right.value
        elif isinstance(part, Range) and isinstance(part.of, Member):
            yield from ((part.of.path, end.value) for end in (part.low, part.high) if isinstance(end, Value))
