"""Groups that are above or below all: *airlines with an above average delay*, *clinics slower than average*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import Token, singular
from ...words.thesaurus import ADJECTIVES
from ..named_numbers import named_numbers
from .wording import Wording

__all__ = ["above_the_average"]

_WITH = frozenset({"with", "having", "has", "have", "had", "whose"})
_WHO = frozenset({"that", "which", "who", "are", "is", "were", "was"})
_ARTICLES = frozenset({"a", "an", "the"})
_SIDES = {"above": "above", "below": "below", "over": "above", "under": "below"}
_MEAN = frozenset({"average", "mean"})
_ENDS = frozenset({"", "?", ".", "!", ",", ";", "in", "during", "last", "this", "since", "on", "for"})
_RATES = frozenset({"rate", "share", "ratio", "percentage"})
_MORE = {"more": "above", "fewer": "below", "less": "below"}
_LOWER = frozenset("lighter shorter smaller younger cheaper lower nearer colder cooler poorer".split())
_AREA, _PRICE = frozenset({"size", "area", "capacity"}), frozenset("price cost fee rent fare rate charge".split())
_SIZES = {
    **dict.fromkeys(("bigger", "larger", "smaller"), _AREA),
    **dict.fromkeys(("dearer", "pricier", "costlier", "cheaper"), _PRICE),
}
_LONGEST = 5  # words of a rate's name


def above_the_average(w: Wording, at: int) -> Found | None:
    """``with an above average delay``: whose average delay is above the overall average, where groups are asked for."""
    start = w.kind_start(at)
    if start is None or at >= len(w.tokens):
        return None
    return _with_above(w, start, at) or _with_more(w, at) or _more_so(w, start, at)


def _with_above(w: Wording, start: int, at: int) -> Found | None:
    """``with an above average delay``, ``with a below-average return rate``."""
    if w.at(at) not in _WITH and w.words[at : at + 2] not in (["that", "have"], ["which", "have"], ["that", "has"]):
        return None
    place = at + 1 + (w.at(at + 1) in ("have", "has"))
    place += w.at(place) in _ARTICLES
    side = _SIDES.get(w.at(place))
    place += 1 + (w.at(place + 1) == "-")
    if side is None or w.at(place) not in _MEAN:
        return None
    found = _number(w, start, at, place + 1)
    return (_whose(w, at, found[0], side), found[1]) if found is not None else None


def _with_more(w: Wording, at: int) -> Found | None:
    """``with more visits than average``: of rows that are others than those that are asked for."""
    place = at
    while w.at(place) in _WHO | _WITH or place == at and w.at(place + 1) in _MORE and w.at(place).isalpha():
        place += 1
    side, rows = _MORE.get(w.at(place)), w.rows_at(place + 1)
    mean = place + 3 + (w.at(place + 3) in _ARTICLES)
    if place == at or side is None or not rows or w.at(place + 2) != "than":
        return None
    end = mean + 1 + (w.at(mean + 1) not in _ENDS and singular(w.at(mean + 1)) == singular(w.at(at - 1)))
    if w.at(mean) not in _MEAN or w.at(end) not in _ENDS or set(rows) & set(w.rows_at(at - 1)):
        return None
    return _whose(w, at, ["number", "of", w.at(place + 1)], side), end


def _more_so(w: Wording, start: int, at: int) -> Found | None:
    """``that take longer than average``, ``heavier than average``: by the one number that the adjective measures."""
    place = at
    while w.at(place) in _WHO | _WITH or place == at and w.at(place + 1).endswith("er") and w.at(place).isalpha():
        place += 1
    hints = _measured_by(w.at(place))
    mean = place + 2 + (w.at(place + 2) in _ARTICLES)
    if not hints or w.at(place + 1) != "than" or w.at(mean) not in _MEAN or w.at(mean + 1) not in _ENDS:
        return None
    path = _one_so(w, at, hints)
    if path is None:
        return None
    named, side = list(w.meta.parts(path)), "below" if w.at(place) in _LOWER else "above"
    if _of_groups(w, start, at, path):
        return _whose(w, at, ["average", *named], side), mean + 1
    return w.said(at, "with", *named, side, "average"), mean + 1


def _one_so(w: Wording, at: int, hints: frozenset[str]) -> str | None:
    """The one number that an adjective measures, of the rows that it is said of where they have one."""
    names = {w.meta.number_names.plain[p]: p for p in w.numbers if hints & set(w.meta.parts(p))}
    homes = set(w.rows_at(at - 1))
    own = {name: path for name, path in names.items() if path.split(".", 1)[0] in homes}
    found = own if len(own) == 1 else names
    return next(iter(found.values())) if len(found) == 1 else None


def _measured_by(comparative: str) -> frozenset[str]:
    """What ``taller``, ``bigger``, ``heavier`` compare."""
    if comparative in _SIZES:
        return _SIZES[comparative]
    forms = (comparative, comparative[:-2], comparative[:-1], comparative[:-3], f"{comparative[:-3]}y")
    known = next((ADJECTIVES[form] for form in forms if form in ADJECTIVES), "") if comparative.endswith("er") else ""
    return frozenset(known.split())


def _whose(w: Wording, at: int, named: list[str], side: str) -> list[Token]:
    said = named if named[0] in ("average", "number") or _RATES & set(named) else ["average", *named]
    return w.said(at, "whose", *said, "is", side, "the", "overall", "average")


def _number(w: Wording, start: int, at: int, place: int) -> tuple[list[str], int] | None:
    """The number, or the rate, named at a place and to the end of what is said of the groups."""
    for path, end in named_numbers(w.tokens, w.meta, place):
        if w.at(end) in _ENDS and _of_groups(w, start, at, path):
            return w.words[place:end], end
    rate = next((p for p in range(place, place + _LONGEST) if w.at(p) in _RATES), None)
    return (w.words[place : rate + 1], rate + 1) if rate is not None and w.at(rate + 1) in _ENDS else None


def _of_groups(w: Wording, start: int, at: int, path: str) -> bool:
    """Whether a number is one of the rows of each of what is asked for, and not one that each of it has itself."""
    kinds = [
        kind for size in range(1, at - start + 1)
        for kind in w.meta.kind_names.called.get(tuple(token.stem for token in w.tokens[at - size : at]), ())
    ]  # fmt: skip
    own = path.split(".", 1)[0]
    return bool(kinds) and not any(
        kind.relation == own and (kind.path is None or w.meta.profile(kind.path).unique) for kind in kinds
    )
