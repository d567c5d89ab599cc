"""Rows and groups by what a number counts: *fatal crashes*, *and no deaths*, *towns that never had a fatality*."""

from __future__ import annotations

from ...schema.profiles import as_number
from ...words.rewriting import Found
from ...words.text import is_participle, singular, stem
from ...words.thesaurus import related
from .wording import Wording

__all__ = ["counted_none", "happened_to_so_many", "never_counted", "some_counted", "where_it_happened"]

_TALLYING = frozenset({"count", "number", "of", "total"})
_PEOPLE = frozenset("people persons passengers drivers riders pedestrians workers children women men animals".split())
_SOMEBODY = frozenset({"somebody", "someone", "anybody", "anyone"})
_BEING = frozenset("were was are is got get have has had been being".split())
_IN = frozenset({"in", "on", "at"})
_LEAST = 3  # letters of a name that is written short: inj
_DENIED = frozenset({"no", "zero", "0"})
_HAVING = frozenset({"have", "has", "had", "with", "without", "that", "who", "which", "never", "not", "any", "a", "an"})
_NEVER = frozenset({"never", "not", "without", *_DENIED})
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
    asked = asked or at == 1 and singular(w.at(0)) != w.at(0)
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


def happened_to_so_many(w: Wording, at: int) -> Found | None:
    """``how many people died``: the total of what the column counts that is called by the verb."""
    if at or w.words[:2] != ["how", "many"] or w.at(2) not in _PEOPLE:
        return None
    verb = next((place for place in range(3, 7) if w.at(place) not in _BEING), 0)
    parts = _counted(w, w.at(verb), tuple(w.cubes)) if is_participle(w.at(verb)) else None
    ours = w.at(verb + 1) in _IN and w.at(verb + 2) == "our" and singular(w.at(verb + 3)) != w.at(verb + 3)
    return (w.said(0, "total", *parts), verb + 1 + 3 * ours) if parts is not None else None  # on all of our roads


def where_it_happened(w: Wording, at: int) -> Found | None:
    """``where somebody died``, ``in which people were hurt``: of the rows that count more than none."""
    start = at + 1 if w.at(at) in ("where", "when") else at + 2 if w.at(at) in _IN and w.at(at + 1) == "which" else 0
    if not at or not start or w.at(start) not in _SOMEBODY | _PEOPLE:
        return None
    verb = next((place for place in range(start + 1, start + 4) if w.at(place) not in _BEING), 0)
    parts = _counted(w, w.at(verb), tuple(w.cubes)) if is_participle(w.at(verb)) else None
    return (w.said(at, "with", *parts, "more", "than", "0"), verb + 1) if parts is not None else None


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
    parts, said = w.meta.parts(path), singular(noun)
    if as_number(w.meta.profile(path).low) != 0:
        return False
    told = [part for part in parts if part not in _TALLYING and part not in _PEOPLE]
    if len(told) != 1:
        return False
    if len(parts) == 1:
        return said != noun and singular(told[0]) != told[0] and stem(said) == stem(told[0])
    like = stem(told[0]) in related(stem(said))
    return like or stem(said) == stem(told[0]) or len(told[0]) >= _LEAST and said.startswith(told[0])
