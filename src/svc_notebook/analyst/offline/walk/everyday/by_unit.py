"""Numbers by the unit that they are kept in: *price per kilo*, *litres by farm*, *rent per square metre*."""

from __future__ import annotations

from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["by_unit"]

_PER = frozenset({"per", "a", "each"})
_BEFORE = frozenset({"", "the", "total", "and", ",", "many", "by", "per", "most", "fewest", "show", "me"})
_BEHIND = frozenset(
    {"", "?", ".", "by", "per", "of", "for", "from", "in", "each", "did", "do", "were", "are", "was", ",", "and"}
)
_SQUARE = frozenset({"square", "sq"})
_TIMES = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
_AREA = (("m", "2"), ("m2",), ("sqm",), ("qm",))


def by_unit(w: Wording, at: int) -> Found | None:
    """``price per kilo``: per weight, where one number alone is kept in kilograms; ``kilos by crop``: all of them."""
    if w.tokens[at].kind != "word" or w.tokens[at].stem in w.meta.vocabulary:
        return None
    square = w.at(at) in _SQUARE
    path = _area(w) if square else w.kept_in(w.at(at))
    if path is None or not square and exact_unit(w.at(at)) in _TIMES:
        return None
    end = at + 1 + square
    name = w.meta.parts(path)
    if w.at(at - 1) in _PER:
        return (w.said(at, *name), end) if _is_theirs(w, at, path) else None
    many = singular(w.at(end - 1)) != w.at(end - 1) or w.at(at - 1) == "total"
    plain = w.at(at - 1) in _BEFORE and (w.at(end) in _BEHIND or w.at(end).endswith("ed"))
    if not many or not plain or at and w.tokens[at - 1].kind == "number":
        return None
    told = w.at(at - 1) in ("total", "most", "fewest")
    return w.said(at, *(() if told else ("total",)), *name), end


def _is_theirs(w: Wording, at: int, path: str) -> bool:
    """Whether a number or rows of the same are said before: how large a house is tells no group of its bills."""
    known, home = w.meta.number_names.called, path.split(".", 1)[0]
    ends = ((place, w.number_end(place)) for place in range(at))
    said = {one for place, end in ends if end for one in known[tuple(t.stem for t in w.tokens[place:end])]}
    named = {one.split(".", 1)[0] for one in said} or {one for place in range(at) for one in w.rows_at(place)}
    return home in named or len(w.cubes) == 1


def _area(w: Wording) -> str | None:
    names = {path: tuple(w.meta.parts(path)) for path in w.numbers if path.split(".", 1)[0] in w.cubes}
    found = [path for path, name in names.items() if any(name[-len(end) :] == end for end in _AREA)]
    return found[0] if len(found) == 1 else None
