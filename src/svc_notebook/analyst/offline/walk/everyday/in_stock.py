"""What there is none of, by the one number that says how much there is: *out of stock*, *still in stock*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["out_of_stock"]

_BEING = frozenset({"is", "are", "was", "were", "has", "have", "ran", "run", "currently", "still", "been"})
_NONE, _SOME = ("out", "of", "stock"), ("in", "stock")
_DENIED = frozenset({"not", "no", "never", "n't", "aren't", "isn't", "arent", "isnt"})


def out_of_stock(w: Wording, at: int) -> Found | None:
    """``which toys are out of stock``: of which there are none; ``in stock``: some."""
    place = at
    while w.at(place) in _BEING:
        place += 1
    none = tuple(w.words[place : place + 3]) == _NONE
    if not none and tuple(w.words[place : place + 2]) != _SOME or _DENIED & set(w.words[max(0, place - 2) : place]):
        return None
    end = place + (3 if none else 2)
    held = _held(w, end - 1) if not any(w.meta.values.find(w.tokens, p) for p in range(place, end)) else None
    if held is None:
        return None
    bound = ("0",) if none else ("more", "than", "0")
    return w.said(at, "have" if place > at else "with", *w.meta.parts(held), *bound), end


def _held(w: Wording, noun: int) -> str | None:
    """The one number, from nought on, of the rows that are called stock, or else that is called so."""
    rows = w.rows_at(noun)
    numbers = [p for p in w.numbers if p.split(".", 1)[0] in rows or not rows and "stock" in w.meta.parts(p)]
    found = [path for path in numbers if w.meta.profile(path).low == 0]
    return found[0] if len(found) == 1 else None
