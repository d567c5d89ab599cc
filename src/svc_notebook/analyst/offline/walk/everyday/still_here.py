"""Those who are there now, said behind their noun: *current ones only*, *how many do we have now*, *still with us*."""

from __future__ import annotations

from ...schema.states import end_in
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["still_here"]

_SAID = (
    ("current", "ones", "only"), ("the", "current", "ones", "only"), ("only", "current", "ones"),
    ("only", "the", "current", "ones"), ("just", "the", "current", "ones"), ("current", "ones"), ("current", "only"),
    ("still", "with", "us"), ("still", "here"), ("still", "around"), ("still", "there"), ("still", "on", "board"),
    ("still", "employed"), ("currently", "employed"), ("still", "working", "here"), ("still", "working", "for", "us"),
)  # fmt: skip
_LINKING = frozenset({",", "that", "who", "which", "are", "is", "(", "-"})
_PEOPLE = frozenset({"people", "persons"})
_HAVING = frozenset({"have", "are", "there", "got", "left"})


def still_here(w: Wording, at: int) -> Found | None:
    """``volunteers per shop, current ones only``: those who have not left, where it is known who has."""
    people = [name for name in w.cubes if w.at(at) in _PEOPLE and _are_plain_people(w, name)]
    place = at + (len(people) == 1)
    while place > 0 and w.at(place) in _LINKING:
        place += 1
    size = next((len(words) for words in _SAID if tuple(w.words[place : place + len(words)]) == words), 0)
    now = place == at and w.at(at) == "now" and w.at(at - 1) in _HAVING and at + 1 >= w.end
    if size and len(people) == 1:
        return w.said(at, *w.plural(people[0]), "currently"), place + size
    if not (size or now) or not any(_ends(w, p) for p in range(at)):
        return None
    end = place + size if size else at + 1
    return w.said(at, "currently"), end + (w.at(end) == ")")


def _are_plain_people(w: Wording, name: str) -> bool:
    """Whether a table is of people some of whom have left, and these in no role of theirs."""
    return len(w.meta.words_of(name)) == 1 and w.meta.is_of_people(name) and _has_end(w, name)


def _ends(w: Wording, at: int) -> bool:
    """Whether a noun is for rows that may have come to their end."""
    return any(_has_end(w, name) for name in w.rows_at(at) if name in w.cubes)


def _has_end(w: Wording, name: str) -> bool:
    return end_in(w.meta, name, "currently") is not None
