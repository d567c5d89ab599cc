"""Rows called by what of them is measured: *how many deliveries* of rows that have ``delivery_minutes``."""

from __future__ import annotations

from collections.abc import Sequence

from ....records import dataclass
from ..words.numbers import dimension_of, unit_of
from ..words.text import Token, name_parts, singular
from .metadata import Metadata
from .nouns import is_plural
from .polarity import is_bad_when_high

__all__ = ["Candidate", "are_listed", "is_counted", "of_rows"]

_COUNTING = (("how", "many"), ("number", "of"), ("count", "of"))
_LISTED = frozenset({"", "free", "expensive", "cheapest", "priciest", "costliest", "list", "show", "unpaid", "paid"})
_FOLDED = frozenset({"total", "average", "avg", "sum", "min", "max", "median"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A relation (``member`` None) or member that a span may name; ``quality`` 1 is its name as written."""

    relation: str
    member: str | None
    quality: float
    full: bool


def is_counted(tokens: Sequence[Token], place: int) -> bool:
    """Whether the words right before a place ask how many there are."""
    return tuple(token.lower for token in tokens[max(0, place - 2) : place]) in _COUNTING


def are_listed(tokens: Sequence[Token], place: int) -> bool:
    """Whether a noun opens the question, or stands where rows are told of: ``the most expensive stays``."""
    before = tokens[place - 1].lower if place else ""
    return before in _LISTED


def of_rows(word: str, candidates: tuple[Candidate, ...], metadata: Metadata) -> tuple[Candidate, ...]:
    """The candidates, where ``word`` names what a row's amount is measured of: as many of them as there are rows."""
    unit = dimension_of(unit_of(singular(word)) or "") != ""  # an hour of the day is measured in no days
    if unit or not is_plural(word) or is_bad_when_high((singular(word),)):  # not each of the rows is a delay
        return candidates
    moved = [Candidate(c.relation, None, c.quality, c.full) if _measures(c, word, metadata) else c for c in candidates]
    return tuple(dict.fromkeys(moved))


def _measures(candidate: Candidate, word: str, metadata: Metadata) -> bool:
    known = metadata.members.get(candidate.member or "")
    if known is None or known.kind == "measure" and known.agg_type not in ("sum", "avg", "min", "max"):
        return False
    if known.kind != "measure" and (not metadata.is_number(known.path) or metadata.is_key(known.path)):
        return False
    parts = name_parts(known.name)
    first, *rest = parts[1:] if parts[0] in _FOLDED and len(parts) > 1 else parts
    # A unit behind it makes it an amount of the row (delivery_minutes); without one the noun is a column like any
    # other.
    return first == singular(word) and bool(rest) and dimension_of(unit_of(rest[-1]) or "") != ""
