"""``people`` where one table alone lists people: *how many people work here*, *days of leave per person*."""

from __future__ import annotations

from ...schema.states import end_in
from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording

__all__ = ["at_work", "plain_people", "who_has_not"]

_PEOPLE = frozenset({"people", "persons"})
_EACH = frozenset({"per", "each", "every", "by", "a"})
_ONE = frozenset({"person", "head"})
_WORKING = frozenset({"work", "works", "working"})
_WHERE = frozenset({"", "?", ".", "in", "at", "from", "remotely", "remote", "today", "now", "currently"})
_HERE = (("here",), ("for", "us"), ("with", "us"), ("at", "the", "company"), ("for", "the", "company"))
_DENIED = frozenset({"no", "not", "never", "n't", "didn't", "hasn't", "haven't"})
_HAVING = frozenset({"has", "have", "had", "did", "does"})
_LEADS = frozenset({"many", "of", "our", "which"})


def plain_people(w: Wording, at: int) -> Found | None:
    """The one table of people by its own name, where a word for people heads what is asked or says of whom each is."""
    word = w.at(at)
    head = word in _PEOPLE and (at <= 1 or w.at(at - 1) in _LEADS) or word == "person" and w.at(at + 1) == "with"
    each = word in _ONE and w.at(at - 1) in _EACH
    if not (head or each) or stem("people") in w.meta.vocabulary or w.tokens[at].stem in w.meta.vocabulary:
        return None
    listed = w.meta.lists_of_people
    if len(listed) != 1 or w.meta.values.find(w.tokens, at):
        return None
    if any(set(w.rows_at(place)) & set(listed) for place in range(len(w.tokens)) if place != at):
        return None  # they are named besides
    words = _plural(w, listed[0])
    return w.said(at, *(words if head and word in _PEOPLE else [*words[:-1], singular(words[-1])])), at + 1


def at_work(w: Wording, at: int) -> Found | None:
    """``how many employees work here``: those who have not left; no job that one works in is asked for."""
    before = at - 1 - (w.at(at - 1) in ("currently", "who", "that"))
    people = set(w.rows_at(before)) & set(w.meta.lists_of_people) if w.at(at) in _WORKING else set[str]()
    if not people:
        return None
    size = next((len(words) for words in _HERE if tuple(w.words[at + 1 : at + 1 + len(words)]) == words), 0)
    if w.meta.values.find(w.tokens, at) or not size and w.at(at + 1) not in _WHERE:
        return None
    end = at + 1 + size
    if "currently" in w.words or not size or end_in(w.meta, min(people), "currently") is None:
        return [], end
    return w.said(at, "currently"), end + (w.at(end) in ("now", "today"))


def who_has_not(w: Wording, at: int) -> Found | None:
    """``who has never taken leave``: which of the people that one table lists and the rows so denied belong to."""
    listed = w.meta.lists_of_people
    denied = next((place for place in range(1, 4) if w.at(place) in _DENIED), 0)
    if at or w.at(0) != "who" or not denied or len(listed) != 1 or not set(w.words[1:denied]) <= _HAVING:
        return None
    rows = {name for place in range(denied, len(w.tokens)) for name in w.rows_at(place)}
    if not any(listed[0] in w.meta.edges.get(name, ()) for name in rows - set(listed)):
        return None
    return w.said(0, *_plural(w, listed[0]), "who"), 1


def _plural(w: Wording, relation: str) -> list[str]:
    """Its rows by the last noun of its name where that is enough: *members* of ``club_members``."""
    words = w.plural(relation)
    alone = set(w.meta.kind_names.rows.get(stem(words[-1]), ())) == {relation}
    return words[-1:] if alone else words
