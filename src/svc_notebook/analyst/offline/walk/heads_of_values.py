"""Nouns that only say of what kind a value is: *operated by Boeing planes*, *the average delay of Boeing planes*."""

from __future__ import annotations

from ..schema.deeds import PARTICIPLES
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..words.text import is_participle, singular
from .draft import Draft

__all__ = ["heads_value"]

_BEING = frozenset({"is", "are", "was", "were"})
_OF_WHOM = frozenset("of for from with on at in to used using".split())
_HAVING = frozenset("have has had use uses used own owns operate operates fly flies run runs".split())
_OF_ALL = frozenset("average avg mean median total many much number count share percentage percent proportion".split())


def heads_value(draft: Draft, place: int) -> bool:
    """Whether a noun for several stands right behind a value that it is of: it says whose, and is no group.

    So it is behind who did something, and where one number of all is asked for (``average delay of Boeing planes``).
    Without a deed before *by*, ``revenue by German cities`` is of each of them.
    """
    if place < 2 or place >= len(draft.items):
        return False
    named, chosen = draft.resolution.choice.get(place), draft.resolution.choice.get(place - 1)
    if not isinstance(named, Candidate) or named.member is None or not isinstance(chosen, ValueMatch):
        return False
    value, noun = draft.items[place - 1 : place + 1]
    several, meta = draft.tokens[noun.end - 1].lower, draft.metadata
    if value.end != noun.start or several == singular(several) or chosen.member == named.member:
        return False
    if meta.member(named.member).type != "string" or meta.is_measure(named.member):
        return False
    return _is_done_by(draft, place - 2) or _is_one_number_of(draft, place - 2)


def _is_done_by(draft: Draft, place: int) -> bool:
    by = draft.items[place]
    if not by.is_cue("group") or by.text.lower() != "by" or not by.start:
        return False
    done = draft.tokens[by.start - 1].lower
    return is_participle(done) or done in PARTICIPLES | _BEING


def _is_one_number_of(draft: Draft, place: int) -> bool:
    """Whether an aggregate or a count of something else stands before *of*, or others are asked for that have them."""
    before, said = draft.items[:place], draft.items[place].text.lower()
    if not any(item.kind == "name" or item.is_cue("agg") for item in before):
        return False
    having = said in _HAVING or said in PARTICIPLES or is_participle(said)
    if any(item.is_cue("ask") for item in before):  # "which airlines use Boeing planes" are airlines
        return having
    words = {token.lower for token in draft.tokens[: draft.items[place].start]}
    return (having or said in _OF_WHOM) and bool(words & _OF_ALL)
