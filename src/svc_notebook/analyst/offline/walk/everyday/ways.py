"""The ends of ways: *the airports people fly to* are where ways end, *harbours we sail from* where they begin."""

from __future__ import annotations

from ...schema.directions import ends_of
from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording

__all__ = ["end_of_ways"]

_GOERS = frozenset(
    "people passengers travellers travelers customers tourists visitors everyone everybody we they you one".split()
)
_DOING = frozenset({"do", "does", "did", "can"})
_MANNER = frozenset({"mostly", "usually", "often", "most", "mainly", "always"})
_LONGEST = 4  # words from who goes to where they go
_ENDS = ("to", "from")


def end_of_ways(w: Wording, at: int) -> Found | None:
    """``airports people fly to``, ``which airports do people fly to``: the member of that end of the way."""
    place = at + 1
    place += w.at(place) in ("that", "which", "where")
    place += w.at(place) in _DOING
    place += w.at(place) == "most" and w.at(place + 1) in _GOERS
    if w.at(place) not in _GOERS:
        return None
    end = next((p for p in range(place + 1, place + 1 + _LONGEST) if w.at(p) in _ENDS), None)
    if end is None or any(
        stem(word) in w.meta.vocabulary and word not in _MANNER for word in w.words[place + 1 : end - 1]
    ):
        return None
    called = _called(w, singular(w.at(at)))
    if not all(called.values()):
        return None
    most = any(word in _MANNER - {"always"} for word in w.words[place + 1 : end])
    behind = end + 1
    while w.at(behind) in ("the", "most", "often"):
        most, behind = True, behind + 1
    relation = called[w.at(end)][0].split(".", 1)[0]
    told = [*w.meta.parts(called[w.at(end)][0])]
    rows = [*w.meta.words_of(relation)][-1:] if most else []
    return w.said(at, *told, *(["with", "the", "most", *rows] if most else [])), behind


def _called(w: Wording, noun: str) -> dict[str, list[str]]:
    """The members of either end of ways that a noun is the last word of."""
    named = [path for path, m in w.meta.members.items() if m.kind == "dimension" and m.type == "string"]
    named = [path for path in named if w.meta.parts(path)[-1:] == (noun,)]
    return {end: [path for path in named if ends_of(w.meta, path) == end] for end in _ENDS}
