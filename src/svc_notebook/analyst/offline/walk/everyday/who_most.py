"""Who does most often what a value says was done: *who cancels the most*."""

from __future__ import annotations

from ...words.families import root
from ...words.rewriting import Found
from ...words.thesaurus import ABBREVIATIONS
from .wording import Wording

__all__ = ["who_does_most"]

_OFTEN = (("the", "most"), ("most", "often"), ("the", "most", "often"), ("most",), ("most", "frequently"))
_STATES = frozenset({"stat", "status", "state", "outcome", "result"})


def who_does_most(w: Wording, at: int) -> Found | None:
    """``who cancels the most``: which member has the most cancelled sessions."""
    if at or w.at(0) != "who" or len(w.words) <= 2 or w.tokens[1].stem in w.meta.vocabulary:
        return None
    size = next((len(words) for words in _OFTEN if tuple(w.words[2 : w.end]) == words), 0)
    done = _done(w, w.at(1)) if size else set()
    if len(done) != 1:
        return None
    path, value = done.pop()
    relation = path.split(".", 1)[0]
    people = [name for name in w.meta.edges.get(relation, ()) if w.meta.is_of_people(name)]
    if len(people) != 1:
        return None
    said = ["which", *w.meta.words_of(people[0]), "has", "the", "most", value, *w.plural(relation)]
    return w.said(0, *said), 2 + size


def _done(w: Wording, verb: str) -> set[tuple[str, str]]:
    """The values of states that say that it was done."""
    states = [p for p in w.meta.values.members if p.split(".", 1)[0] in w.cubes and _STATES & set(_words(w, p))]
    return {
        (path, str(value))
        for path in states
        for value in w.meta.values.members[path]
        if str(value).isalpha() and root(ABBREVIATIONS.get(str(value), str(value)).lower()) == root(verb)
    }


def _words(w: Wording, path: str) -> tuple[str, ...]:
    return (*path.split(".", 1)[1].split("_"), *(w.meta.parts(path) if path in w.meta.members else ()))
