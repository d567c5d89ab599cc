"""Two columns of a row set against each other: *leases below market rent*, *took longer than planned*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...schema.metadata import Metadata
from ...words.rewriting import Found
from ...words.shortened import is_short_for
from ...words.text import Token, stem
from ..named_numbers import MOST_WORDS, named_numbers
from .wording import Wording, named_rows

__all__ = ["columns_compared", "more_of_one"]

_MORE = ("above", "over", "exceed", "exceeds", "exceeded", "exceeding", "beyond")
_MORE_THAN = ("more", "higher", "greater", "larger", "longer", "bigger")
_LESS_THAN = ("less", "lower", "smaller", "shorter", "cheaper", "fewer")
_SIGNS: dict[tuple[str, ...], str] = {
    **{(word,): "more" for word in _MORE}, **{(word, "than"): "more" for word in _MORE_THAN},
    ("below",): "less", ("under",): "less", **{(word, "than"): "less" for word in _LESS_THAN},
    ("equals",): "equal", ("equal",): "equal", ("equalled",): "equal", ("equal", "to"): "equal",
}  # fmt: skip
_BEING = frozenset({"is", "are", "was", "were", "be", "being"})
_BETWEEN = frozenset({"the", "its", "their", "his", "her"})
_OPENING = frozenset({"with", "where", "whose", "and", "have", "had", "has", "having"})
_AMOUNTS = frozenset({"average", "mean", "median", "total", "overall", "avg", "by", "per"})


class _Side(NamedTuple):
    """What words may name: a column, the place behind them, and whether they are all of its name."""

    path: str
    end: int
    whole: bool


def columns_compared(w: Wording, at: int) -> Found | None:
    """``leases below market rent``, ``cost more than planned``: one number of a row more or less than another."""
    if _AMOUNTS & {w.at(at), w.at(at - 1)}:
        return None
    found = next((pair for left in _left(w, at) if (pair := _pair(w, at, left)) is not None), None)
    if found is None:
        return None
    one, sign, other = found
    opened = one.end > at or w.at(at - 1) in _OPENING
    how = ["equal", "to"] if sign == "equal" else [sign, "than"]
    lead = [] if opened else ["with"]
    return w.said(at, *lead, *w.meta.parts(one.path), *how, *w.meta.parts(other.path)), other.end


def _left(w: Wording, at: int) -> Iterator[list[_Side]]:
    """What may be compared: numbers that words name, in whole or in part; right at a comparison any."""
    names = w.meta.number_names
    for size in range(min(MOST_WORDS, len(w.words) - at), 0, -1):
        said = tuple(token.stem for token in w.tokens[at : at + size])
        whole = names.called.get(said, ())
        sides = [_Side(path, at + size, path in whole) for path in names.partly.get(said, ())]
        if sides:
            yield sides
    if at and w.numbers and _sign(w, at) is not None:
        yield [_Side(path, at, False) for path in w.numbers]


def _sign(w: Wording, at: int) -> tuple[str, int] | None:
    """How two are compared by words at a place, and the place behind them."""
    return next(
        ((sign, at + size) for size in (2, 1) if (sign := _SIGNS.get(tuple(w.words[at : at + size]))) is not None),
        None,
    )


def _pair(w: Wording, at: int, left: Sequence[_Side]) -> tuple[_Side, str, _Side] | None:
    """The one pair of columns that is compared, where there is just one."""
    place = left[0].end + (w.at(left[0].end) in _BEING)
    sign = _sign(w, place)
    if sign is None:
        return None
    rows = _rows_before(w, at) if left[0].end == at else None
    for right in _right(w, sign[1] + (w.at(sign[1]) in _BETWEEN)):
        found = [
            (one, sign[0], other)
            for one in left
            for other in right
            if _say_the_same(w.meta, one, other, rows, both=w.at(place) != "over")
        ]
        whole = [pair for pair in found if pair[0].whole and pair[2].whole] or found
        same = [pair for pair in whole if _of(pair[0].path) == _of(pair[2].path)] or whole
        if len({(one.path, other.path) for one, _, other in same}) == 1:
            return same[0]
    return None


def _of(path: str) -> str:
    return path.split(".", 1)[0]


def _right(w: Wording, at: int) -> Iterator[list[_Side]]:
    """What something is compared with: the name of a number, or the word that its name begins with."""
    for size in range(min(MOST_WORDS, len(w.words) - at), 0, -1):
        said = w.tokens[at : at + size]
        sides = [
            _Side(path, at + size, size in (len(parts), len(w.meta.number_names.plain[path])))
            for path in w.numbers
            if len(parts := w.meta.parts(path)) >= size and all(map(_says, said, parts))
        ]
        if sides:
            yield sides


def _says(token: Token, part: str) -> bool:
    return token.stem == stem(part) or is_short_for(part, token.lower)


def _say_the_same(meta: Metadata, one: _Side, other: _Side, rows: str | None, *, both: bool) -> bool:
    """Whether two columns are of one row, or of rows that lead to one another, and say the same; or both are named."""
    here, there = _of(one.path), _of(other.path)
    near = here == there or meta.leads_to(here, there) or meta.leads_to(there, here)
    if one.path == other.path or not near or rows is not None and here != rows:
        return False
    names = meta.number_names
    alike = any(named[one.path][-1] == named[other.path][-1] for named in (names.plain, names.whole))
    return alike or both and one.whole and other.whole


def _rows_before(w: Wording, at: int) -> str | None:
    """The relation whose rows are named last before a place."""
    for place in range(at - 1, -1, -1):
        said = w.tokens[place].stem
        found = [name for name in w.cubes if said in {stem(word) for word in named_rows(w.meta, name)}]
        if found:
            return min(found, key=len)
    return None


def more_of_one(w: Wording, at: int) -> Found | None:
    """``matches with more away goals than home goals``: one number of a row above another."""
    sign = _COMPARING.get(w.at(at))
    if sign is None or _AMOUNTS & {w.at(at - 1)} or w.at(at - 1) == "there":
        return None
    for one, middle in named_numbers(w.tokens, w.meta, at + 1):
        if w.at(middle) != "than":
            continue
        for other, end in named_numbers(w.tokens, w.meta, middle + 1):
            if one != other and _of(one) == _of(other):
                lead = [] if w.at(at - 1) in _OPENING else ["with"]
                return w.said(at, *lead, *w.meta.parts(one), sign, "than", *w.meta.parts(other)), end
    return None


_COMPARING = {"more": "more", "higher": "more", "fewer": "less", "less": "less", "lower": "less"}
