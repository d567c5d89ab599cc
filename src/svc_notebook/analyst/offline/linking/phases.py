"""What a question calls the times of rows: *delivery*, *picked up*, *sign-up*, or rows that happen at one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from msgspec import Struct

from ..schema.lasting import BIRTH, PLANNED
from ..schema.metadata import Metadata
from ..schema.spans import Moment
from ..words.families import is_same_deed
from ..words.text import Token, singular

__all__ = ["Phase", "in_order", "phases_at", "starts_of"]

_WHEN = frozenset("date time datetime timestamp ts when at on day dt".split())
_PARTICLES = frozenset({"in", "up", "out", "off", "over", "back"})
_ALIKE = tuple(
    frozenset(words.split())
    for words in (
        "deliver arrive", "finish complete end close", "resolve close solve settle repair fix mend", "sell sale",
        "ship dispatch send post", "collect pickup fetch", "decide decision approve", "reply respond answer",
        "leave checkout depart discharge", "book order reserve request", "submit apply file lodge",
        "open create raise log report", "start begin", "register signup join enrol enroll subscribe",
        "receive arrive", "list publish", "admit arrive checkin", "pay settle", "hire employ", "return bringback",
    )
)  # fmt: skip
"""Deeds that people call by each other's names."""
_KINDS = frozenset("type kind category reason".split())
_LAST = ("end", "finish", "complete", "arrive", "done", "over")
_FIRST = ("start", "begin")
# Ordered by how sure: what a word names itself, down to what only ends.
_OWN, _PART, _OTHER, _ROWS, _EVENT, _EDGE = 1.0, 0.9, 0.75, 0.6, 0.65, 0.45
"""How well a word names a time: its own, a part of its name, another word for it, rows, a value, an end as such."""


class Phase(Struct, frozen=True):
    """A moment that words name, up to the token ``stop``; ``rows``: by what happens then."""

    moment: Moment
    quality: float
    stop: int
    rows: bool = False


def in_order(metadata: Metadata, relation: str) -> tuple[str, ...]:
    """The times of a relation's rows as they follow each other, without those that are planned or of a birth."""
    times = [p for p in metadata.times([relation]) if p in metadata.members]
    times = [p for p in times if not BIRTH & set(metadata.parts(p))]
    times = [p for p in times if not PLANNED & set(metadata.parts(p))] or times
    lows = {p: (_moment(metadata.profile(p).low), _moment(metadata.profile(p).high)) for p in times}
    known = [p for p in times if None not in lows[p]]
    return tuple(sorted(known, key=lambda p: (*lows[p], times.index(p))))


def starts_of(metadata: Metadata, end: str) -> tuple[str, ...]:
    """From when the time up to ``end`` may be meant where that is not said: the beginning of the row, then what comes
    right before.
    """
    order = in_order(metadata, end.split(".", 1)[0])
    # What most rows do not have is no beginning of theirs: a notice that is sent of some.
    order = tuple(p for p in order if p == end or metadata.profile(p).missing * 2 <= metadata.profile(p).rows)
    if end not in order:
        earlier = [p for p in order if p != end]
        return tuple(earlier[:1])
    before = order[: order.index(end)]
    return tuple(dict.fromkeys((*before[:1], *before[-1:])))


def phases_at(tokens: Sequence[Token], at: int, metadata: Metadata) -> list[Phase]:
    """All that the words at a place may name, the best first."""
    if tokens[at].kind != "word" or len(tokens[at].lower) < 3:
        return []
    found = [*_of_times(tokens, at, metadata), *_of_rows(tokens, at, metadata), *_of_events(tokens, at, metadata)]
    return sorted(found, key=lambda p: (-p.quality, -p.stop))


def _of_times(tokens: Sequence[Token], at: int, metadata: Metadata) -> Iterator[Phase]:
    word = tokens[at].lower
    particle, stop = _particle(tokens, at)
    for relation in metadata.catalog.relations:
        times = [p for p in metadata.times([relation]) if p in metadata.members]
        any_named = False
        for path in times:
            named = _fits(word, particle, metadata.parts(path))
            if named is not None:
                any_named = True
                quality, with_particle = named
                yield Phase(Moment(path), quality, stop if with_particle else at + 1)
        if not any_named and times and word != "over":
            # An end as such is only looked for where no time is called so.
            order = in_order(metadata, relation) if _is(word, *_LAST) or _is(word, *_FIRST) else ()
            if len(order) > 1:
                yield Phase(Moment(order[-1] if _is(word, *_LAST) else order[0]), _EDGE, at + 1)


