"""Numbers by a verb that no column is called by: *which van clocked up the most miles*, *how many kilos did the Tern
carry*, *which town spends the most*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...lexicon import customers
from ...schema.money import taken_in
from ...schema.values import ValueMatch
from ...words.families import deed
from ...words.numbers import dimension_of, exact_unit
from ...words.rewriting import Found
from ...words.text import Token, singular, stem
from .wording import Wording

__all__ = ["EARNING", "did_the_most", "so_much_done", "with_the_most"]

_WHICH = frozenset({"which", "what"})
_MOST = {"most": "highest", "least": "lowest", "fewest": "lowest"}
_HOW = (["how", "many"], ["how", "much"])
_DONE = frozenset({"did", "has", "have"})
_HELPERS = _DONE | {"does", "do", "can", "could"}
_PARTICLES = frozenset({"up", "in", "out", "on", "off", "through", "over", "down", "us"})
_HAVING = frozenset({"with", "has", "have", "had"})
_PLAIN = frozenset("be is are was were has have had got did do does can with at in on of by the for a an to".split())
EARNING = frozenset(map(deed, "spend spent earn make bring take pay collect raise gross generate fetch".split()))
_PAYING = frozenset(map(deed, ("spend", "spent", "pay")))
_OTHERWISE = frozenset(
    map(
        deed,
        "lose lost miss waste drop cancel return refuse reject break damage spill skip fail owe avoid save need want "
        "expect plan win won beat refund sell sold buy bought".split(),
    )
)
"""Verbs that are of some rows or of another number, whatever is named beside them."""
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "this", "last", "during", "since", "on", "at", "from", "for", "so"})
_FOLDED = frozenset({"per", "each", "every", "by", "average", "than", "most", "least", "if", "when", "where"})

_LONGEST = 3  # words of a number's name


class _Number(NamedTuple):
    """The name of a number, where it is kept, and the place behind."""

    words: Sequence[str]
    path: str
    end: int


def did_the_most(w: Wording, at: int) -> Found | None:
    """``who put in the most hours``: with the highest total, of those who do it; ``who spends the most``: who pay."""
    verb = _subject_end(w) if not at else 0
    the = _behind_verb(w, verb) if verb else 0
    if not the or w.at(the) != "the" or w.at(the + 1) not in _MOST:
        return None
    number = _named(w, the + 2, w.at(verb))
    if number is None or w.at(number.end) not in _ENDS:
        return None
    if not _act(w, verb, number.path):
        return None
    who = w.tokens[:verb] if verb > 1 else _who(w, number.path, pays=deed(w.at(verb)) in _PAYING)
    most = w.said(verb, "has", "the", _MOST[w.at(the + 1)], "total", *number.words)
    return ([*who, *most], number.end) if who else None


def with_the_most(w: Wording, at: int) -> Found | None:
    """``pupils with the most km``: with the highest total of what is measured so, and no average of each row."""
    if w.at(at) != "the" or w.at(at + 1) not in _MOST or w.at(at - 1) not in _HAVING:
        return None
    number = _named(w, at + 2, "") if w.at(at + 2) not in _ENDS else None
    unit = exact_unit(w.meta.parts(number.path)[-1]) if number is not None else None
    if number is None or unit is None or not dimension_of(unit) or w.at(number.end) not in _ENDS:
        return None
    home = number.path.split(".", 1)[0]
    if any(home in w.rows_at(place) for place in range(at)):
        return None  # of its rows, one has the most
    return w.said(at, "the", _MOST[w.at(at + 1)], "total", *number.words), number.end


def so_much_done(w: Wording, at: int) -> Found | None:
    """``how many kilos did the Tern carry in May``: the total of what is kept in them, for it."""
    start = 1 if w.at(0) == "total" else 2 if w.words[:2] in _HOW else 0
    if at or not start or _FOLDED & set(w.words):
        return None
    helper = next((p for p in range(start, start + 4) if w.at(p) in _HELPERS), 0)
    who = helper + 1 + (w.at(helper + 1) in ("the", "our"))
    match = max(w.meta.values.find(w.tokens, who), key=lambda m: m.end, default=None) if helper else None
    behind = _behind_verb(w, match.end) if match is not None else 0
    if match is None or not behind or w.at(behind) not in _ENDS:
        return None
    said = _of_it(w, start, helper, match)
    return ([*w.said(0, *said), *w.said(0, "for"), *w.tokens[who : match.end]], behind) if said else None


def _of_it(w: Wording, start: int, helper: int, match: ValueMatch) -> list[str]:
    """The number that is asked for of what is called so: of its own rows, or of those that lead there."""
    home = match.member.split(".", 1)[0]
    if helper == start:
        money = _money(w, w.at(match.end)) if w.at(1) == "much" else None
        return ["total", *money[0]] if money is not None else []
    number = _named(w, start, w.at(match.end))
    if number is not None and number.end == helper:
        return ["total", *number.words]
    if helper != start + 1:
        return []
    kept = [path for path in w.numbers if exact_unit(w.meta.parts(path)[-1]) == (exact_unit(w.at(start)) or "")]
    near = [p for p in kept if p.split(".", 1)[0] != home and w.meta.leads_to(p.split(".", 1)[0], home)]
    own = [p for p in kept if p.split(".", 1)[0] == home and home in w.cubes]
    found, lead = (near, ["total"]) if w.at(helper) in _DONE else (own, [])
    return [*lead, *w.meta.parts(found[0])] if len(found) == 1 else []


def _who(w: Wording, path: str, *, pays: bool) -> list[Token]:
    """``which`` and the one kind of people that pay, or do what rows are of."""
    home = path.split(".", 1)[0]
    people = [name for name in w.cubes if name != home and w.meta.leads_to(home, name) and w.meta.is_of_people(name)]
    nouns, paying = customers()
    payers = {stem(noun) for noun in nouns} | paying
    fitting = [name for name in people if (stem(singular(w.meta.words_of(name)[-1])) in payers) is pays]
    if len(fitting) == 1:
        return w.said(0, "which", *w.meta.words_of(fitting[0]))
    return [] if path == taken_in(w.meta) else [w.tokens[0]]  # who they are that do it is asked of the columns


def _act(w: Wording, verb: int, path: str) -> bool:
    """Whether who or what is asked for have rows of their own, so that all of theirs is meant: vans, not hours."""
    home = path.split(".", 1)[0]
    if verb == 1:
        return bool(w.meta.edges.get(home))
    kinds = w.meta.kind_names.called.get(tuple(token.stem for token in w.tokens[1:verb]), ())
    return any(kind.relation != home and w.meta.leads_to(home, kind.relation) for kind in kinds)


def _subject_end(w: Wording) -> int:
    """Where the verb stands behind ``who`` or ``which van``; or 0."""
    if w.at(0) == "who":
        return 1
    return w.kind_end(1) if w.at(0) in _WHICH else 0


def _behind_verb(w: Wording, at: int) -> int:
    """The place behind a verb that the model has no word for, and its particles; or 0."""
    if at >= len(w.tokens) or w.tokens[at].kind != "word" or w.at(at) in _PLAIN | _ENDS | set(_MOST):
        return 0
    if w.tokens[at].stem in w.meta.vocabulary or deed(w.at(at)) in _OTHERWISE or w.meta.values.find(w.tokens, at):
        return 0
    end = at + 1
    while w.at(end) in _PARTICLES and (w.at(end + 1) in _ENDS | {"the"} or w.at(end + 1) in _PARTICLES):
        end += 1
    return end


def _named(w: Wording, at: int, verb: str) -> _Number | None:
    """A number that is named at a place, by its unit, or by a verb of earning."""
    if w.at(at) in _ENDS or w.at(at) == "money":
        money = _money(w, "earn" if w.at(at) == "money" else verb)
        return _Number(*money, at + (w.at(at) == "money")) if money else None
    for size in range(_LONGEST, 0, -1):
        found = w.meta.number_names.called.get(tuple(token.stem for token in w.tokens[at : at + size]), ())
        found = tuple(path for path in found if path.split(".", 1)[0] in w.cubes)
        if len(found) == 1:
            return _Number(w.meta.parts(found[0]), found[0], at + size)
    kept = w.kept_in(w.at(at))
    return _Number(w.meta.parts(kept), kept, at + 1) if kept is not None else None


def _money(w: Wording, verb: str) -> tuple[Sequence[str], str] | None:
    taken = taken_in(w.meta) if deed(verb) in EARNING else None
    return (("revenue",), taken) if taken is not None else None
