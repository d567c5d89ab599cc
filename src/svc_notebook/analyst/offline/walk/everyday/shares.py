"""Shares as bounds: *categories where more than 10 % of tickets were reopened*, *less than 5 % damaged parcels*."""

from __future__ import annotations

from dataclasses import replace

from ...words.percents import PERCENT, is_fraction
from ...words.rewriting import Found
from ...words.shares_said import PART_WORDS
from ...words.text import Token, is_participle, stem
from .wording import Wording, named_rows

__all__ = ["percent_of_share", "rates_bounded", "share_by_doers", "share_of_those", "shares_bounded"]

_OPENING = frozenset({"where", "with", "whose", "having", "for", "in"})
_BEING = frozenset({"is", "are", "was", "were", "got", "get", "gets", "been", "have", "has", "had", "being"})
_LITTLE = frozenset({"the", "all", "their", "its", "of"})
_ENDS = frozenset({"", "?", ".", "!"})
_MOST = 4  # words that say what the share is of
_SURE = 0.85  # how well a value fits that is meant
_DOING = frozenset(
    "bought made sold paid sent taken won written led held come comes came coming arrive "
    "arriving go goes went get gets".split()
)
_HAVING = frozenset({"with", "have", "has", "had", "having", "whose"})
_RATES = frozenset({"rate", "rates", "quota"})
_WERE = frozenset({"is", "are", "was", "were"})


def shares_bounded(w: Wording, at: int) -> Found | None:
    """``where more than 10 % of tickets are reopened``: with a share of reopened tickets above that."""
    start = at + (w.at(at) in _OPENING) + (w.at(at + 1) == "which")
    size = w.bound(start)
    percent = _percent(w, start + size) if at and size else None
    if percent is None:
        return None
    number, place = percent
    end = next((p for p in range(place, len(w.words)) if w.at(p) in _ENDS), len(w.words))
    told = [token for token in w.tokens[place:end] if token.lower not in _LITTLE | _BEING]
    # What has a table of its own may be a flag of these rows as well: "flights cancelled" beside cancellations.
    rows = [token for token in told if _is_rows(w, token.stem) and not _is_flag(w, token.stem)]
    kind = [token for token in told if token not in rows]
    if not kind or len(told) > _MOST or len(rows) > 1 or not _tells(w, kind[-1].stem, place, end):
        return None
    said = w.said(at, "with", "share", "of")
    return [*said, *kind, *rows, *w.tokens[start : start + size], number], end


def rates_bounded(w: Wording, at: int) -> Found | None:
    """``have a cancellation rate over 15 %``: with a share of cancellations above that; no number is called so."""
    if w.at(at) not in _HAVING or not at:
        return None
    start = at + 1 + (w.at(at + 1) in ("a", "an", "the"))
    rate = next((p for p in range(start + 1, start + 1 + _MOST) if w.at(p) in _RATES), 0)
    place = rate + 1 + (w.at(rate + 1) in ("is", "was", "of"))
    size = w.bound(place)
    percent = _percent(w, place + size) if rate and size else None
    if percent is None or not _tells(w, w.tokens[rate - 1].stem, start, rate):
        return None
    if any(w.tokens[start:rate] and w.number_end(p) == rate + 1 for p in range(start, rate)):
        return None
    number, end = percent
    bound = w.tokens[place : place + size]
    return [*w.said(at, "with", "share", "of"), *w.tokens[start:rate], *bound, number], end


def percent_of_share(w: Wording, at: int) -> Found | None:
    """``with a share of cancelled orders over 15 %``: the bound is of the share, and of no amount."""
    size = w.bound(at)
    percent = _percent(w, at + size) if size and PART_WORDS & set(w.words[:at]) else None
    if percent is None or percent[1] == at + size + 1:
        return None
    return [*w.tokens[at : at + size], percent[0]], percent[1]


def _percent(w: Wording, at: int) -> tuple[Token, int] | None:
    """The number of a hundred at a place as one token, and where it ends: ``15%``, ``15 %``, ``15 percent``."""
    number = w.tokens[at] if at < len(w.tokens) else None
    if number is None or number.kind != "number" or number.value is None:
        return None
    if is_fraction(number):
        return number, at + 1
    if w.at(at + 1) not in PERCENT:
        return None
    said = f"{number.text}%"
    return replace(number, text=said, lower=said, stem=said, value=number.value / 100), at + 2


def share_of_those(w: Wording, at: int) -> Found | None:
    """``what share of cancelled flights was from JFK``: of those, and no share that the model calls so."""
    if w.at(at) not in PART_WORDS or w.at(at - 1) != "what" or w.at(at + 1) != "of":
        return None
    start = at + 2 + (w.at(at + 2) in ("the", "all", "our"))
    end = next((place for place in range(start, len(w.words)) if w.at(place) in _WERE), 0)
    if not start + 1 < end <= start + _MOST or w.at(end + 1) in {*_ENDS, "there"} or not w.rows_at(end - 1):
        return None
    kind = w.tokens[start : end - 1]
    if not _has_share(w, {token.lower for token in kind}):
        return None
    return [w.tokens[at], w.tokens[at + 1], w.tokens[end - 1], *w.said(at, "that", "were"), *kind], end


def share_by_doers(w: Wording, at: int) -> Found | None:
    """``share of tickets bought by seniors``, ``what percent come in by phone``: of those, and no grouping."""
    if w.at(at) not in _DOING and not is_participle(w.at(at)) or (w.tokens[at].stem,) in w.meta.number_names.called:
        return None
    by = at + 1 + (w.at(at + 1) in ("in", "through"))
    rows = at - 1 - (w.at(at - 1) in _BEING)
    rows -= w.at(rows) in ("that", "which", "who")
    told = rows >= 2 and w.rows_at(rows) and PART_WORDS & set(w.words[max(0, rows - _MOST) : rows])
    if w.at(by) not in ("by", "via") or not told or by + 1 >= len(w.tokens):
        return None
    start = by + 1 + (w.at(by + 1) in ("the", "our"))
    found = [match for match in w.meta.values.find(w.tokens, start) if match.quality >= _SURE]
    return (w.said(at, "for"), start) if found and not w.kind_end(start) else None


def _has_share(w: Wording, kind: set[str]) -> bool:
    """Whether the model has a share of its own of the rows that are so."""
    shares = (path for path, member in w.meta.members.items() if member.kind == "measure")
    return any(kind == set(w.meta.parts(path)) - PART_WORDS - {"rate", "ratio"} for path in shares)


def _is_rows(w: Wording, said: str) -> bool:
    return any(said in {stem(word) for word in named_rows(w.meta, name)} for name in w.meta.catalog.relations)


def _tells(w: Wording, said: str, start: int, end: int) -> bool:
    """Whether words tell some rows from others: a flag, or a value."""
    return _is_flag(w, said) or any(w.meta.values.find(w.tokens, place) for place in range(start, end))


def _is_flag(w: Wording, said: str) -> bool:
    flags = [path for path, m in w.meta.members.items() if m.kind in ("dimension", "segment") and m.type == "boolean"]
    return any(said in {stem(part) for part in w.meta.parts(path)} for path in flags)