def _is(word: str, *deeds: str) -> bool:
    return any(is_same_deed(word, deed) for deed in deeds)


def _fits(word: str, particle: str, parts: Sequence[str]) -> tuple[float, bool] | None:
    """How well words fit the name of a time, and whether their particle is a part of it."""
    content = [part for part in parts if part not in _WHEN]
    for place, part in enumerate(content):
        behind = content[place + 1] if place + 1 < len(content) else parts[-1] if parts[-1] in _PARTICLES else ""
        own = behind if behind in _PARTICLES else ""
        joined = next((p for p in _PARTICLES if len(part) > len(p) + 2 and part.endswith(p)), "")
        if own and particle and own != particle:
            continue
        if own and word.endswith(own) and is_same_deed(word.removesuffix(own), part):
            return _OWN, False
        if is_same_deed(word, part) and part not in _PARTICLES:
            return (_OWN if place == len(content) - 1 or own else _PART), bool(own and particle)
        if joined and particle == joined and is_same_deed(word, part.removesuffix(joined)):
            return _OWN, True
    said = word + particle
    for same in _ALIKE:
        if any(_of_group(said, one) or _of_group(word, one) for one in same):
            names = [*content, "".join(content[-2:])]
            if any(_of_group(name, one) for name in names for one in same):
                return _OTHER, bool(particle) and any(_of_group(said, one) for one in same)
    return None


def _of_group(word: str, one: str) -> bool:
    return word == one or is_same_deed(word, one)


def _particle(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The particle that follows a verb (``picked up``, ``check-in``, ``pick-ups``), and the place behind it."""
    place = at + 1
    if place + 1 < len(tokens) and tokens[place].text in ("-", "‑"):
        place += 1
    word = tokens[place].lower if place < len(tokens) else ""
    for form in (word, word.removesuffix("s")):
        if form in _PARTICLES:
            return form, place + 1
    return "", at + 1


def _of_rows(tokens: Sequence[Token], at: int, metadata: Metadata) -> Iterator[Phase]:
    """``the first visit``: when rows that are called so begin."""
    named = [metadata.phrases[place] for place in metadata.postings.get(tokens[at].stem, ())]
    found = {phrase.relation for phrase in named if phrase.member is None and phrase.stems == (tokens[at].stem,)}
    lower = singular(tokens[at].lower)
    found |= {r for r in metadata.catalog.relations if any(_is(lower, word) for word in metadata.words_of(r))}
    if not found:
        found = {r for r in metadata.catalog.relations if _tells_kinds_of(lower, r, metadata)}
    for relation in sorted(found):
        order = in_order(metadata, relation)
        if order and metadata.relation(relation).kind == "cube":
            yield Phase(Moment(order[0]), _ROWS, at + 1, rows=True)


def _tells_kinds_of(noun: str, relation: str, metadata: Metadata) -> bool:
    """Whether a column tells kinds of what a noun says: ``reason_for_visit``."""
    texts = (m for m in metadata.relation(relation).members.values() if m.path in metadata.members)
    return any(
        m.type == "string" and noun in (parts := metadata.parts(m.path)) and bool(_KINDS & set(parts)) for m in texts
    )


def _of_events(tokens: Sequence[Token], at: int, metadata: Metadata) -> Iterator[Phase]:
    """``between created and assigned``: when the row with that value came."""
    for match in metadata.values.find(tokens, at):
        relation = match.member.split(".", 1)[0]
        times = in_order(metadata, relation)
        # One time a row: with several, the value may have come at any of them.
        if match.quality >= _PART and len(times) == 1 and isinstance(match.value, str):
            yield Phase(Moment(times[0], event=(match.member, match.value)), _EVENT, match.end)


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None
