"""Rows and groups by what a number counts: *fatal crashes*, *and no deaths*, *towns that never had a fatality*."""

from __future__ import annotations

from ...schema.profiles import as_number
from ...words.rewriting import Found
from ...words.text import singular, stem
from ...words.thesaurus import related
from .wording import Wording

__all__ = ["counted_none", "never_counted", "some_counted"]

_TALLY = "count"
_LEAST = 3  # letters of a name that is written short: inj
_DENIED = frozenset({"no", "zero"})
_HAVING = frozenset({"have", "has", "had", "with", "without", "that", "who", "which", "never", "not", "any", "a", "an"})
_NEVER = frozenset({"never", "not", "without", "no"})
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "during", "since", "this", "last", "at", "all", "and"})


def some_counted(w: Wording, at: int) -> Found | None:
    """``fatal crashes``: with more than none of what one number of these rows counts; ``non-fatal`` ones: with none."""
    denied = w.at(at) == "non"
    place = at + denied + (denied and w.at(at + 1) == "-")
    rows = w.rows_at(place + 1)
    # A value of that name says it better, and a name that goes on is that of another column.
    if not rows or w.meta.values.find(w.tokens, place) or w.tokens[place].kind != "word":
        return None
    parts = _counted(w, w.at(place), rows)
    if parts is None or not denied and w.at(at - 1) in ("non", "-"):
        return None
    bound = ("0",) if denied else ("more", "than", "0")
    return [w.tokens[place + 1], *w.said(at, "with", *parts, *bound)], place + 2


def counted_none(w: Wording, at: int) -> Found | None:
    """``no injury and no death``: the second of two things that rows had none of."""
    if w.at(at) not in ("and", "or", "nor") or w.at(at + 1) not in _DENIED or w.at(at + 3) not in _ENDS:
        return None
    parts = _counted(w, w.at(at + 2), tuple(w.cubes))
    return (w.said(at, "and", "with", *parts, "0"), at + 3) if parts is not None else None


def never_counted(w: Wording, at: int) -> Found | None:
    """``towns that have never had a fatality``: groups of which all rows together have none."""
    # Behind "which" stands a kind of something, whatever the model calls it.
    asked = w.at(at - 2) in ("which", "what") and w.at(at) in ("have", "has", "had")
    if w.kind_start(at) is None and not asked or w.rows_at(at - 1) or w.at(at) not in _HAVING:
        return None
    end = next((place for place in range(at, len(w.words)) if w.at(place) not in _HAVING | _DENIED), at)
    if not _NEVER & set(w.words[at:end]):
        return None
    parts = _counted(w, w.at(end), tuple(w.cubes))
    behind = end + 1 + bool(w.rows_at(end + 1))
    if parts is None or w.at(behind) not in _ENDS:
        return None
    return w.said(at, "have", "a", "total", *parts, "of", "at", "most", "0"), behind


def _counted(w: Wording, noun: str, rows: tuple[str, ...]) -> tuple[str, ...] | None:
    """The name of the one column that says of how many a noun is for, where some rows have none."""
    found = {
        w.meta.parts(path)
        for path in w.numbers
        if path.split(".", 1)[0] in rows and path.split(".", 1)[0] in w.cubes and _is_tally(w, path, noun)
    }
    if len(found) != 1:
        return None
    first = next(iter(found))[0]
    return found.pop() if sum(name[0] == first for name in w.names if name) == 1 else None


def _is_tally(w: Wording, path: str, noun: str) -> bool:
    """Whether a number counts what a noun is for, by its name in full or written short: ``inj_cnt`` of *injuries*."""
    parts = w.meta.parts(path)
    if len(parts) != 2 or parts[1] != _TALLY or as_number(w.meta.profile(path).low) != 0:
        return False
    said = singular(noun)
    like = stem(parts[0]) in related(stem(said))
    return like or stem(said) == stem(parts[0]) or len(parts[0]) >= _LEAST and said.startswith(parts[0])
