"""``people`` where one table alone lists people: *how many people work here*, *days of leave per person*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...schema.states import end_in
from ...words.rewriting import Found
from ...words.text import singular, stem
from ...words.thesaurus import FILLER
from .wording import Wording

__all__ = ["at_work", "plain_people", "those_attending", "who_has_not"]

_PEOPLE = frozenset({"people", "persons"})
_EACH = frozenset({"per", "each", "every", "by", "a"})
_ONE = frozenset({"person", "head"})
_ATTENDING = frozenset({"attendee", "attendant", "trainee"})
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
    if head and _of_unknown(w, at + 1):
        return None
    words = _plural(w, listed[0])
    return w.said(at, *(words if head and word in _PEOPLE else [*words[:-1], singular(words[-1])])), at + 1


def _of_unknown(w: Wording, start: int) -> bool:
    """``looked at our website``: of something of ours that nobody knows, which is then what is refused by name."""
    owned = (place + 1 for place in range(start, len(w.tokens)) if w.at(place) in ("our", "the"))
    return any(
        place < len(w.tokens) and w.tokens[place].kind == "word" and w.tokens[place].stem not in w.meta.vocabulary
        and w.tokens[place].stem not in FILLER and not w.meta.values.find(w.tokens, place) and w.at(place) not in UNITS
        and not w.rows_at(place)
        for place in owned
    )  # fmt: skip


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


def those_attending(w: Wording, at: int) -> Found | None:
    """``number of attendees per course``: the people of the one list, where rows of theirs say what they attended."""
    noun, listed = singular(w.at(at)), w.meta.lists_of_people
    if noun not in _ATTENDING or noun == w.at(at) or len(listed) != 1:
        return None
    # In a year alone it would be the people of that year, whatever that is of them.
    if w.at(at + 1) not in ("per", "by", "of", "each") and w.words[max(at - 3, 0) : at] != ["by", "number", "of"]:
        return None
    if any(noun in name for name in w.names) or any(noun in w.meta.words_of(name) for name in w.cubes):
        return None
    rows = [name for name in w.cubes if listed[0] in w.meta.edges.get(name, ()) and name not in listed]
    return (w.said(at, *_plural(w, listed[0])), at + 1) if rows else None


def _plural(w: Wording, relation: str) -> list[str]:
    """Its rows by the last noun of its name where that is enough: *members* of ``club_members``."""
    words = w.plural(relation)
    alone = set(w.meta.kind_names.rows.get(stem(words[-1]), ())) == {relation}
    return words[-1:] if alone else words
