"""How long something took, as a condition: *delivered within 3 days of booking*; and the days since something."""

from __future__ import annotations

from dataclasses import replace

from ..lexicon import bounding
from ..schema.spans import Moment, Span
from ..words.numbers import number_word
from .ends import spans_between, spans_to, verb_before
from .span_words import SINCE, TAKES, Asked, Found, fold_said, that_before

__all__ = ["bounded", "since"]

_WORDS = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most"}
_SIGNS = {
    **{phrase: _WORDS[sign] for phrase, sign in bounding().items() if sign in _WORDS},
    ("within",): "at most", ("in", "under"): "less than", ("in", "less", "than"): "less than",
    ("longer", "than"): "more than", ("quicker", "than"): "less than", ("faster", "than"): "less than",
    ("later", "than"): "more than",
}  # fmt: skip
_BEHIND = {"more": "at least", "longer": "at least", "later": "at least", "less": "at most", "fewer": "at most"}


def since(q: Asked) -> Found | None:
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
        return Found(min(gone), frozenset(gone), spans[:2])
    return None


def bounded(q: Asked) -> Found | None:
    """``delivered within 3 days of booking``, ``took longer than 2 weeks to arrive``."""
    for place, token in enumerate(q.tokens):
        unit = q.unit(place + 1) if token.kind == "number" or number_word(token.lower) is not None else None
        found = _bound_at(q, place, unit) if unit is not None else None
        if found is not None:
            return found
    return None


def _bound_at(q: Asked, place: int, unit: str) -> Found | None:
    # Longest first: "no more than" holds "more than".
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
    took = next((p for p in (first - 1, first - 2) if q.at(p) in TAKES), None)
    spans: list[Span] = []
    if other is not None and link == "to" and took is not None:
        gone |= {behind, took, *other.gone, *that_before(q, took)}
        start = q.end(other.stop + 1) if q.at(other.stop) in SINCE else None
        spans = spans_between(start, other, unit, q.meta) if start is not None else spans_to(other, unit, q.meta)
        gone |= {other.stop, *start.gone} if start is not None else set()
    elif other is not None and link != "to":
        verb = verb_before(q.tokens, first, q.meta)
        if verb is None:
            return None
        one, two = (verb, other) if link == "before" else (other, verb)
        spans = spans_between(one, two, unit, q.meta)
        gone |= {behind, *verb.gone, *other.gone, *that_before(q, min(verb.gone))}
    elif sign in ("at most", "less than") and size and q.at(first) in ("within", "in"):
        verb = verb_before(q.tokens, first, q.meta)
        if verb is None or verb.stop != first:
            return None
        spans = spans_to(verb, unit, q.meta)
        gone |= verb.gone | that_before(q, min(verb.gone))
    if not spans:
        return None
    fold, told = fold_said(q, gone)
    gone |= told
    tail = [*q.said(place, sign.split()), q.tokens[place], *q.said(place + 1, [f"{unit}s"])]
    tail = tail if unit in ("minute", "hour", "day", "week") else tail[:-1]
    lead = ("with", fold) if fold else ("with",)
    at = min(gone - told)
    return Found(at, frozenset(gone), spans, lead, tuple(tail), "test")
