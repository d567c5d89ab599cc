"""Money by what it is for: *freight revenue*, *fuel cost*, *how much freight is unpaid*, *freight per container*."""

from __future__ import annotations

from ...words.numbers import CURRENCIES
from ...words.rewriting import Found
from ...words.shortened import is_short_for
from ...words.text import singular, stem
from .wording import Wording

__all__ = ["how_much_of", "money_for", "per_one"]

_MONEY = frozenset(
    "revenue revenues turnover takings income earnings cost costs expense expenses expenditure spend spending".split()
)
_AGGREGATES = frozenset("average mean avg median highest lowest largest smallest maximum minimum max min most".split())
_BEING = frozenset({"is", "was", "are", "were"})
_RATED = frozenset({"price", "rate", "limit"})
_COUNTED = frozenset({"quantity", "count", "units"})
_BEFORE = 2  # words between an aggregate and what it is of


def money_for(w: Wording, at: int) -> Found | None:
    """``fuel cost`` beside tons of fuel: the one amount of money that is called so."""
    if w.at(at + 1) not in _MONEY or w.tokens[at + 1].stem in w.meta.vocabulary:
        return None
    said = _money_called(w, at)
    if said is None:
        return None
    told = bool(_AGGREGATES & set(w.words[max(0, at - _BEFORE) : at])) or w.at(at - 1) == "total"
    return w.said(at, *([] if told else ["total"]), *said), at + 2


def how_much_of(w: Wording, at: int) -> Found | None:
    """``how much freight is unpaid``: all of it."""
    if at or w.words[:2] != ["how", "much"] or w.at(3) not in _BEING:
        return None
    said = _money_called(w, 2)
    return (w.said(0, "total", *said), 4) if said is not None else None


def per_one(w: Wording, at: int) -> Found | None:
    """``freight per container``: by how many of them each row has."""
    noun = singular(w.at(at + 1))
    if w.at(at) != "per" or not noun or w.rows_at(at + 1) or not _is_number(w, at - 1):
        return None
    names = {tuple(w.meta.parts(path)) for path in w.numbers if w.meta.parts(path)[-1] in _COUNTED}
    found = [name for name in names if len(name) > 1 and not name[2:] and _is_called(name[0], noun)]
    whole = any(tuple(map(singular, w.meta.parts(path))) == (noun,) for path in w.meta.members)
    return (w.said(at, "per", *found[0]), at + 2) if len(found) == 1 and not whole else None


def _is_number(w: Wording, at: int) -> bool:
    names = w.meta.number_names.plain.values()
    return at >= 0 and any(len(name) == 1 and _is_called(name[0], w.at(at)) for name in names)


def _is_called(part: str, word: str) -> bool:
    return part in (word, singular(word), stem(word)) or is_short_for(part, singular(word))


def _money_called(w: Wording, at: int) -> list[str] | None:
    """The name of the one amount of money that a noun names, where it is for no rows."""
    noun = w.at(at)
    if len(noun) < len("fee") or w.rows_at(at) or not noun.isalpha():
        return None
    plain = [path for path in w.numbers if len(w.meta.number_names.plain[path]) == 1 and not _is_rate(w, path)]
    called = [w.meta.parts(path) for path in plain if _is_money(w, path)]
    found = {tuple(name) for name in called if _is_called(name[0], noun)}
    return list(found.pop()) if len(found) == 1 else None


def _is_rate(w: Wording, path: str) -> bool:
    return not _RATED.isdisjoint(w.meta.parts(path))


def _is_money(w: Wording, path: str) -> bool:
    return bool(w.meta.member(path).currency) or not CURRENCIES.isdisjoint(w.meta.parts(path))
