"""Ways from one place to another, where rows have two columns for them: *passengers per route*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["route_by_ends"]

_ROUTES = frozenset({"route", "connection", "relation", "leg"})
_ENDS = (("from", "to"), ("origin", "destination"), ("start", "end"), ("departure", "arrival"))
_BEFORE = frozenset({"per", "by", "each", "every", "which", "what"})


def route_by_ends(w: Wording, at: int) -> Found | None:
    """``per route``: by where from and where to, where one table has a column for each."""
    if singular(w.at(at)) not in _ROUTES or w.at(at - 1) not in _BEFORE:
        return None
    if w.tokens[at].stem in w.meta.vocabulary or w.meta.values.find(w.tokens, at):
        return None
    pairs = [(one, other) for name in w.cubes for one, other in _pairs(w, name)]
    if len(pairs) != 1:
        return None
    one, other = (w.meta.parts(path) for path in pairs[0])
    lead = ["by"] if w.at(at - 1) in ("each", "every") else []
    return w.said(at, *lead, *one, "and", *other), at + 1


def _pairs(w: Wording, relation: str) -> list[tuple[str, str]]:
    """The columns of a table that are called alike but for which end they tell."""
    own = [m for m in w.meta.relation(relation).members.values() if m.kind == "dimension" and m.type == "string"]
    named = {tuple(w.meta.parts(m.path)): m.path for m in own if m.path in w.meta.members}
    return [
        (path, named[there])
        for parts, path in named.items()
        for one, other in _ENDS
        if one in parts and (there := tuple(other if part == one else part for part in parts)) in named
    ]
