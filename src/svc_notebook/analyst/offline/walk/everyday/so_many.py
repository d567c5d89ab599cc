"""How many of another kind there are for each: *served by only one airline*, *fly to more than 50 destinations*."""

from __future__ import annotations

from ...words.numbers import number_word
from ...words.percents import is_fraction
from ...words.rewriting import Found
from ...words.undone import is_undone
from .wording import Wording

__all__ = ["only_joins", "with_so_many"]

_ALONE = frozenset({"only", "just", "exactly", "precisely"})
_ONE = frozenset({"one", "1", "single"})
_LINKING = frozenset(
    "that which who are is was were do does did has have had been being by to from in for at of with on out ever "
    "also got get".split()
)
_DENYING = frozenset({"without", "no", "not", "never"})
_SAYING_HOW_MANY = frozenset({"with", "having", "have", "has", "had", "whose"})
_ENDS = frozenset({"", "?", ".", "!", ",", ";", "in", "during", "last", "this", "since", "on"})
_MOST = 5  # words between the two


def with_so_many(w: Wording, at: int) -> Found | None:
    """``destinations served by only one airline``: with exactly 1 airline; what joins the two says no more than that
    they are together.
    """
    start = w.kind_start(at)
    if start is None or at >= len(w.tokens):
        return None
    for place in range(at, min(at + _MOST, len(w.tokens))):
        if w.at(place) in _DENYING:
            return None  # without a single one
        if is_undone(w.at(place)) and w.tokens[place].stem not in w.meta.vocabulary:
            return None  # what they owe or missed is not what they have
        bound = _bound(w, place)
        if bound is not None:
            break
        if not only_joins(w, place):
            return None
    else:
        return None
    said, noun = bound
    end = w.kind_end(noun)
    if not end or w.at(end) not in _ENDS or place == at and said[0] != "exactly":
        return None
    if place == at + 1 and w.at(at) in _SAYING_HOW_MANY and said[0] != "exactly":
        return None  # it is said so already
    if _is_value(w, noun, end) or any(w.meta.number_names.called.get((w.tokens[p].stem,)) for p in range(noun, end)):
        return None
    counted = w.words[max(0, start - 2) : start] == ["how", "many"]
    return [*w.said(at, "have" if counted else "with", *said), *w.tokens[noun:end]], end


def _bound(w: Wording, at: int) -> tuple[list[str], int] | None:
    """``only one``, ``a single``, ``more than 50``: said with a number, and the place behind."""
    alone = w.at(at) in _ALONE
    one = at + alone
    if alone and w.at(one) in ("a", "one") and w.at(one + 1) == "single":
        return ["exactly", "1"], one + 2
    if (alone and w.at(one) in _ONE) or (w.at(at), w.at(at + 1)) in (("a", "single"), ("one", "single")):
        return ["exactly", "1"], one + 1 if alone else at + 2
    place = at + w.bound(at)
    number = w.tokens[place] if place < len(w.tokens) else None
    if place == at or number is None or is_fraction(number):
        return None
    value = number.value if number.kind == "number" else number_word(number.lower)
    if value is None or value != int(value):
        return None
    behind = place + 1 + (w.at(place + 1) in ("different", "distinct"))
    return [*w.words[at:place], str(int(value))], behind


def only_joins(w: Wording, at: int) -> bool:
    """Whether a word between two kinds says nothing but that they belong together."""
    token = w.tokens[at]
    if token.lower in _LINKING:
        return True
    told = {token.lower, token.stem} & w.meta.kind_names.told and token.stem not in w.meta.kind_names.rows
    return token.kind == "word" and token.lower.isalpha() and not (told or _is_value(w, at, at + 1) or w.kind_end(at))


def _is_value(w: Wording, start: int, end: int) -> bool:
    found = [match for match in w.meta.values.find(w.tokens, start) if match.end <= end]
    return any(w.tokens[start].stem in str(match.value).lower() for match in found)  # who flies is not flown
