"""Which of two columns that lead to one table is meant, by a verb: *jobs checked by Gary*, *rides ended at Dock*."""

from __future__ import annotations

from ...words.families import root
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["did_by_one", "done_by_one", "more_than_theirs"]

_ENDS = frozenset({"", "?", ".", "!", ",", "in", "this", "last", "during", "since", "per", "by", "and"})
_PLACED = frozenset({"at", "in", "from", "to"})
_BOUNDS = {
    "from": frozenset("start started starting begin began begun beginning leave left leaving depart departed".split()),
    "to": frozenset("end ended ending finish finished finishing arrive arrived arriving".split()),
}
_BEING = frozenset({"that", "which", "were", "was", "are", "is"})


def done_by_one(w: Wording, at: int) -> Found | None:
    """``jobs checked by Gary``: with him in that role; ``rides that ended at Dock``: with it as where they went to."""
    verb = at
    while w.at(verb) in _BEING:
        verb += 1
    named = _rows_before(w, at)
    if not named or w.at(verb + 1) not in _PLACED | {"by"}:
        return None
    place = verb + 2 + (w.at(verb + 2) == "the")
    for relation in named:
        target = _led_to(w, relation, w.at(verb), w.at(verb + 1) == "by")
        end = _value_end(w, place, target) if target is not None else 0
        behind = end + (target in w.rows_at(end) or bool(set(w.rows_at(end)) & {o for _, o in _links(w, relation)}))
        if target is not None and end and w.at(behind) in _ENDS:
            return [*w.said(at, "with", *target.split("_")), *w.tokens[place:end]], behind
    return None


def did_by_one(w: Wording, at: int) -> Found | None:
    """``how many jobs did Gary check``: with him in that role."""
    if w.at(at) != "did":
        return None
    for relation in _rows_before(w, at):
        for end in range(at + 2, min(at + 5, len(w.tokens))):
            target = _led_to(w, relation, w.at(end), True)
            if target is not None and w.at(end + 1) in _ENDS and _value_end(w, at + 1, target) == end:
                return [*w.said(at, "with", *target.split("_")), *w.tokens[at + 1 : end]], end + 1
    return None


def more_than_theirs(w: Wording, at: int) -> Found | None:
    """``who owns more than one horse``: people with more than one, where a column of horses is called an owner."""
    size = w.bound(2)
    if at or w.at(0) != "who" or not size or not w.is_number(2 + size):
        return None
    for relation in w.rows_at(3 + size):
        for path, target in _links(w, relation):
            if _is_doer(w.meta.parts(path)[0], w.at(1)) and w.meta.is_of_people(target):
                return w.said(0, *w.plural(target), "with"), 2
    return None


def _rows_before(w: Wording, at: int) -> list[str]:
    """The relations whose rows are named last before a place, near enough."""
    near = (w.rows_at(place) for place in range(at - 1, max(at - 3, -1), -1))
    return [name for name in next((rows for rows in near if rows), ()) if name in w.cubes]


def _links(w: Wording, relation: str) -> list[tuple[str, str]]:
    """The columns of a relation that lead to others, each with the other."""
    found = ((w.meta.join_keys(relation, other), other) for other in w.meta.edges.get(relation, ()))
    return [(keys[0], other) for keys, other in found if keys is not None and keys[0] in w.meta.members]


def _led_to(w: Wording, relation: str, verb: str, by: bool) -> str | None:
    """Where the one column leads whose name says what a verb does, where another leads to such rows too."""
    links = _links(w, relation)
    said = [other for path, other in links if _says(w.meta.parts(path), verb, by)]
    alike = [other for _, other in links if said and _same_rows(w, other, said[0])]
    return said[0] if len(said) == 1 and len(alike) > 1 else None


def _says(parts: tuple[str, ...], verb: str, by: bool) -> bool:
    if by:
        return parts[-1:] == ("by",) and bool(verb) and root(parts[0]) == root(verb)
    return verb in _BOUNDS.get(parts[0], ())


def _same_rows(w: Wording, one: str, other: str) -> bool:
    """Whether two relations are one in two roles."""
    return set(w.meta.relation(one).members) == set(w.meta.relation(other).members)


def _value_end(w: Wording, place: int, target: str) -> int:
    """The place behind a value of the rows that are led to, in whichever role; or 0."""
    if place >= len(w.tokens):
        return 0
    found = w.meta.values.find(w.tokens, place)
    return max((m.end for m in found if _same_rows(w, m.member.split(".", 1)[0], target)), default=0)


def _is_doer(noun: str, verb: str) -> bool:
    """Whether a noun is for who does what a verb says: an owner owns."""
    return noun.endswith(("er", "or")) and noun[:-2].removesuffix("e") in (root(verb), singular(verb))
