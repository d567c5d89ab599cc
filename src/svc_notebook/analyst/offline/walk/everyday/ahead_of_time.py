"""How much earlier or later than planned rows came or went: *arrived more than an hour early*, *left behind time*."""

from __future__ import annotations

from dataclasses import replace

from ...lexicon.bounds import bound_at
from ...words.numbers import dimension_of, number_word, unit_of
from ...words.rewriting import Found
from ...words.text import Token
from .lateness import COMING, GOING
from .wording import Wording

__all__ = ["ahead_of_time"]

_WAYS = {"early": -1, "earlier": -1, "ahead": -1, "late": 1, "later": 1, "behind": 1}
_PLANNED = frozenset({"planned", "scheduled", "expected", "due", "intended", "announced", "timetabled"})
_SCHEDULE = frozenset({"time", "schedule", "timetable", "plan"})
_TOO = frozenset({"too", "much", "well"})
_EARLIER = {">": ("below",), ">=": ("at", "most"), "": ("at", "most")}
"""How a bound is said of what lies below nought."""


def ahead_of_time(w: Wording, at: int) -> Found | None:
    """By the number of rows that is called a delay, of coming or of going: below nought where they were early."""
    end = "arrival" if w.tokens[at].stem in COMING else "departure" if w.tokens[at].stem in GOING else ""
    delay = _delay(w, end) if end else ()
    if not delay:
        return None
    bound, said = bound_at(w.words, at + 1)
    amount, behind = _amount(w, at + 1 + bound)
    way, last = _way(w, behind)
    if said not in _EARLIER or not way or bound and not amount or not amount and last == behind + 1:
        return None  # "left early" and "arrived late" are read where flags are
    number = amount or w.said(at, "0")
    if way > 0:
        over = ("over",) if said != ">=" and (bound or not amount) else ("at", "least")
        return [*w.said(at, "with", *delay, *over), *number], last
    below = ("below",) if not amount else _EARLIER[said]
    return [*w.said(at, "with", *delay, *below), _less(number[0]), *number[1:]], last


def _less(number: Token) -> Token:
    value = -(number.value or 0.0)
    return replace(number, text=f"{value:g}", lower=f"{value:g}", stem=f"{value:g}", value=value)


def _amount(w: Wording, place: int) -> tuple[list[Token], int]:
    """A number of minutes, hours or days, and the place behind it; nothing where none is said."""
    unit = unit_of(w.at(place + 1)) if w.at(place + 1) else None
    if unit is None or dimension_of(unit) != "time":
        return [], place
    token = w.tokens[place]
    one = 1.0 if token.lower in ("a", "an") else token.value if token.kind == "number" else number_word(token.lower)
    if one is None:
        return [], place
    number = replace(token, kind="number", text=f"{one:g}", lower=f"{one:g}", stem=f"{one:g}", value=one)
    return [number, w.tokens[place + 1]], place + 2


def _way(w: Wording, place: int) -> tuple[int, int]:
    """-1 for early and 1 for late, and the place behind what says so: *earlier than planned*, *ahead of schedule*."""
    place += w.at(place) in _TOO
    word = w.at(place)
    way = _WAYS.get(word, 0)
    if word in ("ahead", "behind"):
        noun = place + 1 + (w.at(place + 1) == "of") + (w.at(place + 1 + (w.at(place + 1) == "of")) in ("its", "their"))
        return (way, noun + 1) if w.at(noun) in _SCHEDULE else (0, place)
    if w.at(place + 1) == "than":
        return (way, place + 3) if w.at(place + 2) in _PLANNED else (0, place)
    return (way, place + 1) if word in ("early", "late") else (0, place)


def _delay(w: Wording, end: str) -> tuple[str, ...]:
    """The name of the one number that says how late rows come or go; of several the one that is called so."""
    known = {tuple(w.meta.parts(path)) for path in w.delays}
    named = [name for name in known if end in name] or list(known)
    return named[0] if len(named) == 1 else ()
