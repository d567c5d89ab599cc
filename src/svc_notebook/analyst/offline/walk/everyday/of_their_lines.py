"""Rows that are as large as their lines together: *average order value*, *the five most expensive jobs*, *more than two
items*; and the most by all that others brought.
"""

from __future__ import annotations

from ...schema.money import amounts
from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["average_of_lines", "extreme_by_lines", "lines_as_items", "ranked_by_all"]

_AVERAGES = frozenset({"average", "avg", "mean", "median"})
_TRADED = frozenset("order basket cart ticket bill receipt invoice sale job booking purchase check".split())
_SIZES = frozenset({"value", "size", "total", "amount", "values", "sizes", "totals", "amounts"})
_PER = frozenset({"per", "of", "for"})
_LARGE = (("most", "expensive"), ("most", "valuable"), ("biggest",), ("largest",), ("dearest",), ("priciest",))
_LEADS = frozenset("what what's which was were is are the show me list give find our".split())
_ITEMS = frozenset({"items", "lines", "positions", "articles"})
_EACH = frozenset({"a", "an", "the", "each", "every", "one"})
_TOPS = frozenset({"top", "best", "bottom", "biggest", "largest", "rank", "ranking", "ranked"})
_FOLDED = frozenset({"average", "avg", "mean", "median", "total", "highest", "lowest", "maximum", "minimum", "number"})
_TIMES = frozenset({"quantity", "qty", "units", "pieces"})
_ENDS = frozenset({"", "?", ".", "!", "in", "by", "per", "this", "last", "since", "for", "at", "from", "and", "with"})


def average_of_lines(w: Wording, at: int) -> Found | None:
    """``average order value per job``, ``average basket``: of what the lines of each come to."""
    if w.at(at - 1) not in _AVERAGES or singular(w.at(at)) not in _TRADED and not w.rows_at(at):
        return None
    size = at + 1 + (w.at(at + 1) in _SIZES)
    each = size + 1 + (w.at(size + 1) in ("each", "every", "a")) if w.at(size) in _PER else at
    amount = _amount_of_lines(w, each)
    others = singular(w.at(at)) not in _TRADED and set(w.rows_at(at)).isdisjoint(w.rows_at(each))
    if amount is None or others or size == at + 1 and each == at or w.at(max(size, each + 1)) not in _ENDS:
        return None
    if w.number_end(at) > at + 1:
        return None
    relation, path = amount
    key = w.meta.key_of(relation)
    said = ["total", *w.meta.parts(path), "per", *(w.meta.parts(key) if key else w.meta.words_of(relation))]
    return w.said(at, *said), max(size, each + 1)


def extreme_by_lines(w: Wording, at: int) -> Found | None:
    """``the five most expensive jobs``: those whose lines come to most."""
    if not _LEADS.issuperset(w.words[:at]) or w.at(at) in _LEADS:
        return None
    many = number_word(w.at(at)) if w.tokens[at].kind == "word" else w.tokens[at].value if w.is_number(at) else None
    place = at + (many is not None)
    size = next((len(words) for words in _LARGE if tuple(w.words[place : place + len(words)]) == words), 0)
    noun = place + size
    amount = _amount_of_lines(w, noun) if size and w.at(noun + 1) in _ENDS else None
    if amount is None:
        return None
    shown = int(many) if many is not None else 1 if singular(w.at(noun)) == w.at(noun) else 10
    said = [*w.said(at, "top", str(shown)), w.tokens[noun], *w.said(at, "by", "total", *w.meta.parts(amount[1]))]
    return said, noun + 1


def lines_as_items(w: Wording, at: int) -> Found | None:
    """``jobs with more than two items``, ``items per job``: lines, where nothing is called an item."""
    if w.at(at) not in _ITEMS or w.number_end(at) or w.kind_end(at):
        return None
    each = at + 2 + (w.at(at + 2) in _EACH)
    places = range(at - 1) if w.is_number(at - 1) else (each,) if w.at(at + 1) in ("per", "in") else ()
    found = {name for p in places if p < len(w.tokens) and (name := _lines_of(w, p)) is not None}
    return (w.said(at, *w.plural(found.pop())), at + 1) if len(found) == 1 else None


def ranked_by_all(w: Wording, at: int) -> Found | None:
    """``top ten donors by weight``: by all that is theirs, where each row of others adds to it."""
    if w.at(at) != "by" or _TOPS.isdisjoint(w.words[:at]) or w.at(at + 1) in _FOLDED:
        return None
    end, start = w.number_end(at + 1), w.kind_start(at)
    found = w.meta.number_names.called.get(tuple(t.stem for t in w.tokens[at + 1 : end]), ()) if end else ()
    homes = {path.split(".", 1)[0] for path in found}
    rows = set(w.rows_at(start)) & set(w.cubes) if start is not None else set[str]()
    if (
        w.at(end) not in _ENDS | {","}
        or len(found) != 1
        or not rows
        or homes & rows
        or not any(w.meta.leads_to(h, r) for h in homes for r in rows)
    ):
        return None
    return ([*w.said(at, "by", "total"), *w.tokens[at + 1 : end]], end) if _adds_up(w, found[0]) else None


def _adds_up(w: Wording, path: str) -> bool:
    """Whether the model sums a number."""
    relation, name = path.split(".", 1)
    sums = [m for m in w.meta.relation(relation).members.values() if m.agg_type == "sum" and not m.masked]
    return any(m.name.partition("_")[2] == name for m in sums)


def _amount_of_lines(w: Wording, at: int) -> tuple[str, str] | None:
    """The rows that a noun is for and the amount of their lines, where they have no money of their own."""
    lines = _lines_of(w, at)
    if lines is None:
        return None
    relation = next(name for name in w.rows_at(at) if w.meta.joins.refers(lines, name))
    own = [path for path in amounts(w.meta) if path.split(".", 1)[0] == relation]
    found = [p for p in amounts(w.meta) if p.split(".", 1)[0] == lines and "*" not in p and _adds_up(w, p)]
    return (relation, found[0]) if found and not own else None


def _lines_of(w: Wording, at: int) -> str | None:
    """The one relation whose rows are so many pieces each of something that belongs to the rows a noun is for."""
    rows = [name for name in w.rows_at(at) if name in w.cubes]
    lines = {
        path.split(".", 1)[0]
        for path in w.numbers
        if _TIMES & {*w.meta.parts(path)}
        if any(path.split(".", 1)[0] != name and w.meta.joins.refers(path.split(".", 1)[0], name) for name in rows)
    }
    dated = {name for name in lines if w.meta.times([name]) and w.meta.times([name])[0].startswith(f"{name}.")}
    return next(iter(lines)) if len(lines) == 1 and not dated else None
