"""The two ends of a time that a question asks for: which words name them, and which of what they name goes together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from msgspec import Struct

from ..schema.lasting import usual_unit
from ..schema.metadata import Metadata
from ..schema.spans import Moment, Span
from ..words.text import Token
from .phases import Phase, in_order, phases_at, starts_of

__all__ = ["End", "end_at", "ends_before", "spans_between", "spans_to", "verb_before"]

_FIRST = {"first": "first", "1st": "first", "earliest": "first", "initial": "first",
          "last": "last", "latest": "last", "final": "last", "recent": "last"}  # fmt: skip
_HELPERS = frozenset(
    "the a an being been be was were is are it its they them their his her having has had have getting get got when "
    "once he she you we that this each most very date time of".split()
)
_SUBJECTS = frozenset({"we", "you", "they", "he", "she"})
_STOPS = frozenset("and to until till before after from by per for than within with , ? . ; ! vs versus or".split())
# Six words: "a client has registered for the".
_WIDEST = 6
_NEAR = 4
# More than the difference between a word's own time and a like one: what goes together is likelier than what fits.
_TOGETHER, _JOINED = 0.5, 0.2  # what two moments gain that are of one row, or of rows that refer to each other
_ALTERNATIVES = 2


class End(Struct, frozen=True):
    """What words say of one end: the moments they may name, and the tokens that say nothing else."""

    phases: tuple[Phase, ...]
    stop: int
    gone: frozenset[int]
    fold: str = ""


def end_at(tokens: Sequence[Token], at: int, metadata: Metadata) -> End | None:
    """The end that the words from ``at`` on name, past helpers and what is done it to (``a client registering``)."""
    gone: set[int] = set()
    fold, rows = "", None
    for place in range(at, min(len(tokens), at + _WIDEST)):
        word = tokens[place].lower
        if word in _FIRST:
            fold, gone = _FIRST[word], gone | {place}
            continue
        if word in _HELPERS:
            if word == "of" and rows is not None:
                break
            gone.add(place)
            continue
        if word in _STOPS or tokens[place].kind not in ("word", "quoted"):
            break
        found = phases_at(tokens, place, metadata)
        if not found and place and tokens[place - 1].lower in _SUBJECTS:
            gone.add(place)  # "until we send the reply": the reply says what is done
            continue
        done = tuple(phase for phase in found if not phase.rows)
        if done:
            named = tuple(found)
            # "first reply at" is a column's name, and no first of several.
            fold = "" if fold in metadata.parts(done[0].moment.path) else fold
            stop = done[0].stop
            while stop < len(tokens) and any(
                p.moment == done[0].moment and not p.rows for p in phases_at(tokens, stop, metadata)
            ):
                stop += 1  # "grid connection"
            return End(named, stop, frozenset(gone | set(range(place, stop))), fold)
        if found and rows is None:
            rows = End(tuple(found), place + 1, frozenset(gone | {place}), fold)
            if fold:
                return rows
    return rows


def verb_before(tokens: Sequence[Token], at: int, metadata: Metadata) -> End | None:
    """What was done right before a place: ``collected`` of *collected more than 20 days after*."""
    for place in range(at - 1, max(-1, at - 1 - _NEAR), -1):
        found = tuple(p for p in phases_at(tokens, place, metadata) if not p.rows)
        if found and found[0].stop <= at:
            start = place
            while start and tokens[start - 1].lower in _HELPERS - {"the", "a", "an", "of", "that", "date", "time"}:
                start -= 1
            return End(found, found[0].stop, frozenset(range(start, found[0].stop)))
        if tokens[place].lower in _STOPS:
            return None
    return None


def ends_before(tokens: Sequence[Token], places: Sequence[int], metadata: Metadata) -> End | None:
    """The first of some places that names what is done."""
    for place in places:
        found = tuple(p for p in phases_at(tokens, place, metadata) if not p.rows)
        if found:
            return End(found, found[0].stop, frozenset(range(place, found[0].stop)))
    return None


def spans_between(start: End, end: End, unit: str | None, metadata: Metadata, *, ordered: bool = True) -> list[Span]:
    """The likeliest spans from one end to the other, of one row, of rows that refer to each other, of two events.

    ``ordered``: they were said in the order in which they happen (from one to the other).
    """
    scored: list[tuple[float, Span]] = []
    for one, other in product(start.phases, end.phases):
        made = _pair(one.moment, other.moment, start.fold, end.fold, metadata)
        if made is None:
            continue
        first, last, gain = made
        # "between a and b" says no order: as it mostly happens.
        if not ordered and first.relation == last.relation and not first.is_folded:
            order = in_order(metadata, first.relation)
            if first.path in order and last.path in order and order.index(last.path) < order.index(first.path):
                first, last = last, first
        said = unit or _unit(metadata, first, last)
        scored.append((one.quality + other.quality + gain, Span(first, last, said)))
    if not scored:
        return []
    scored.sort(key=lambda item: -item[0])
    best = [span for score, span in scored if score > scored[0][0] - 0.01]
    return list(dict.fromkeys(best))[:_ALTERNATIVES]


def spans_to(end: End, unit: str | None, metadata: Metadata) -> list[Span]:
    """The spans up to an end alone: from the beginning of the row, or from what comes right before."""
    best: list[Span] = []
    for phase in end.phases:
        if phase.rows or phase.moment.event or best and phase.quality < end.phases[0].quality:
            continue
        for start in starts_of(metadata, phase.moment.path):
            said = unit or usual_unit(metadata, start, phase.moment.path)
            best.append(Span(Moment(start), phase.moment, said))
    return best[:_ALTERNATIVES]


def _unit(metadata: Metadata, start: Moment, end: Moment) -> str:
    return usual_unit(metadata, start.path, end.path)


def _pair(one: Moment, other: Moment, first: str, last: str, metadata: Metadata) -> tuple[Moment, Moment, float] | None:
    """Two moments that go together, with how well."""
    if bool(one.event) != bool(other.event):
        return None
    if one.event and other.event:
        same = one.event[0] == other.event[0] and one.event != other.event
        return (one, other, _TOGETHER) if same else None
    if one.relation == other.relation:
        return (one, other, _TOGETHER) if one.path != other.path and not (first or last) else None
    if metadata.leads_to(other.relation, one.relation):
        return (one, replace(other, fold=last), _JOINED) if not first else None
    if metadata.leads_to(one.relation, other.relation):
        return (replace(one, fold=first), other, _JOINED) if not last else None
    return None
