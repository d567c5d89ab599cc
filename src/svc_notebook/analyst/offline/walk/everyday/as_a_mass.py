"""A noun for rows that is said of a mass, where each row is so much of it: *total downtime*, *the most absence*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...schema.masses import is_always_a_mass, is_what_is_won, mass_called
from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import Token
from .wording import Wording

__all__ = ["most_of_a_mass", "part_of_a_mass", "ranked_by_a_mass", "so_much_of_a_mass"]

_FOLDING = frozenset("total overall average avg mean median".split())
_MOST = {"most": "highest", "least": "lowest"}
_ENDS = frozenset({"", "?", ".", "!"})
_DIVIDED = frozenset({"by", "per", "each"})
_BEHIND = _ENDS | frozenset("by per each in for on of at since from last this during due did do does was is".split())


def so_much_of_a_mass(w: Wording, at: int) -> Found | None:
    """``total downtime per site``, ``how much planned downtime``, ``downtime by site``: of what each row lasts."""
    much = w.words[at : at + 2] == ["how", "much"]
    start = at + 2 if much else at + 1 if w.at(at) in _FOLDING else at
    noun = _noun(w, start)
    if noun is None or start == at and (at or w.at(noun + 1) not in ("by", "per", "in", "for", "each")):
        return None
    if not much and not _is_a_mass(w, noun):
        return None
    lead = w.said(at, "total") if much or start == at else [w.tokens[at]]
    return [*lead, *w.tokens[start:noun], *_said(w, noun)], noun + 1


def ranked_by_a_mass(w: Wording, at: int) -> Found | None:
    """``top 3 sites by downtime``: by the total of what their rows last."""
    ranked = w.at(at) == "by" and at + 2 >= w.end and {"top", "bottom", "rank"} & set(w.words[:at])
    if not ranked or (noun := _noun(w, at + 1)) is None or not _is_a_mass(w, noun):
        return None
    return [w.tokens[at], *w.said(at, "total"), *_said(w, noun)], noun + 1


def most_of_a_mass(w: Wording, at: int) -> Found | None:
    """``which site had the most downtime``: the highest total of what its rows last."""
    start = at + (w.at(at) == "the")
    noun = _noun(w, start + 1) if w.at(start) in _MOST else None
    if noun is None or w.at(noun + 1) not in _BEHIND:
        return None
    return [*w.said(at, "the", _MOST[w.at(start)], "total"), *w.tokens[start + 1 : noun], *_said(w, noun)], noun + 1


def part_of_a_mass(w: Wording, at: int) -> Found | None:
    """``share of downtime by site``: of what all rows last."""
    noun = _noun(w, at + 2) if w.at(at) in SHARE_WORDS and w.at(at + 1) == "of" else None
    if noun is None or w.at(noun + 1) not in _DIVIDED:
        return None
    return [*w.tokens[at : at + 2], *w.said(at, "total"), *w.tokens[at + 2 : noun], *_said(w, noun)], noun + 1


def _noun(w: Wording, at: int) -> int | None:
    """The place of a noun in the singular for rows that are so much of it each, behind a word for which of them."""
    for place in (at, at + 1):
        mass = place < len(w.tokens) and mass_called(w.meta, w.at(place)) is not None
        if mass and (place == at or _tells(w, at)):
            return place if not w.number_end(place) > place + 1 and not _is_unit(w.at(place + 1)) else None
    return None


def _is_a_mass(w: Wording, noun: int) -> bool:
    return is_always_a_mass(w.at(noun)) or is_what_is_won(w.meta, w.at(noun))


def _tells(w: Wording, at: int) -> bool:
    """Whether a word says which rows are meant: a flag, what denies it, or a value."""
    flag = {w.at(at), w.at(at).removeprefix("un")} & w.meta.kind_names.told
    return bool(flag) or bool(w.meta.values.find(w.tokens, at))


def _is_unit(word: str) -> bool:
    return word in UNITS or exact_unit(word) is not None


def _said(w: Wording, noun: int) -> list[Token]:
    path = mass_called(w.meta, w.at(noun))
    return w.said(noun, *w.meta.parts(path)) if path is not None else []
