"""What was had most, and when last, by a verb that rows of another table stand for: *most borrowed title*."""

from __future__ import annotations

from ...schema.acts import ACTS
from ...words.rewriting import Found
from ...words.text import is_participle, singular
from .doings import subject_at, things_done
from .wording import Wording

__all__ = ["last_had", "most_had"]

_OFTEN = frozenset({"often", "frequently"})
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "this", "last", "during", "since", "on", "at", "by", "of", "from"})
_ANYTHING = (("something",), ("anything",), ("a", "thing"), ("one",), ("any",))
_WHEN = (["when", "did"], ["when", "has"], ["when", "have"])


def most_had(w: Wording, at: int) -> Found | None:
    """``most borrowed title``: the one with the most loans; ``top 5 most rented items``: by number of rentals."""
    if w.at(at) != "most":  # the least is what has none, which is in no row of the other table
        return None
    verb = at + 1 + (w.at(at + 1) in _OFTEN)
    noun = verb + 1
    if not (is_participle(w.at(verb)) or w.at(verb) in ACTS) or noun >= len(w.tokens) or w.at(noun + 1) not in _ENDS:
        return None
    of = subject_at(w, noun)
    rows = things_done(w, verb, of) if of is not None else None
    if rows is None:
        return None
    said = ("by", "number", "of") if at and w.is_number(at - 1) else ("with", "the", "most")
    return [w.tokens[noun], *w.said(at, *said, *rows)], noun + 1


def last_had(w: Wording, at: int) -> Found | None:
    """``when did Ada last borrow something``: her last loan."""
    if w.words[:2] not in _WHEN or w.at(at) not in ("last", "first") or at <= len(_WHEN[0]):
        return None
    size = next((len(said) for said in _ANYTHING if tuple(w.words[at + 2 : at + 2 + len(said)]) == said), 0)
    ended = w.at(at + 2 + size) in ("", "?", ".", "!")
    rows = things_done(w, at + 1, None) if ended else None
    return (w.said(at, w.at(at), *rows[:-1], singular(rows[-1])), at + 2 + size) if rows is not None else None
