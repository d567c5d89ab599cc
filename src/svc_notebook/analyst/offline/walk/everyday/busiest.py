"""Kinds in the order of how much happens: *towns, busiest first*, *pens from busiest to quietest*, *vans by number of
jobs, busiest first*, *towns, most jobs first*.
"""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import Token, singular
from .wording import Wording

__all__ = ["busiest_first", "most_rows_first"]

_BUSY, _QUIET = frozenset({"busiest"}), frozenset({"quietest", "slowest"})
_LEADS = frozenset("show list give me us the our all of rank display name what which are".split())
_MOST, _FEWEST = frozenset({"most"}), frozenset({"fewest", "least"})
_NUMBER = (["by", "number", "of"], ["by", "count", "of"])
_WHEN = frozenset("in on during since before after last this for".split())


def busiest_first(w: Wording, at: int) -> Found | None:
    """The number of rows of what happens by the kind that opens the question, and which end comes first."""
    order = _order(w) if not at else None
    start = next((p for p, word in enumerate(w.words) if word not in _LEADS), 0) if order is not None else 0
    end = w.kind_end(start) if order is not None else 0
    if order is None or not end or end > order[0]:
        return None
    first, most = order
    named = next((end for words in _NUMBER if w.words[end : end + 3] == words), None)
    happens = [*w.tokens[end + 3 : end + 4]] if named is not None else _happens(w, start, end)
    behind = [*w.tokens[end + 4 if named is not None else end : first]]
    while behind and behind[-1].lower == ",":
        behind.pop()
    if not happens or behind and behind[0].lower not in _WHEN:
        return None
    told = [*w.said(0, "number", "of"), *happens, *behind, *w.said(0, "by"), *w.tokens[start:end]]
    return [*told, *w.said(0, *(("highest", "first") if most else ("lowest", "first")))], len(w.tokens)


def most_rows_first(w: Wording, at: int) -> Found | None:
    """``towns, most jobs first``: the number of jobs by town, the highest first."""
    end = w.end
    place = next((p for p in range(max(1, end - 4), end - 2) if w.at(p) in _MOST | _FEWEST), 0)
    start = next((p for p, word in enumerate(w.words) if word not in _LEADS), 0)
    kind = w.kind_end(start) if place and not at and w.at(end - 1) == "first" else 0
    if not kind or kind > place:
        return None
    happens = w.tokens[place + 1 : end - 1]
    behind = [token for token in w.tokens[kind:place] if token.lower not in (",", "the", "with", "-")]
    if len(happens) != 1 or not _are_many(w, place + 1) or behind and behind[0].lower not in _WHEN:
        return None
    told = [*w.said(0, "number", "of"), *happens, *behind, *w.said(0, "by"), *w.tokens[start:kind]]
    return [*told, *w.said(0, *(("highest", "first") if w.at(place) in _MOST else ("lowest", "first")))], len(w.tokens)


def _are_many(w: Wording, at: int) -> bool:
    """Whether a word is what rows that happened are called, as a noun of many."""
    return singular(w.at(at)) != w.at(at) and any(name in w.cubes for name in w.rows_at(at))


def _order(w: Wording) -> tuple[int, bool] | None:
    """Where the order begins that a question ends in, and whether the busiest comes first."""
    end = w.end
    said = w.words[end - 2 : end]
    if said[1:] == ["first"] and said[0] in _BUSY | _QUIET:
        return end - 2, said[0] in _BUSY
    ends = [word for word in w.words[max(0, end - 5) : end] if word != "the"]
    if len(ends) > 3 and ends[-4] == "from" and ends[-2] == "to" and {ends[-3], ends[-1]} & _BUSY:
        return w.words.index("from"), ends[-3] in _BUSY
    return None


def _happens(w: Wording, start: int, end: int) -> list[Token]:
    """What the rows are called that happen where the kind is; of a column of what happens, the rows themselves."""
    kinds = w.meta.kind_names.called.get(tuple(token.stem for token in w.tokens[start:end]), ())
    owners = {kind.relation: kind.path for kind in kinds if kind.relation in w.cubes}
    if len(owners) != 1:
        return []
    owner, path = next(iter(owners.items()))
    facts = _facts_about(w, owner) or (owner if path is not None and not w.meta.facts_of(owner) else None)
    return w.said(start, *w.meta.words_of(facts)) if facts is not None else []


def _facts_about(w: Wording, owner: str) -> str | None:
    """The rows with a time that nothing belongs to and that belong to most: stays of dogs, and no dogs of owners."""
    pointed = {other for others in w.meta.edges.values() for other in others}
    found = [f for f in w.facts if f in w.cubes and f not in pointed and w.meta.leads_to(f, owner)]
    most = max((len(w.meta.edges[f]) for f in found), default=0)
    widest = [f for f in found if len(w.meta.edges[f]) == most]
    return widest[0] if len(widest) == 1 else None
