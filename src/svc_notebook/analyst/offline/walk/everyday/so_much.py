"""Rows of exactly so much: *lessons of two hours*, *90 minute lessons*, in the unit that their number is kept in."""

from __future__ import annotations

from dataclasses import replace

from ...words.numbers import exact_unit, number_word, unit_factor
from ...words.rewriting import Found
from ...words.text import Token
from .wording import Wording

__all__ = ["in_its_unit", "rows_of_so_much"]

_BOUNDING = frozenset(
    "than over under above below least most about around within last past next first every per each to up and or "
    "between until after before".split()
)
_TAKING = frozenset("of took take takes taking lasted last lasting weighing weigh weighed".split())
_BEHIND = frozenset("or and to - % percent old ago later earlier late early before after longer shorter".split())
_EXACTLY = frozenset("of is was are were exactly = equal equals to at being".split())
_FARTHEST = 3  # words between a number's name and how much it is


def rows_of_so_much(w: Wording, at: int) -> Found | None:
    """``lessons of two hours``, ``two-hour lessons``: of exactly this duration, where the rows have one such number."""
    place = at + 1 + (w.at(at + 1) in ("that", "which"))
    if w.rows_at(at) and w.at(place) in _TAKING and (said := _amount(w, place + 1)) is not None:
        number, unit, end = said
        kept = _kept(w, w.rows_at(at), unit)
        if kept is not None and w.at(end) not in _BEHIND and not w.rows_at(end):
            return [w.tokens[at], *_with(w, at, kept, number)], end
    if w.at(at - 1) not in _BOUNDING and (said := _amount(w, at)) is not None:
        number, unit, end = said
        noun = end + bool(w.meta.values.find(w.tokens, end))  # "two-hour online lessons"
        kept = _kept(w, w.rows_at(noun), unit)
        if kept is not None:
            return [*w.tokens[end : noun + 1], *_with(w, at, kept, number)], noun + 1
    return None


def in_its_unit(w: Wording, at: int) -> Found | None:
    """``duration of two hours`` where it is kept in minutes: 120 of them."""
    said = _amount(w, at) if w.at(at - 1) not in _BOUNDING - {"to"} else None
    if said is None or w.at(said[2]) in _BEHIND:
        return None
    number, unit, end = said
    name = at
    while name and at - name < _FARTHEST and w.at(name - 1) in _EXACTLY:
        name -= 1
    for path in _named_before(w, name):
        kept = _unit(w, path)
        factor = unit_factor(unit, kept) if kept is not None else None
        if kept is not None and factor is not None and factor != 1:
            return [_number(w, at, number * factor), *w.said(at, kept)], end
    return None


def _named_before(w: Wording, end: int) -> list[str]:
    """The numbers of rows whose name ends before a place: the longest name."""
    for size in range(min(_FARTHEST, end), 0, -1):
        stems = tuple(token.stem for token in w.tokens[end - size : end])
        if found := [p for p in w.meta.number_names.called.get(stems, ()) if p.split(".", 1)[0] in w.cubes]:
            return found
    return []


def _amount(w: Wording, at: int) -> tuple[float, str, int] | None:
    """A number and its unit at a place, and the place behind them."""
    if not w.is_number(at):
        return None
    token = w.tokens[at]
    number = token.value if token.kind == "number" else number_word(w.at(at))
    place = at + 1 + (w.at(at + 1) == "-")
    unit = exact_unit(w.at(place))
    return (float(number), unit, place + 1) if number is not None and unit is not None else None


def _unit(w: Wording, path: str) -> str | None:
    told = str(w.meta.member(path).meta.get("unit") or "").lower()
    return exact_unit(told) or exact_unit(w.meta.parts(path)[-1])


def _kept(w: Wording, rows: tuple[str, ...], unit: str) -> tuple[str, float] | None:
    """The one number of rows that is measured as a unit measures, and what to multiply by."""
    found = [p for p in w.numbers if p.split(".", 1)[0] in rows and p.split(".", 1)[0] in w.cubes]
    sized = [(p, f) for p in found if (f := unit_factor(unit, _unit(w, p) or "")) is not None]
    return sized[0] if len(sized) == 1 else None


def _with(w: Wording, at: int, kept: tuple[str, float], number: float) -> list[Token]:
    path, factor = kept
    return [*w.said(at, "with", *w.meta.number_names.words(w.meta, path)), _number(w, at, number * factor)]


def _number(w: Wording, at: int, number: float) -> Token:
    text = f"{number:g}"
    return replace(w.tokens[at], kind="number", text=text, lower=text, stem=text, value=number)
