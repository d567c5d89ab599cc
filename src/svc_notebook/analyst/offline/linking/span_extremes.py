"""What took longest, or least: *fastest to start*, *which parcel took longest to arrive*."""

from __future__ import annotations

from collections.abc import Collection

from ..schema.spans import Span
from .span_numbers import from_to, to_end
from .span_words import ANYONE, EXTREMES, GAPS, TAKES, Asked, Found, that_before, unit_said

__all__ = ["extreme"]

_PLAIN = frozenset("which what is are the for in of on by with has have had a an".split())


def extreme(q: Asked) -> Found | None:
    """``took longest to arrive``, ``fastest to start``, ``slowest at deciding``, ``longest between a and b``."""
    place = q.find(EXTREMES, 0)
    if place is None:
        return None
    way = EXTREMES[q.at(place)]
    gone = {place} | ({place - 1} if q.at(place - 1) == "the" else set())
    took = next((p for p in (min(gone) - 1, min(gone) - 2) if q.at(p) in TAKES), None)
    gone |= {took, *that_before(q, took)} if took is not None else that_before(q, min(gone))
    behind, anyone = place + 1, False
    while q.at(behind) in GAPS | TAKES | ANYONE or q.at(behind) in ("has", "have", "had", "ever", "for", "it"):
        anyone = anyone or q.at(behind) in ANYONE
        gone.add(behind)
        behind += 1
    spans: list[Span] = []
    if q.at(behind) in ("between", "from"):
        found, more = from_to(q, behind, None)
        spans, gone = list(found), gone | more
    else:
        link = behind if q.at(behind) in ("to", "at", "in", "until") else q.find(("to",), behind, behind + 3)
        told = behind - 1 if q.at(behind - 1) == "for" and anyone else link
        end = q.end(told + 1) if told is not None else None
        if end is None or q.at(told or 0) == "in" and took is None and q.unit((told or 0) + 1):
            return None
        found, more = to_end(q, end, None)
        spans = list(found)
        gone |= more | {told}  # type: ignore[arg-type]  # an end was found behind it
    said, told_in = unit_said(q, gone)
    if not spans:
        return None
    gone |= told_in
    spans = [span.within(said) for span in spans] if said else list(spans)
    ranked = "" if anyone else _ranked(q, gone, spans[0].relations)
    at = min(gone - told_in)
    if not ranked:
        return Found(at, frozenset(gone), spans, ("maximum" if way == "highest" else "minimum",))
    lead = ("with", "the", way, *(("average",) if ranked == "groups" else ()))
    return Found(at, frozenset(gone), spans, lead, role="best")


def _ranked(q: Asked, gone: Collection[int], relations: Collection[str]) -> str:
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
