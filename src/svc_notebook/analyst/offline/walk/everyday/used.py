"""What was used, where one number says how much: *which day did we use the most*, *how much did we use in May*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["how_much_used", "used_the_most"]

_USING = frozenset({"use", "used", "consume", "consumed", "using"})
_NAMED = frozenset({"consumption", "usage", "use", "used", "consumed"})
_HELPING = frozenset({"did", "do", "have", "does", "has"})
_WHO = frozenset({"we", "i", "they", "you", "it"})
_ENDS = {"most": "highest", "least": "lowest"}
_OF = frozenset({"energy", "power", "electricity", "water", "gas", "fuel"})
_BEHIND = frozenset("in on at during per each every a last this since between from over by today when".split())


def used_the_most(w: Wording, at: int) -> Found | None:
    """``which hour of the day do we use the most``: that with the highest total of what is used."""
    if at or w.at(0) not in ("which", "what", "when"):
        return None
    helper = next((place for place in range(1, 6) if w.at(place) in _HELPING and w.at(place + 1) in _WHO), 0)
    if helper < 2 or w.at(helper + 2) not in _USING:
        return None
    end = helper + 3 + (w.at(helper + 3) == "the")
    name = _used(w)
    if name is None or w.at(end) not in _ENDS:
        return None
    behind = end + 1 + (w.at(end + 1) in _OF)
    return [*w.tokens[:helper], *w.said(helper, "has", "the", _ENDS[w.at(end)], "total", *name)], behind


def how_much_used(w: Wording, at: int) -> Found | None:
    """``how much did we use in winter``, ``how much more did we use …``: the total of it."""
    if at or w.words[:2] != ["how", "much"]:
        return None
    place = 2 + (w.at(2) in _OF)
    if w.at(place) not in _HELPING or w.at(place + 1) not in _WHO or w.at(place + 2) not in _USING:
        return None
    name = _used(w)
    behind = w.at(place + 3)
    if name is None or behind.isalpha() and behind not in _BEHIND:
        return None  # how much of something else was used
    return w.said(0, "total", *name), place + 3


def _used(w: Wording) -> list[str] | None:
    """The words of the one number that is called by what was used."""
    found = [path for path in w.numbers if _NAMED & set(w.meta.parts(path))]
    # Where a verb of the model's own says it, nothing else is meant.
    if len(found) != 1 or any(name in (("use",), ("used",)) for name in w.names):
        return None
    return list(w.meta.number_names.words(w.meta, found[0]))
