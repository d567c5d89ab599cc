"""Rows in an order that is said at the end: *all books by Ada Ash, oldest first*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["listed_first", "oldest_when", "sorted_rows"]

_ORDERS = {"oldest": "ascending", "earliest": "ascending", "newest": "descending", "latest": "descending"}
_LISTING = frozenset("list show give display print name".split())
_COUNTED = frozenset("how number count average mean total sum share percentage percent most top".split())
_SORTED = frozenset({"sorted", "arranged", "order"})
_GROUPED = frozenset({"by", "per", "each", "every"})
_LEAD = 4  # words up to the rows that are listed
_ENDED = frozenset({"due", "end", "ended", "expiry", "returned", "closed", "finished", "deadline"})


def listed_first(w: Wording, at: int) -> Found | None:
    """A list by the one year or time that its rows have; a number of them has no order."""
    end = len(w.words) - (w.words[-1:] in (["."], ["?"]))
    order = _ORDERS.get(w.at(end - 2)) if w.at(end - 1) == "first" else None
    if order is None or at not in (0, end - 2) or _COUNTED & set(w.words):
        return None
    relation = next((rows for place in range(min(_LEAD, end - 2)) if (rows := _rows_of(w, place)) is not None), None)
    if relation is None:
        return None
    if at == 0:
        return ([*w.said(0, "list"), w.tokens[0]], 1) if w.at(0) not in _LISTING else None
    dated = _dated(w, relation)
    return (w.said(at, "sorted", "by", *w.meta.parts(dated), order), end) if dated is not None else None


def oldest_when(w: Wording, at: int) -> Found | None:
    """``when was the oldest ticket opened``: the earliest time, and no number that is high of what is old."""
    end = _TIMES.get(w.at(at)) if w.at(0) == "when" else None
    return (w.said(at, end), at + 1) if end is not None else None


_TIMES = {"oldest": "earliest", "newest": "latest", "youngest": "latest"}


def sorted_rows(w: Wording, at: int) -> Found | None:
    """``gardeners sorted by hire date``: a list of them, where nothing is counted."""
    if at or w.words[0] in _LISTING or _COUNTED & set(w.words) or _rows_of(w, 0) is None:
        return None
    place = next((i for i in range(1, len(w.words) - 2) if w.words[i] in _SORTED and w.words[i + 1] in ("by", "of")), 0)
    if not place or not _GROUPED.isdisjoint(w.words[1:place]):
        return None
    return [*w.said(0, "list"), w.tokens[0]], 1


def _rows_of(w: Wording, at: int) -> str | None:
    """The one relation whose rows a word is for."""
    said = (w.tokens[at].stem,)
    found = {p.relation for p in w.meta.phrases if p.member is None and p.stems == said and p.relation in w.cubes}
    return next(iter(found)) if len(found) == 1 else None


def _dated(w: Wording, relation: str) -> str | None:
    own = [path for path in w.meta.members if path.split(".", 1)[0] == relation]
    dims = [path for path in own if w.meta.members[path].kind == "dimension" and not w.meta.is_measure(path)]
    years = [path for path in dims if w.meta.is_year(path) or w.meta.is_time(path)]
    found = [path for path in years if _ENDED.isdisjoint(w.meta.parts(path))]
    return found[0] if len(found) == 1 else None
