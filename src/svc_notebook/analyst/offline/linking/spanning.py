"""Questions for how long something takes, said over: the words for it in one place, as the name of a number has them.

*how many days does a parcel take to be delivered, by size* is *average ⟨days from booked to delivered⟩ parcel by size*;
*delivered within 3 days of booking* is *with ⟨days from booked to delivered⟩ at most 3 days*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from msgspec import Struct

from ..schema.metadata import Metadata
from ..schema.spans import Span
from ..words.text import Token
from .span_bounds import bounded, since
from .span_extremes import extreme
from .span_numbers import measured
from .span_words import EXTREMES, GAPS, Asked, Found

__all__ = ["Spanned", "spanned"]


class Spanned(Struct, frozen=True):
    """The tokens with one at ``at`` that stands for any of ``spans``."""

    tokens: list[Token]
    at: int
    spans: tuple[Span, ...]
    role: str  # what it is for: a ``measure``, a ``test``, or what is ``best`` by it


def spanned(tokens: Sequence[Token], metadata: Metadata, today: date) -> Spanned | None:
    """The question said over, where it asks for a time between two times that the model has."""
    asked = Asked(tokens, metadata, today)
    if not _may(asked):
        return None
    # From what says most to what says least: a bound holds the words of a number.
    found = next((made for rule in (since, bounded, extreme, measured) if (made := rule(asked))), None)
    return _said_over(asked, found) if found is not None and found.spans else None


def _may(q: Asked) -> bool:
    """Whether any word speaks of how long something takes."""
    words = {token.lower for token in q.tokens}
    timed = bool(words & {*EXTREMES, *GAPS, "long"}) or any(q.unit(place) for place in range(len(q.tokens)))
    return timed and any(q.meta.times([name]) for name in q.meta.catalog.relations)


def _said_over(q: Asked, found: Found) -> Spanned:
    lead = [*q.said(found.at, found.lead)]
    name = q.said(found.at, [found.spans[0].path])[0]
    first, last = q.tokens[min(found.gone)], q.tokens[max(found.gone)]
    shown = replace(name, text=f"{found.spans[0].unit}s", start=first.start, end=max(first.end, last.end))
    tokens: list[Token] = []
    at = 0
    for place, token in enumerate(q.tokens):
        if place == found.at:
            at = len(tokens) + len(lead)
            tokens += [*lead, shown, *found.tail]
        if place not in found.gone:
            tokens.append(token)
    return Spanned(tokens, at, tuple(found.spans), found.role)
