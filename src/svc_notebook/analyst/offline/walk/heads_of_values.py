"""Nouns that only say of what kind a value is: *operated by Boeing planes*, *placed by German customers*."""

from __future__ import annotations

from ..schema.deeds import PARTICIPLES
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..words.text import is_participle, singular
from .draft import Draft

__all__ = ["heads_value"]

_BEING = frozenset({"is", "are", "was", "were"})


def heads_value(draft: Draft, place: int) -> bool:
    """Whether a noun for several stands right behind who did something: those that a value is of, and no group.

    Without a deed before *by*, ``revenue by German cities`` is of each of them.
    """
    if place < 2 or place >= len(draft.items):
        return False
    by, value, noun = draft.items[place - 2 : place + 1]
    named, chosen = draft.resolution.choice.get(place), draft.resolution.choice.get(place - 1)
    if not isinstance(named, Candidate) or named.member is None or not isinstance(chosen, ValueMatch):
        return False
    if not by.is_cue("group") or by.text.lower() != "by" or value.end != noun.start or not by.start:
        return False
    done = draft.tokens[by.start - 1].lower
    if not is_participle(done) and done not in PARTICIPLES | _BEING:
        return False
    several, meta = draft.tokens[noun.end - 1].lower, draft.metadata
    plural = several != singular(several)
    return plural and meta.member(named.member).type == "string" and not meta.is_measure(named.member)
