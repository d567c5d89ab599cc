"""How long something takes, as a number: *average days between … and …*, *how long does it take to …*."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.spans import Moment, Span
from .ends import End, ends_before, spans_between, spans_to
from .phases import in_order
from .span_words import ANYONE, FOLDS, GAPS, SINCE, TAKES, Asked, Found, fold_said, unit_said
from .staying import stays

__all__ = ["from_to", "measured", "to_end"]

_AUXILIARY = frozenset("do does did it is are was were there pass passes passed elapse elapses go goes".split())
_THEN = {(word, it) for word in ("when", "on") for it in ("it", "they")}  # *on* is what *once* is read as
_SEARCHED = 9


def measured(q: Asked) -> Found | None:
    """``how long does it take to …``, ``average days between … and …``, ``time from … to …``, ``nights per stay``."""
    for place in range(len(q.tokens)):
        cue = _cue(q, place)
        if cue is None:
            continue
        begin, stop, unit = cue
        gone = set(range(begin, stop))
        spans, more = _told(q, stop, unit)
        if not spans:
            continue
        gone |= more
        said, told_in = unit_said(q, gone) if unit is None else (unit, frozenset[int]())
        gone |= told_in
        if said and unit is None:
            spans = [span.within(said) for span in spans]
        fold, told = fold_said(q, gone)
        at = min(gone - told_in)
        asks = q.at(begin) == "how" or q.at(begin) in ("number",)
        lead = (fold,) if fold else ("average",) if asks else ()
        return Found(at, frozenset(gone | told), spans, lead)
    return None


def _cue(q: Asked, place: int) -> tuple[int, int, str | None] | None:
    """Words that ask for a time: from where, to where, in which unit."""
    if q.at(place) == "how" and q.at(place + 1) == "long":
        return place, place + 2, None
    unit = q.unit(place)
    # In the singular it is a unit of something else ("first day").
    if unit is not None and q.at(place) not in ("second", "minute", "hour", "day", "week", "month", "year"):
        if q.at(place - 1) in ("many", "of") and q.at(place - 2) in ("how", "number"):
            return place - 2, place + 1, unit
        if q.at(place - 1) in FOLDS or q.at(place + 1) in ("between", "from", "to", "until", "ahead", "before"):
            return place, place + 1, unit
    named = q.at(place) in GAPS and q.at(place + 1) in ("between", "from", "until", "to")
    if named:
        begin = place - 1 if q.at(place - 1) in ("waiting", "lead", "turnaround", "wait") else place
        return begin, place + 1, None
    return None


def _told(q: Asked, stop: int, unit: str | None) -> tuple[Sequence[Span], set[int]]:
    """What follows the cue: the ends, and the words that say them."""
    gone: set[int] = set()
    for place in range(stop, min(len(q.tokens), stop + _SEARCHED)):
        word = q.at(place)
        if word in ("between", "from"):
            spans, more = from_to(q, place, unit)
            if spans:
                return spans, gone | more
        if word in ("to", "until", "till") or word == "before" and gone:
            end = q.end(place + 1)
            if end is not None:
                spans, more = to_end(q, end, unit, stop)
                return spans, gone | more | {place}
        if word in ("after", "once"):
            start = q.end(place + 1)
            last = (
                ends_before(q.tokens, [*range(stop, place), *range(start.stop, len(q.tokens))], q.meta)
                if start
                else None
            )
            if start is not None and last is not None:
                spans = spans_between(start, last, unit, q.meta)
                return spans, gone | {place, *start.gone, *last.gone}
        if word == "ahead" or word == "in" and q.at(place + 1) == "advance":
            return _ahead(q, place, unit, stop)
        if word in TAKES and (subject := _subject(q, stop, place)):
            gone |= subject
        if word in _AUXILIARY | TAKES | ANYONE:
            gone.add(place)
    staying, said = stays(q.tokens, q.meta, unit)
    return staying, gone | said


def _subject(q: Asked, start: int, stop: int) -> set[int]:
    """Words for what takes so long that the model does not know (``how long does a repair take``): its rows."""
    does = q.find(("do", "does", "did"), start, stop)
    if does is None:
        return set()
    told = range(does + 1, stop)
    known = any(q.tokens[p].stem in q.meta.postings or q.meta.values.find(q.tokens, p) for p in told)
    # Up to three words: a whole clause would be lost.
    return set() if known or len(told) > 3 else set(told)


def from_to(q: Asked, place: int, unit: str | None) -> tuple[Sequence[Span], set[int]]:
    """``between a and b``, ``from a to b``."""
    linking = ("and",) if q.at(place) == "between" else ("to", "until", "till")
    middle = q.find((*linking, "and"), place + 1, place + _SEARCHED)
    start = q.end(place + 1) if middle is not None else None
    end = q.end(middle + 1) if middle is not None else None
    if middle is None or start is None or end is None:
        return (), set()
    spans = spans_between(start, end, unit, q.meta, ordered=q.at(place) != "between")
    return spans, {place, middle, *start.gone, *end.gone}


def to_end(q: Asked, end: End, unit: str | None, begin: int | None = None) -> tuple[Sequence[Span], set[int]]:
    """``to b``, from the beginning or from what is said behind it: ``to be collected once it was ready``."""
    gone = set(end.gone)
    behind = range(end.stop, min(end.stop + 4, len(q.tokens)))
    place = next((p for p in behind if q.at(p) in SINCE or (q.at(p), q.at(p + 1)) in _THEN), None)
    start = q.end(place + 1) if place is not None else None
    if start is None and begin is not None:
        before = q.find(("after", "from", "once"), begin, min(end.gone))
        start, place = (q.end(before + 1), before) if before is not None else (None, None)
    if start is not None and place is not None and (spans := spans_between(start, end, unit, q.meta)):
        return spans, gone | {place, *start.gone}
    return spans_to(end, unit, q.meta), gone


def _ahead(q: Asked, place: int, unit: str | None, stop: int) -> tuple[Sequence[Span], set[int]]:
    """``how many days ahead do people book``: from then to what comes next."""
    size = 1 if q.at(place) == "ahead" else 2
    rest = [*range(place + size, len(q.tokens)), *range(stop, place)]
    start = ends_before(q.tokens, rest, q.meta)
    if start is None:
        return (), set()
    spans = []
    for phase in start.phases:
        order = in_order(q.meta, phase.moment.relation)
        if phase.moment.path in order[:-1] and phase.quality == start.phases[0].quality:
            after = order[order.index(phase.moment.path) + 1]
            spans.append(Span(phase.moment, Moment(after), unit or "day"))
    gone = {p for p in range(stop, len(q.tokens)) if q.at(p) in _AUXILIARY | ANYONE}
    return spans[:1], gone | set(range(place, place + size)) | start.gone
