"""The weather, by the number that tells it: *the warmest month*, *how windy was it in March*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["how_it_was", "weather"]

_WARMTH, _RAIN = frozenset({"temperature"}), frozenset({"precipitation", "rain", "rainfall"})
_EXTREMES = {
    "warmest": (_WARMTH, ("highest", "average")),
    "hottest": (_WARMTH, ("highest", "average")),
    "coldest": (_WARMTH, ("lowest", "average")),
    "rainiest": (_RAIN, ("highest", "total")),
    "wettest": (_RAIN, ("highest", "total")),
    "windiest": (frozenset({"wind"}), ("highest", "average")),
}
_QUALITIES = {
    **dict.fromkeys(("warm", "hot", "cold"), _WARMTH),
    **dict.fromkeys(("rainy", "wet"), _RAIN),
    "windy": frozenset({"wind"}),
    "humid": frozenset({"humidity", "humid"}),
}
_ASKING = frozenset({"what", "what's", "which", "was", "is", "the", "show", "me"})
_LEAD = 5  # words before the superlative
_BEING = frozenset({"is", "was", "are", "were", "be"})
_IT = (["it"], ["the", "weather"])


def weather(w: Wording, at: int) -> Found | None:
    """``the warmest month``: the one with the highest average of what the adjective measures, where no name says so."""
    if (top := _top(w, at)) is not None:
        return top
    place = next((p for p, word in enumerate(w.words[:_LEAD]) if word not in _ASKING), _LEAD) if at == 0 else _LEAD
    noun, end = w.at(place + 1), place + 2
    if w.at(place - 1) in ("which", "what") and singular(w.at(place)) in UNITS and w.at(place + 1) in _BEING:
        noun, place = w.at(place), place + 2 + (w.at(place + 2) == "the")  # "which month was the coldest"
        end = place + 1
    hints, how = _EXTREMES.get(w.at(place), (frozenset[str](), ("", "")))
    if not hints or w.tokens[place].stem in w.meta.vocabulary or singular(noun) not in UNITS:
        return None
    named = _named(w, hints)
    said = w.said(place, "which", noun, "has", "the", *how, *named) if named else []
    return (said, end) if said else None


def _is_mostly_missing(w: Wording, path: str) -> bool:
    """Whether few rows have a number: there are no gusts in most hours, and a wind in all of them."""
    profile = w.meta.profile(path)
    return 2 * profile.missing > profile.rows


def _top(w: Wording, at: int) -> Found | None:
    """``top 10 windiest days``: so many of them, by the average of what the adjective measures."""
    place = at + 1 + (w.at(at) == "the")
    hints, how = _EXTREMES.get(w.at(place + 1), (frozenset[str](), ("", "")))
    if at or w.at(place - 1) != "top" or not w.is_number(place) or singular(w.at(place + 2)) not in UNITS or not hints:
        return None
    named = _named(w, hints)
    said = [*w.tokens[place - 1 : place + 1], w.tokens[place + 2], *w.said(place, "by", *how, *named)]
    return (said, place + 3) if named else None


def how_it_was(w: Wording, at: int) -> Found | None:
    """``how windy was it``: the average of what the adjective measures, where no name says so."""
    hints = _QUALITIES.get(w.at(at + 1), frozenset[str]()) if w.at(at) == "how" else frozenset[str]()
    if not hints or w.at(at + 2) not in _BEING or w.tokens[at + 1].stem in w.meta.vocabulary:
        return None
    end = next((at + 3 + len(it) for it in _IT if w.words[at + 3 : at + 3 + len(it)] == it), 0)
    end += 2 * (w.words[end : end + 2] == ["on", "average"])
    named = _named(w, hints)
    return (w.said(at, "average", *named), end) if named and end > at else None


def _named(w: Wording, hints: frozenset[str]) -> tuple[str, ...]:
    """The words of the number that tells such weather; of several the shortest name, and one that most rows have."""
    known = ((_is_mostly_missing(w, path), w.meta.parts(path)) for path in w.numbers)
    names = sorted((len(name), gaps, name) for gaps, name in known if hints & set(name))
    return tuple(names[0][-1]) if names else ()
