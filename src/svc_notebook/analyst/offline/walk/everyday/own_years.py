"""``hires per year``: by the time that these rows have, where only rows of another kind keep a year as a number."""

from __future__ import annotations

from collections.abc import Iterator

from ...words.families import root
from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["by_own_year"]

_EACH = frozenset({"per", "each", "every", "by"})
_DATED_BY = frozenset("date on at time day".split())


def by_own_year(w: Wording, at: int) -> Found | None:
    """The unit of time, where what is spoken of has a time and no year, and something else has a year."""
    if w.at(at) not in _EACH or w.at(at + 1) != "year":
        return None
    named = [w.meta.phrases[place] for place in w.meta.postings.get(stem("year"), ())]
    kept = {p.relation for p in named if p.member is not None and len(p.stems) == 1}
    if not kept:
        return None
    spoken = {name for place in range(len(w.tokens)) if place not in (at, at + 1) for name in _dated(w, place)}
    if not spoken or spoken & kept:
        return None
    return w.said(at, "annually"), at + 2


def _dated(w: Wording, at: int) -> Iterator[str]:
    """The relations that a word speaks of: by the noun for their rows, or by what one of their times says was done."""
    yield from (name for name in w.rows_at(at) if name in w.cubes and w.meta.times([name]))
    said = root(w.tokens[at].lower)
    for name in w.facts:
        own = {root(part) for path in w.meta.times([name]) for part in w.meta.parts(path) if part not in _DATED_BY}
        if said in own:
            yield name
