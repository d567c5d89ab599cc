"""Rows that are as large as the money they are about: *average invoice*, *payments over 50,000*."""

from __future__ import annotations

from ...words.families import root
from ...words.percents import is_fraction
from ...words.rewriting import Found
from ...words.text import singular
from ...words.thesaurus import TRADES
from .wording import Wording

__all__ = ["average_of_trade", "extreme_trade", "new_rows", "trade_bounded", "value_of_trade"]

_AVERAGES = frozenset({"average", "avg", "mean", "median"})
_BEHIND = frozenset(
    {"", "?", ".", "!", ",", ":", "by", "per", "in", "for", "from", "during", "of", "vs", "over", "with"}
)
_WORTH = frozenset({"amount", "total", "value", "sum"})
_SIZES = frozenset({"value", "values", "size", "sizes", "amount", "amounts", "total", "totals"})
_LARGE = dict.fromkeys(("biggest", "largest", "highest"), "highest") | {"smallest": "lowest", "lowest": "lowest"}
_LEADS = frozenset("what what's which was is were are the show me give list find our single".split())
_SO_FAR = frozenset({"ever", "overall", "yet", "there"})
_SHOWN = 10  # of those that are largest
_PERIODS = frozenset({"per", "by", "each", "every", "in", "this", "last", "since", "over", "annually"})


def average_of_trade(w: Wording, at: int) -> Found | None:
    """``average invoice by sector``: of the one amount of money that each invoice has."""
    if w.at(at - 1) not in _AVERAGES or singular(w.at(at)) not in TRADES or w.at(at + 1) not in _BEHIND:
        return None
    amount = _amount(w, at)
    return (w.said(at, *w.meta.parts(amount)), at + 1) if amount is not None else None


def value_of_trade(w: Wording, at: int) -> Found | None:
    """``median order value``, ``average loan size``: the one amount of money that each has, where none is called so."""
    if singular(w.at(at)) not in TRADES or w.at(at + 1) not in _SIZES or w.at(at - 1) not in _AVERAGES:
        return None
    if w.number_end(at) > at + 1 or w.at(at + 2) not in _BEHIND:
        return None
    amount = _amount(w, at)
    return (w.said(at, *w.meta.parts(amount)), at + 2) if amount is not None else None


def extreme_trade(w: Wording, at: int) -> Found | None:
    """``the biggest order in Spain``: which of them has the highest amount of money."""
    start = at + (w.at(at) in ("the", "our"))
    way, noun = _LARGE.get(w.at(start)), w.at(start + 1)
    if way is None or singular(noun) not in TRADES or w.at(start + 2) not in _BEHIND | _SO_FAR:
        return None
    if not _LEADS.issuperset(w.words[:at]) or any(w.number_end(place) for place in range(start + 2, w.end)):
        return None
    amount = _amount(w, start + 1)
    if amount is None:
        return None
    name, end = w.meta.parts(amount), start + 2 + (w.at(start + 2) in _SO_FAR)
    if singular(noun) != noun:
        top = "top" if way == "highest" else "bottom"
        return w.said(at, top, str(_SHOWN), noun, "by", *name), end
    return w.said(at, "which", noun, "has", "the", way, *name), end


def trade_bounded(w: Wording, at: int) -> Found | None:
    """``payments over 50,000``: with such an amount, where each has one."""
    if not at or singular(w.at(at - 1)) not in TRADES or singular(w.at(at - 1)) == w.at(at - 1):
        return None
    size = w.bound(at)
    number = at + size
    if not size or number >= len(w.tokens) or w.tokens[number].kind != "number" or is_fraction(w.tokens[number]):
        return None
    if w.at(number + 1).isalpha() and w.at(number + 1) not in _BEHIND | {"made", "without", "that", "which", "not"}:
        return None
    amount = _amount(w, at - 1)
    return ([*w.said(at, "with", *w.meta.parts(amount)), w.tokens[at]], at + 1) if amount is not None else None


def new_rows(w: Wording, at: int) -> Found | None:
    """``new enrolments per year``: each row is new when it happens."""
    if w.at(at) != "new" or at > 3 or "new" in w.meta.vocabulary or w.meta.values.find(w.tokens, at):
        return None
    noun = w.at(at + 1)
    if not noun or singular(noun) == noun or w.at(at + 2) not in _PERIODS:
        return None
    dated = {root(part) for name in w.facts for path in w.meta.times([name]) for part in w.meta.parts(path)}
    return ([], at + 1) if root(singular(noun)) in dated else None


def _amount(w: Wording, at: int) -> str | None:
    """The one amount of money of rows that a noun alone names."""
    named = [w.meta.phrases[place] for place in w.meta.postings.get(w.tokens[at].stem, ())]
    rows = {p.relation for p in named if p.member is None and p.stems == (w.tokens[at].stem,)} & set(w.cubes)
    own = [path for path in w.numbers if path.split(".", 1)[0] in rows]
    worth = [p for p in own if w.meta.member(p).currency or _WORTH & set(w.meta.parts(p))]
    return worth[0] if len(rows) == len(worth) == 1 else None
