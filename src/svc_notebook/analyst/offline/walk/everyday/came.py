"""How often somebody or something came, where one table alone tells it: *riders who came only once*, *never came*."""

from __future__ import annotations

from ...schema.lasting import BIRTH, DUE
from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import stem
from ...words.thesaurus import related
from .wording import Wording

__all__ = ["came_so_often"]

_WHO = frozenset({"who", "that", "which"})
_HAVE = frozenset({"have", "has", "had", "ever", "actually", "were", "was", "did"})
_DENIED = frozenset("never didn't didnt haven't havent hasn't hasnt".split())
_CAME = frozenset("came come comes been attended visited returned".split())
_CAME_UP = frozenset("turned turn showed shown show dropped drop stopped stop".split())
_PARTICLES = frozenset({"in", "up", "by", "along", "back", "here", "over"})
_EXACTLY = frozenset({"only", "just", "exactly"})
_ENDS = frozenset({"", "?", ".", "!", ",", "this", "last", "during", "since", "in", "so", "at", "yet", "and"})
_NO_SHOW = ("no show", "no-show", "noshow")
_NEAR = 4  # words from what came to who it is
_OFTEN = {"once": "1", "twice": "2", "thrice": "3"}


def came_so_often(w: Wording, at: int) -> Found | None:
    """``cars that came in twice or more``: with at least 2 jobs; ``customers who never came in``: without one."""
    place, denied = at, False
    while w.at(place) in _WHO | _HAVE | _DENIED:
        denied, place = denied or w.at(place) in _DENIED, place + 1
    verb = _verb_end(w, place) if place > at else 0
    near = (_things(w, noun) for noun in range(at - 1, max(at - _NEAR, 0) - 1, -1)) if verb else ()
    rows = _told_by(w, next((things for things in near if things), []))
    if rows is None:
        return None
    if denied:
        if w.at(place) in _CAME_UP and _knows_no_shows(w):
            return None  # they were expected, and are told by a value
        return (w.said(at, "without", *w.plural(rows)), verb) if w.at(verb) in _ENDS else None
    times = _times(w, verb)
    return (w.said(at, "with", *times[0], *w.plural(rows)), times[1]) if times is not None else None


def _verb_end(w: Wording, at: int) -> int:
    """The place behind a verb that says no more than that they came; or 0."""
    moved = w.at(at + 1) in _PARTICLES
    plain = w.at(at) in _CAME or w.at(at) in _CAME_UP and moved
    return at + 1 + moved if plain and w.tokens[at].stem not in w.meta.vocabulary else 0


def _things(w: Wording, noun: int) -> list[str]:
    """The relations whose rows a noun is for, by their names or by a word that stands for these."""
    if rows := [name for name in w.rows_at(noun) if name in w.cubes]:
        return rows
    said = w.tokens[noun].stem
    return [name for name in w.cubes if any(said in related(stem(word)) for word in w.meta.words_of(name)[-1:])]


def _told_by(w: Wording, things: list[str]) -> str | None:
    """The one relation whose rows happened to things, those nearest to them first."""
    events = [name for name in w.cubes if name not in things and _happens(w, name)] if len(things) == 1 else []
    found = [name for name in events if things[0] in w.meta.edges.get(name, ())]
    found = found or [name for name in events if w.meta.leads_to(name, things[0])]
    return found[0] if len(found) == 1 else None


def _happens(w: Wording, relation: str) -> bool:
    """Whether rows have a time that is neither of a birth nor of what will be due."""
    return any(not (BIRTH | DUE) & set(w.meta.parts(path)) for path in w.meta.times([relation]))


def _knows_no_shows(w: Wording) -> bool:
    values = (str(value).lower() for known in w.meta.values.members.values() for value in known)
    return any(value.startswith(_NO_SHOW) for value in values)


def _times(w: Wording, at: int) -> tuple[list[str], int] | None:
    """How often, as a bound and a number, and the place behind it."""
    bound = w.bound(at)
    exactly = not bound and w.at(at) in _EXACTLY
    place = at + (bound or exactly)
    number, end = _number(w, place)
    if number is None:
        return None
    or_more = w.words[end : end + 2] == ["or", "more"]
    end += 2 * or_more
    said = ["at", "least"] if or_more else w.words[at:place] if bound else ["exactly"]
    return ([*said, number], end) if w.at(end) in _ENDS else None


def _number(w: Wording, at: int) -> tuple[str | None, int]:
    """``twice``, ``three times``, ``3 or more times``: the number, and the place behind."""
    if w.at(at) in _OFTEN:
        return _OFTEN[w.at(at)], at + 1
    token = w.tokens[at] if at < len(w.tokens) else None
    value = token.value if token is not None and token.kind == "number" else number_word(w.at(at))
    if value is None or value != int(value) or w.at(at + 1) != "times":
        return None, at
    return str(int(value)), at + 2
