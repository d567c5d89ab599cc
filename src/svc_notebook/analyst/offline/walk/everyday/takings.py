"""What is taken in, by a verb alone: *how much did each agent bill*, *towns that brought in more than 10,000*."""

from __future__ import annotations

from ...words.families import root
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["takings_bounded", "takings_of_each"]

_TAKING = frozenset(
    "bill billed charge charged earn earned make made bring brought take took collect collected raise raised generate "
    "generated gross grossed".split()
)
_BILLED = frozenset(map(root, ("billed", "charged", "invoiced")))
_WHO = frozenset({"that", "which", "who"})
_LONGEST = 3  # words of a kind
_EACH = frozenset({"each", "every"})
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "last", "this", "during", "since", "from", "so", "between"})


def takings_of_each(w: Wording, at: int) -> Found | None:
    """``how much did each agent bill last year``: the revenue by agent."""
    if at or w.words[:2] != ["how", "much"] or w.at(2) not in ("did", "does", "do", "has", "have"):
        return None
    end = next((at for at in range(5, 5 + _LONGEST) if w.at(at) in _TAKING), 0) if w.at(3) in _EACH else 0
    behind = _verb_end(w, end) if end else None
    if behind is None or w.at(behind) not in _ENDS:
        return None
    return [*w.said(0, "total", *_amount(w, end), "by"), *w.tokens[4:end]], behind


def takings_bounded(w: Wording, at: int) -> Found | None:
    """``towns that brought in more than 10,000``: with a total revenue of so much."""
    behind = _verb_end(w, at + 1) if w.at(at) in _WHO and w.kind_start(at) is not None else None
    if behind is None:
        return None
    number = behind + w.bound(behind)
    if number == behind or not w.is_number(number) or w.at(number + 1) not in _ENDS:
        return None
    return [*w.said(at, "with", "total", *_amount(w, at + 1)), *w.tokens[behind : number + 1]], number + 1


def _amount(w: Wording, verb: int) -> tuple[str, ...]:
    """The name of the one number that is called as the verb is, or else what takings are called."""
    said = _BILLED if root(w.at(verb)) in _BILLED else {root(w.at(verb))}
    found = {tuple(w.meta.parts(path)) for path in w.numbers if said & set(map(root, w.meta.parts(path)))}
    return found.pop() if len(found) == 1 else ("revenue",)


def _verb_end(w: Wording, at: int) -> int | None:
    """The place behind a verb of taking money in, where the model calls nothing so."""
    if w.at(at) not in _TAKING:
        return None
    return at + 1 + (w.at(at + 1) in ("in", "us"))
