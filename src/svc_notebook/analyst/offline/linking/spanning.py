"""Questions for how long something takes, said over: the words for it in one place, as the name of a number has them.

*how many days does a parcel take to be delivered, by size* is *average ⟨days from booked to delivered⟩ parcel by size*;
*delivered within 3 days of booking* is *with ⟨days from booked to delivered⟩ at most 3 days*.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ..schema.metadata import Metadata
from ..schema.spans import Moment, Span
from ..words.numbers import exact_unit, number_word
from ..words.text import Token, stem
from .ends import End, end_at, ends_before, spans_between, spans_to, verb_before
from .phases import in_order
from .staying import stays

__all__ = ["Spanned", "spanned"]

_UNITS = frozenset({"minute", "hour", "day", "week", "month", "year"})
_CALLED = {"night": "day", "nights": "day", "month": "month", "months": "month", "year": "year", "years": "year"}
_TAKES = frozenset("take takes took taken taking wait waits waited last lasts lasted need needs needed".split())
_SIGNS = {
    ("within",): "at most", ("in", "under"): "less than", ("in", "less", "than"): "less than",
    ("longer", "than"): "more than", ("more", "than"): "more than", ("over",): "more than",
    ("less", "than"): "less than", ("under",): "less than", ("at", "least"): "at least", ("at", "most"): "at most",
    ("up", "to"): "at most", ("no", "more", "than"): "at most", ("fewer", "than"): "less than",
    ("quicker", "than"): "less than", ("faster", "than"): "less than", ("later", "than"): "more than",
}  # fmt: skip
_BEHIND = {"more": "at least", "longer": "at least", "later": "at least", "less": "at most", "fewer": "at most"}
_EXTREMES = {
    "longest": "highest",
    "slowest": "highest",
    "fastest": "lowest",
    "quickest": "lowest",
    "shortest": "lowest",
}
_FOLDS = {
    "average": "average", "avg": "average", "mean": "average", "typical": "average", "typically": "average",
    "usually": "average", "normally": "average", "median": "median", "maximum": "maximum", "max": "maximum",
    "minimum": "minimum", "min": "minimum", "averages": "average",
}  # fmt: skip
_GAPS = frozenset("time gap interval delay wait lag stretch turnaround period lead".split())
_AUXILIARY = frozenset("do does did it is are was were there pass passes passed elapse elapses go goes".split())
_ANYONE = frozenset("anyone anybody someone somebody people we they you us one customers'".split())
_SINCE = frozenset({"after", "once", "from", "since"})
_THEN = {(word, it) for word in ("when", "on") for it in ("it", "they")}  # *on* is what *once* is read as
_SEARCHED = 9


@dataclass(frozen=True, slots=True)
class Spanned:
    """The tokens with one at ``at`` that stands for any of ``spans``."""

    tokens: list[Token]
    at: int
    spans: tuple[Span, ...]
    role: str  # what it is for: a ``measure``, a ``test``, or what is ``best`` by it


@dataclass(frozen=True, slots=True)
class _Found:
    """``gone`` tokens in whose place, at ``at``, stand ``lead``, the span and ``tail``."""

    at: int
    gone: frozenset[int]
    spans: Sequence[Span]
    lead: tuple[str, ...] = ()
    tail: tuple[Token, ...] = ()
    role: str = "measure"


@dataclass(frozen=True)
class _Asked:
    tokens: Sequence[Token]
    meta: Metadata
    today: date

    def at(self, place: int) -> str:
        return self.tokens[place].lower if 0 <= place < len(self.tokens) else ""

    def unit(self, place: int) -> str | None:
        word = self.at(place)
        unit = _CALLED.get(word) or exact_unit(word)
        return unit if unit in _UNITS else None

    def end(self, place: int) -> End | None:
        return end_at(self.tokens, place, self.meta) if place < len(self.tokens) else None

    def find(self, words: Collection[str], start: int, stop: int | None = None) -> int | None:
        last = min(len(self.tokens), stop if stop is not None else len(self.tokens))
        return next((place for place in range(start, last) if self.at(place) in words), None)

    def said(self, place: int, words: Sequence[str]) -> list[Token]:
        token = self.tokens[min(place, len(self.tokens) - 1)]
        return [replace(token, text=w, lower=w, stem=stem(w), kind="word", value=None) for w in words]


def spanned(tokens: Sequence[Token], metadata: Metadata, today: date) -> Spanned | None:
    """The question said over, where it asks for a time between two times that the model has."""
    asked = _Asked(tokens, metadata, today)
    if not _may(asked):
        return None
    found = next((made for rule in (_since, _bounded, _extreme, _measured) if (made := rule(asked))), None)
    return _said_over(asked, found) if found is not None and found.spans else None


def _may(q: _Asked) -> bool:
    """Whether any word speaks of how long something takes."""
    words = {token.lower for token in q.tokens}
    timed = bool(words & {*_EXTREMES, *_GAPS, "long"}) or any(q.unit(place) for place in range(len(q.tokens)))
    return timed and any(q.meta.times([name]) for name in q.meta.catalog.relations)


def _said_over(q: _Asked, found: _Found) -> Spanned:
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


def _fold(q: _Asked, gone: Collection[int]) -> tuple[str, frozenset[int]]:
    """Which of several times is told, and the words that say so."""
    for place in range(len(q.tokens)):
        fold = _FOLDS.get(q.at(place)) if place not in gone else None
        if fold is None:
            continue
        said = {place}
        if q.at(place - 1) == "on":
            said.add(place - 1)
        for beside in (min(said) - 1, max(said) + 1):
            if q.at(beside) in (",", "number", "of", "the", "an", "a") and beside not in gone:
                said.add(beside)
        if q.unit(max(said) + 1):
            said.add(max(said) + 1)
        return fold, frozenset(said)
    return "", frozenset()


def _unit_said(q: _Asked, gone: Collection[int]) -> tuple[str | None, frozenset[int]]:
    """The unit that times are told in, where it is not what is asked for: ``in hours``, ``median days``."""
    for place in range(1, len(q.tokens)):
        if place not in gone and q.at(place - 1) in ("in", *_FOLDS) and (unit := q.unit(place)):
            before = {place - 1} if q.at(place - 1) == "in" else set()
            comma = {place - 2} if before and q.at(place - 2) == "," else set()
            return unit, frozenset({place} | before | comma)
    return None, frozenset()


# ---- since ----
def _since(q: _Asked) -> _Found | None:
    """``days since the last parcel``."""
    for place in range(len(q.tokens) - 1):
        unit = q.unit(place)
        if unit is None or q.at(place + 1) != "since":
            continue
        end = q.end(place + 2)
        if end is None or not end.phases:
            return None
        best = [p.moment for p in end.phases if p.quality == end.phases[0].quality and not p.moment.event]
        spans = [Span(replace(m, fold=end.fold or "last"), Moment(day=q.today), unit) for m in best]
        gone = {place, place + 1} | end.gone
        if q.at(place - 2) in ("how", "number"):
            gone |= {place - 1, place - 2}
        return _Found(min(gone), frozenset(gone), spans[:2])
    return None


# ---- conditions ----
def _bounded(q: _Asked) -> _Found | None:
    """``delivered within 3 days of booking``, ``took longer than 2 weeks to arrive``."""
    for place, token in enumerate(q.tokens):
        unit = q.unit(place + 1) if token.kind == "number" or number_word(token.lower) is not None else None
        found = _bound_at(q, place, unit) if unit is not None else None
        if found is not None:
            return found
    return None


def _bound_at(q: _Asked, place: int, unit: str) -> _Found | None:
    size = next((n for n in (3, 2, 1) if tuple(q.at(i) for i in range(place - n, place)) in _SIGNS), 0)
    sign = _SIGNS.get(tuple(q.at(i) for i in range(place - size, place)), "")
    first, behind = place - size, place + 2
    if q.at(behind) == "or" and q.at(behind + 1) in _BEHIND:
        sign, behind = _BEHIND[q.at(behind + 1)], behind + 2
    if not sign:
        return None
    gone = set(range(first, behind))
    link = q.at(behind)
    other = q.end(behind + 1) if link in ("after", "of", "from", "before", "to") else None
    took = next((p for p in (first - 1, first - 2) if q.at(p) in _TAKES), None)
    spans: list[Span] = []
    if other is not None and link == "to" and took is not None:
        gone |= {behind, took, *other.gone, *_that(q, took)}
        start = q.end(other.stop + 1) if q.at(other.stop) in _SINCE else None
        spans = spans_between(start, other, unit, q.meta) if start is not None else spans_to(other, unit, q.meta)
        gone |= {other.stop, *start.gone} if start is not None else set()
    elif other is not None and link != "to":
        verb = verb_before(q.tokens, first, q.meta)
        if verb is None:
            return None
        one, two = (verb, other) if link == "before" else (other, verb)
        spans = spans_between(one, two, unit, q.meta)
        gone |= {behind, *verb.gone, *other.gone, *_that(q, min(verb.gone))}
    elif sign in ("at most", "less than") and size and q.at(first) in ("within", "in"):
        verb = verb_before(q.tokens, first, q.meta)
        if verb is None or verb.stop != first:
            return None
        spans = spans_to(verb, unit, q.meta)
        gone |= verb.gone | _that(q, min(verb.gone))
    if not spans:
        return None
    fold, told = _fold(q, gone)
    gone |= told
    tail = [*q.said(place, sign.split()), q.tokens[place], *q.said(place + 1, [f"{unit}s"])]
    tail = tail if unit in ("minute", "hour", "day", "week") else tail[:-1]
    lead = ("with", fold) if fold else ("with",)
    at = min(gone - told)
    return _Found(at, frozenset(gone), spans, lead, tuple(tail), "test")


def _that(q: _Asked, place: int) -> set[int]:
    """``that``, ``which`` and helpers right before a verb."""
    said = set()
    while q.at(place - 1) in ("that", "which", "who", "have", "has", "had", "was", "were", "been", "are", "is"):
        if q.at(place - 1) in ("which", "who") and place < 2:
            break
        place -= 1
        said.add(place)
    return said


# ---- superlatives ----
def _extreme(q: _Asked) -> _Found | None:
    """``took longest to arrive``, ``fastest to start``, ``slowest at deciding``, ``longest between a and b``."""
    place = q.find(_EXTREMES, 0)
    if place is None:
        return None
    way = _EXTREMES[q.at(place)]
    gone = {place} | ({place - 1} if q.at(place - 1) == "the" else set())
    took = next((p for p in (min(gone) - 1, min(gone) - 2) if q.at(p) in _TAKES), None)
    gone |= {took, *_that(q, took)} if took is not None else _that(q, min(gone))
    behind, anyone = place + 1, False
    while q.at(behind) in _GAPS | _TAKES | _ANYONE or q.at(behind) in ("has", "have", "had", "ever", "for", "it"):
        anyone = anyone or q.at(behind) in _ANYONE
        gone.add(behind)
        behind += 1
    spans: list[Span] = []
    if q.at(behind) in ("between", "from"):
        found, more = _from_to(q, behind, None)
        spans, gone = list(found), gone | more
    else:
        link = behind if q.at(behind) in ("to", "at", "in", "until") else q.find(("to",), behind, behind + 3)
        told = behind - 1 if q.at(behind - 1) == "for" and anyone else link
        end = q.end(told + 1) if told is not None else None
        if end is None or q.at(told or 0) == "in" and took is None and q.unit((told or 0) + 1):
            return None
        found, more = _to(q, end, None)
        spans = list(found)
        gone |= more | {told}  # type: ignore[arg-type]  # an end was found behind it
    said, told_in = _unit_said(q, gone)
    if not spans:
        return None
    gone |= told_in
    spans = [span.within(said) for span in spans] if said else list(spans)
    ranked = "" if anyone else _ranked(q, gone, spans[0].relations)
    at = min(gone - told_in)
    if not ranked:
        return _Found(at, frozenset(gone), spans, ("maximum" if way == "highest" else "minimum",))
    lead = ("with", "the", way, *(("average",) if ranked == "groups" else ()))
    return _Found(at, frozenset(gone), spans, lead, role="best")


def _ranked(q: _Asked, gone: Collection[int], relations: Collection[str]) -> str:
    """What may be the longest, by what is left of the question: ``rows``, ``groups`` of them, or nothing it names."""
    for place, token in enumerate(q.tokens):
        if place in gone or token.kind != "word":
            continue
        if token.lower in ("who", "whose"):
            return "rows"
        known = [q.meta.phrases[number] for number in q.meta.postings.get(token.stem, ())]
        whole = {phrase.relation for phrase in known if phrase.member is None and phrase.stems == (token.stem,)}
        if whole or known and token.lower not in _PLAIN:
            return "rows" if whole & set(relations) else "groups"
    return ""


_PLAIN = frozenset("which what is are the for in of on by with has have had a an".split())


# ---- numbers ----
def _measured(q: _Asked) -> _Found | None:
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
        said, told_in = _unit_said(q, gone) if unit is None else (unit, frozenset[int]())
        gone |= told_in
        if said and unit is None:
            spans = [span.within(said) for span in spans]
        fold, told = _fold(q, gone)
        at = min(gone - told_in)
        asks = q.at(begin) == "how" or q.at(begin) in ("number",)
        lead = (fold,) if fold else ("average",) if asks else ()
        return _Found(at, frozenset(gone | told), spans, lead)
    return None


def _cue(q: _Asked, place: int) -> tuple[int, int, str | None] | None:
    """Words that ask for a time: from where, to where, in which unit."""
    if q.at(place) == "how" and q.at(place + 1) == "long":
        return place, place + 2, None
    unit = q.unit(place)
    if unit is not None and q.at(place) not in ("second", "minute", "hour", "day", "week", "month", "year"):
        if q.at(place - 1) in ("many", "of") and q.at(place - 2) in ("how", "number"):
            return place - 2, place + 1, unit
        if q.at(place - 1) in _FOLDS or q.at(place + 1) in ("between", "from", "to", "until", "ahead", "before"):
            return place, place + 1, unit
    named = q.at(place) in _GAPS and q.at(place + 1) in ("between", "from", "until", "to")
    if named:
        begin = place - 1 if q.at(place - 1) in ("waiting", "lead", "turnaround", "wait") else place
        return begin, place + 1, None
    return None


def _told(q: _Asked, stop: int, unit: str | None) -> tuple[Sequence[Span], set[int]]:
    """What follows the cue: the ends, and the words that say them."""
    gone: set[int] = set()
    for place in range(stop, min(len(q.tokens), stop + _SEARCHED)):
        word = q.at(place)
        if word in ("between", "from"):
            spans, more = _from_to(q, place, unit)
            if spans:
                return spans, gone | more
        if word in ("to", "until", "till") or word == "before" and gone:
            end = q.end(place + 1)
            if end is not None:
                spans, more = _to(q, end, unit, stop)
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
        if word in _TAKES and (subject := _subject(q, stop, place)):
            gone |= subject
        if word in _AUXILIARY | _TAKES | _ANYONE:
            gone.add(place)
    staying, said = stays(q.tokens, q.meta, unit)
    return staying, gone | said


def _subject(q: _Asked, start: int, stop: int) -> set[int]:
    """Words for what takes so long that the model does not know (``how long does a repair take``): its rows."""
    does = q.find(("do", "does", "did"), start, stop)
    if does is None:
        return set()
    told = range(does + 1, stop)
    known = any(q.tokens[p].stem in q.meta.postings or q.meta.values.find(q.tokens, p) for p in told)
    return set() if known or len(told) > 3 else set(told)


def _from_to(q: _Asked, place: int, unit: str | None) -> tuple[Sequence[Span], set[int]]:
    """``between a and b``, ``from a to b``."""
    linking = ("and",) if q.at(place) == "between" else ("to", "until", "till")
    middle = q.find((*linking, "and"), place + 1, place + _SEARCHED)
    start = q.end(place + 1) if middle is not None else None
    end = q.end(middle + 1) if middle is not None else None
    if middle is None or start is None or end is None:
        return (), set()
    spans = spans_between(start, end, unit, q.meta, ordered=q.at(place) != "between")
    return spans, {place, middle, *start.gone, *end.gone}


def _to(q: _Asked, end: End, unit: str | None, begin: int | None = None) -> tuple[Sequence[Span], set[int]]:
    """``to b``, from the beginning or from what is said behind it: ``to be collected once it was ready``."""
    gone = set(end.gone)
    behind = range(end.stop, min(end.stop + 4, len(q.tokens)))
    place = next((p for p in behind if q.at(p) in _SINCE or (q.at(p), q.at(p + 1)) in _THEN), None)
    start = q.end(place + 1) if place is not None else None
    if start is None and begin is not None:
        before = q.find(("after", "from", "once"), begin, min(end.gone))
        start, place = (q.end(before + 1), before) if before is not None else (None, None)
    if start is not None and place is not None and (spans := spans_between(start, end, unit, q.meta)):
        return spans, gone | {place, *start.gone}
    return spans_to(end, unit, q.meta), gone


def _ahead(q: _Asked, place: int, unit: str | None, stop: int) -> tuple[Sequence[Span], set[int]]:
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
    gone = {p for p in range(stop, len(q.tokens)) if q.at(p) in _AUXILIARY | _ANYONE}
    return spans[:1], gone | set(range(place, place + size)) | start.gone
