"""Verbs that only say what has to do with what: *which drivers drove a Scania*, *trucks that carried timber*."""

from __future__ import annotations

from ...schema.acts import acts_of, scope_of_deeds
from ...schema.values import ValueMatch
from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["did_rate", "joined_by_deed", "who_did_it", "who_of_rows"]

_WHO = frozenset({"that", "who", "which"})
_DONE = frozenset(
    "drove made taught teach teaches sold bought wrote flew took gave won saw led ran built ate rode sang sent".split()
)
_PASSED = frozenset({"a", "an", "the", "any", "to", "in", "at", "for", "on", "by", "with", "from", "some"})
_DENIED = frozenset({"never", "had", "has", "have", "got", "did", "didn't", "hasn't"})
_NO_DEED = frozenset("is are was were be been has have had does do did can could will would should gets got".split())
_DID = frozenset({"did", "do", "does"})
_SAID_BEFORE = frozenset({"most", "more", "least", "fewest", "it", "them", "this", "that", "these", "those", "how"})


def joined_by_deed(w: Wording, at: int) -> Found | None:
    """``trucks that carried timber``: with timber, where that is told of rows that have to do with trucks.

    Where the verb says through which rows they have to do with each other, it stays.
    """
    said = w.at(at) in _WHO and at > 0
    subject = _rows(w, at - 1) if said else _rows(w, 1) if at == 2 and w.at(0) in ("which", "what") else None
    verb = at + said
    if subject is None or not _is_unknown_deed(w, verb):
        return None
    place = verb + 1
    while w.at(place) in _PASSED:
        place += 1
    found = [match for match in w.meta.values.find(w.tokens, place) if match.quality >= 1]
    homes = {match.member.split(".", 1)[0] for match in found}
    ways = [(home, w.meta.scope([subject, home])) for home in homes]
    if not homes or subject in homes or not all(way for _, way in ways):
        return None
    by_deed = [scope_of_deeds(w.tokens[verb : verb + 1], way or (), [subject, home], w.meta) for home, way in ways]
    if any(by_deed) or _is_other_way(w, found):
        return None
    return w.said(at, "with"), place


def _rows(w: Wording, at: int) -> str | None:
    """The one relation whose rows a noun is for."""
    found = [name for name in w.cubes if w.tokens[at].stem in {stem(word) for word in w.meta.words_of(name)[-1:]}]
    return found[0] if len(found) == 1 else None


def _is_unknown_deed(w: Wording, at: int) -> bool:
    """Whether a word is what somebody did, and no time or flag of the model says when or whether."""
    word = w.at(at)
    if not (word in _DONE or word.endswith(("ed", "ing")) and len(word) > 4):
        return False
    said = w.tokens[at].stem
    columns = [path for path, m in w.meta.members.items() if m.kind == "dimension" and m.type != "number"]
    return not any(said in {stem(part) for part in w.meta.parts(path)} for path in columns)


def _is_other_way(w: Wording, found: list[ValueMatch]) -> bool:
    """Whether more is said of what is named than its name: a bound, or a number of them."""
    end = max(match.end for match in found)
    return w.at(end) in ("more", "less", "at", "than")


def who_of_rows(w: Wording, at: int) -> Found | None:
    """``who never had a password ticket`` of one table: its one column of people."""
    if at or w.at(0) != "who" or w.at(1) not in _DENIED or len(w.meta.catalog.relations) != 1:
        return None
    named = w.meta.people_columns
    return (w.said(0, "which", *w.meta.parts(named[0])), 1) if len(named) == 1 else None


def who_did_it(w: Wording, at: int) -> Found | None:
    """``who bought roses``: which customers, where the rows that say so belong to one kind of people."""
    if at or w.at(0) != "who":
        return None
    verb = 1 + (w.at(1) in ("has", "have"))
    if w.at(verb) == "no":
        return None  # what they have none of is no deed
    place = verb + 1
    while w.at(place) in _PASSED:
        place += 1
    rows = acts_of(w.at(verb), w.meta) if verb < len(w.tokens) else []
    if not rows and place < len(w.tokens) and w.at(verb) not in _NO_DEED and not w.rows_at(verb):
        rows = [name for name in w.rows_at(place) if name in w.cubes]  # "who delivered parcel 4711"
    people = {other for name in rows for other in w.meta.edges.get(name, ()) if w.meta.is_of_people(other)}
    if len(people) != 1 or w.at(place) in _SAID_BEFORE or place >= w.end:
        return None
    return w.said(0, "which", *w.meta.words_of(next(iter(people)))), verb


def did_rate(w: Wording, at: int) -> Found | None:
    """``which wines did Ada rate``: what she did, and no share of anything."""
    asked = w.at(at) == "rate" and w.at(0) in ("which", "what", "who", "how") and _DID & set(w.words[1:at])
    return (w.said(at, "rated"), at + 1) if asked and acts_of("rated", w.meta) else None
