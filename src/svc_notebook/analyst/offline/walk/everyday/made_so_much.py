"""How much was made, where rows are dated by it and of several pieces each: *how much did we bake*, *made the most*."""

from __future__ import annotations

from ...words.families import is_same_deed
from ...words.rewriting import Found
from .amounts import THEY
from .pieces import pieces
from .wording import Wording

__all__ = ["how_much_made", "made_the_most", "output_made"]

_DID = frozenset({"did", "do", "have", "has", "had", "was", "were", "got", "been"})
_MOST = {"most": "highest", "least": "lowest", "fewest": "lowest"}
_ENDS = frozenset(["", *"? . ! , in this last during since on at per by each for from so yesterday today".split()])
_FOLDED = frozenset("total overall average avg mean median daily weekly monthly yearly most highest lowest".split())
_OUTPUT = frozenset({"output", "production"})
_MADE = ("produced", "made", "manufactured", "baked", "brewed", "assembled", "built")
_PEOPLE = THEY | frozenset({"i", "people"})


def how_much_made(w: Wording, at: int) -> Found | None:
    """``how much did we produce per month``: the total of the pieces, and not how many rows there are."""
    if at or w.words[:2] not in (["how", "much"], ["how", "many"]):
        return None
    place = 2
    while w.at(place) in _DID | _PEOPLE:
        place += 1
    number = _pieces_dated(w, w.at(place)) if place > 2 and w.at(place + 1) in _ENDS else None
    return (w.said(0, "total", *w.meta.parts(number)), place + 1) if number is not None else None


def made_the_most(w: Wording, at: int) -> Found | None:
    """``which baker made the most``: the highest total of the pieces."""
    verb = at + (w.words[:1] == ["who"] and not at)
    way = _MOST.get(w.at(verb + 2)) if verb and w.at(verb + 1) == "the" else None
    if way is None or w.at(0) not in ("who", "which", "what") or w.at(verb + 3) not in _ENDS:
        return None
    number = _pieces_dated(w, w.at(verb))
    who = _people(w, number) if number is not None and verb > at else []
    return (
        (w.said(at, *who, "has", "the", way, "total", *w.meta.parts(number)), verb + 3) if number is not None else None
    )


def output_made(w: Wording, at: int) -> Found | None:
    """``total output by team``, ``average production per day``: of the pieces that rows dated by the making are of."""
    folded = w.at(at - 1) in _FOLDED if at else w.at(1) in ("by", "per")
    if w.at(at) not in _OUTPUT or not folded or any(w.at(at) in w.meta.parts(path) for path in w.numbers):
        return None
    number = _pieces_dated(w, _MADE[0])
    return (w.said(at, *([] if at else ["total"]), *w.meta.parts(number)), at + 1) if number is not None else None


def _people(w: Wording, number: str) -> list[str]:
    """``who``: the one kind of people that rows are of."""
    home = number.split(".", 1)[0]
    people = [name for name in w.cubes if w.meta.leads_to(home, name) and w.meta.is_of_people(name)]
    return ["which", *w.meta.words_of(people[0])] if len(people) == 1 else ["who"]


def _pieces_dated(w: Wording, verb: str) -> str | None:
    """The one number of pieces of the rows that are dated by what a verb says was done to them."""
    times = [path for path, m in w.meta.members.items() if m.type == "time" and m.kind == "dimension"]
    alike = _MADE if any(is_same_deed(one, verb) for one in _MADE) else (verb,)
    dated = {p.split(".", 1)[0] for p in times if any(is_same_deed(w.meta.parts(p)[0], one) for one in alike)}
    homes = dated & set(w.cubes)
    number = pieces(w.meta, homes) if len(homes) == 1 else None
    return number if number is not None and number.split(".", 1)[0] in homes else None
