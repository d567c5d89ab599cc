"""Marks that were given: *how many rated the food 1 or 2*, *share who gave us a 5 overall*, *4 or 5 for service*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import Token, name_parts, stem
from .wording import Wording

__all__ = ["marks_given"]

_GIVING = frozenset("rated rate scored score marked gave give given rates gives scores".split())
_TO_WHOM = frozenset("us it them the a an our as at with".split())
_JOINING = frozenset({"or", "and", "to"})
_FOR = frozenset({"for", "on"})
_HEADS = frozenset(
    "many share percentage percent % proportion who people respondents guests customers visitors".split()
)
_LONGEST = 4  # words of what is rated


def marks_given(w: Wording, at: int) -> Found | None:
    """With those marks: of the one scale whose name holds what was rated, or stands behind *for*."""
    if w.at(at) not in _GIVING or not at or w.at(at - 1) not in _HEADS:
        return None
    place = _past(w, at + 1)
    scale, end = ([], place) if w.is_number(place) else _scale(w, place)
    marks, behind = _marks(w, _past(w, end))
    if not marks:
        return None
    if not scale:
        behind += w.words[behind : behind + 3] == ["out", "of", w.at(behind + 2)] and 3
        ahead = behind + (w.at(behind) in _FOR)
        scale, behind = _scale(w, _past(w, ahead))
    if not scale:
        return None
    rows = w.said(at, "rows") if w.at(at - 1) in ("many", "who") or w.at(at - 1) in ("share", "%") else []
    return [*rows, *w.said(at, "with", *scale), *marks], behind


def _past(w: Wording, place: int) -> int:
    while w.at(place) in _TO_WHOM and not w.is_number(place):
        place += 1
    return place


def _marks(w: Wording, place: int) -> tuple[list[Token], int]:
    if not w.is_number(place):
        return [], place
    end = place + 1
    while w.at(end) in _JOINING and w.is_number(end + 1):
        end += 2
    return list(w.tokens[place:end]), end


def _scale(w: Wording, place: int) -> tuple[list[str], int]:
    """The words of the one scale that the words at a place name, and where they end."""
    scales = [path for path in w.numbers if (w.meta.members[path].meta or {}).get("kind") == "level"]
    for end in range(min(place + _LONGEST, len(w.tokens)), place, -1):
        said = {token.stem for token in w.tokens[place:end]}
        found = [path for path in scales if said <= set(map(stem, w.meta.parts(path)))] or [
            path for path in scales if any(said <= {stem(one) for one in name.split()} for name in _called(w, path))
        ]
        if len(found) == 1:
            return list(name_parts(w.meta.members[found[0]].title)), end
    return [], place


def _called(w: Wording, path: str) -> list[str]:
    return [w.meta.members[path].title.lower(), *w.meta.members[path].synonyms]
