"""By how much one is more than the other: *how many more flights did United have than Delta*."""

from __future__ import annotations

from collections.abc import Sequence

from ...schema.money import taken_in
from ...schema.values import ValueMatch
from ...words.families import deed
from ...words.rewriting import Found
from ...words.text import Token, singular
from .so_much_done import EARNING
from .wording import Wording

__all__ = ["how_much_more"]

_MORE = frozenset({"more", "fewer", "less", "higher", "lower", "longer", "shorter", "larger", "smaller", "bigger"})
_LITTLE = frozenset(
    "did do does has have had is are was were make made get got take took earn earned there the a an in at for by of "
    "from to with that those we you i our they".split()
)
_PARTICLES = frozenset({"in", "up", "over"})
_ENDS = frozenset({"?", ".", "!"})
_MOST = 14  # words from the one to the other


def how_much_more(w: Wording, at: int) -> Found | None:
    """``how many more flights did United have than Delta``: those of the two, whose difference is told."""
    if w.at(at) == "how" and w.at(at + 1) in ("many", "much") and w.at(at + 2) in _MORE:
        than = next((p for p in range(at + 3, min(at + 3 + _MOST, len(w.words))) if w.at(p) == "than"), None)
        pair = _pair(w, at + 3, than, than + 1) if than is not None else None
        counted = w.at(at + 1) == "many"
    elif w.words[at : at + 2] in (["difference", "in"], ["difference", "of"]):
        between = next((p for p in range(at + 2, min(at + 2 + _MOST, len(w.words))) if w.at(p) == "between"), None)
        than = next((p for p in range(between, len(w.words)) if w.at(p) == "and"), None) if between else None
        pair = _pair(w, between, than, than + 1) if between and than is not None else None
        counted = False
    elif w.words[at : at + 2] == ["difference", "between"]:
        return _between(w, at)
    else:
        return None
    if pair is None or than is None:
        return None
    (start, end), (other, behind), member = pair
    said = [w.tokens[p] for p in range(at + 2 + (w.at(at) == "how"), than) if not start <= p < end]
    told = [token for token in said if token.lower not in _LITTLE | {"between"}]
    stop = next((p for p in range(behind, len(w.words)) if w.at(p) in _ENDS), len(w.words))
    if counted and not told and len(w.cubes) == 1:
        told = w.said(at, "rows")  # "how many more men than women"
    elif counted and not (told and any(w.rows_at(w.tokens.index(token)) for token in told)):
        return None
    lead = w.said(at, "number", "of") if counted else []
    if not counted and _are_rows(w, told):  # "difference in delay" is of how long it is, "in delays" of how many
        lead = w.said(at, *(("average",) if singular(told[0].lower) == told[0].lower else ("number", "of")))
    if not counted and _is_earned(said, told):
        told = w.said(at, "revenue") if taken_in(w.meta) is not None else []  # "how much more did A bring in"
    if not counted and not told:
        return None
    parted = w.said(at, "by", *w.meta.parts(member), "for") if member else []
    both = [*parted, *w.tokens[start:end], *w.said(at, "and" if member else "versus")]
    return [*lead, *told, *both, *w.tokens[other:behind], *w.tokens[behind:stop]], stop


def _between(w: Wording, at: int) -> Found | None:
    """``difference between Main St and Harbour in revenue``: the number that is named behind the two, of each."""
    than = next((p for p in range(at + 2, min(at + 2 + _MOST, len(w.words))) if w.at(p) == "and"), None)
    pair = _pair(w, at + 2, than, than + 1) if than is not None else None
    if pair is None:
        return None
    (start, end), (other, behind), member = pair
    stop = next((p for p in range(behind, len(w.words)) if w.at(p) in _ENDS), len(w.words))
    if w.at(behind) not in ("in", "of", "for") or behind + 1 >= stop:
        return None
    parted = w.said(at, "by", *w.meta.parts(member), "for") if member else []
    both = [*parted, *w.tokens[start:end], *w.said(at, "and" if member else "versus")]
    return [*w.tokens[behind + 1 : stop], *both, *w.tokens[other:behind]], stop


def _is_earned(said: Sequence[Token], told: Sequence[Token]) -> bool:
    """``how much more did A bring in``, ``how much more do we make from A``: nothing else is named that is more."""
    earned = any(deed(token.lower) in EARNING for token in said)
    return earned and all(deed(token.lower) in EARNING or token.lower in _PARTICLES for token in told)


def _are_rows(w: Wording, told: Sequence[Token]) -> bool:
    return len(told) == 1 and bool(w.rows_at(w.tokens.index(told[0])))


def _pair(w: Wording, low: int, high: int, after: int) -> tuple[tuple[int, int], tuple[int, int], str] | None:
    """Where two values stand, one between two places, the other right behind, and whose: of one member, or of none
    where one is a code and the other a name (``JFK and Newark``).
    """
    while w.at(after) in _LITTLE:
        after += 1
    others = w.meta.values.find(w.tokens, after) if after < len(w.tokens) else []
    ones = [match for place in range(low, high) for match in w.meta.values.find(w.tokens, place) if match.end <= high]
    for other in others:
        for one in ones:
            if one.member == other.member and one.value != other.value and w.meta.parts(one.member):
                return (one.start, one.end), (other.start, other.end), one.member
    coded = next(((one, other) for other in others for one in ones if _is_code_beside(w, one, other)), None)
    return ((coded[0].start, coded[0].end), (coded[1].start, coded[1].end), "") if coded is not None else None


def _is_code_beside(w: Wording, one: ValueMatch, other: ValueMatch) -> bool:
    """Whether of two values one's member is called as the other's, with a word more: ``origin``, ``origin_airport``."""
    parts, others = w.meta.parts(one.member), w.meta.parts(other.member)
    short, long = sorted((parts, others), key=len)
    of_one = one.member.split(".", 1)[0] == other.member.split(".", 1)[0]
    return of_one and len(short) < len(long) and long[: len(short)] == short
