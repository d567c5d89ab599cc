"""How long somebody stays: ``nights per stay``, from when they come to when they leave."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.metadata import Metadata
from ..schema.spans import Moment, Span
from ..words.families import is_same_deed
from ..words.text import Token, stem
from .phases import in_order

__all__ = ["stays"]

_COMING = ("arrive", "checkin", "admit", "enter", "movein")
_LEAVING = ("leave", "checkout", "depart", "discharge", "exit", "moveout")
_JOINED = frozenset({"checkin", "checkout", "movein", "moveout"})
_STAYING = frozenset("stay stayed staying nights".split())
_LASTING = frozenset(
    "long longer longest length lengths short shorter shortest last lasted nights days duration durations".split()
)
"""Beside one of these, stays are how long they are, and else the rows that are called so."""


def stays(tokens: Sequence[Token], metadata: Metadata, unit: str | None) -> tuple[Sequence[Span], frozenset[int]]:
    """The spans from coming to leaving, and the words that speak of staying."""
    lasts = any(token.lower in _LASTING for token in tokens)
    said = [place for place, token in enumerate(tokens) if token.lower in _STAYING or lasts and token.lower == "stays"]
    if not said or all(tokens[place].lower == "nights" and _is_told("nights", metadata) for place in said):
        return (), frozenset()
    spans = []
    for relation in metadata.catalog.relations:
        order = in_order(metadata, relation)
        coming = [path for path in order if _is_one_of(metadata.parts(path), _COMING)]
        leaving = [path for path in order if _is_one_of(metadata.parts(path), _LEAVING)]
        if len(coming) == len(leaving) == 1:
            spans.append(Span(Moment(coming[0]), Moment(leaving[0]), unit or "day"))
    # "nights" is the unit as well, and stays.
    gone = {place for place in said if tokens[place].lower != "nights"}
    gone |= {place - 1 for place in gone if place and tokens[place - 1].lower in ("per", "each", "a", "of", "their")}
    if not spans:
        return (), frozenset()
    own = {stem(word) for word in metadata.words_of(spans[0].start.relation)}
    does = {place for place in gone for step in (1, 2) if place >= step and tokens[place - step].stem in own}
    return spans[:1], frozenset(gone | {p - s for p in does for s in (1, 2) if p >= s and tokens[p - s].stem in own})


def _is_told(name: str, metadata: Metadata) -> bool:
    """Whether rows have a number that is called so, which says how long they are."""
    return any(metadata.parts(path) == (name,) and metadata.is_number(path) for path in metadata.members)


def _is_one_of(parts: Sequence[str], deeds: Sequence[str]) -> bool:
    names = [*parts, "".join(parts[:2])]
    return any(name == deed or deed not in _JOINED and is_same_deed(name, deed) for name in names for deed in deeds)
