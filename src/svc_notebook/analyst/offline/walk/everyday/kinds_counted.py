"""Kinds counted by a number of theirs: *how many dogs are older than 12*, where dogs are a species of patients."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["kind_counted"]

_SURE = 0.9  # how well a word fits the value that it is the plural of


def kind_counted(w: Wording, at: int) -> Found | None:
    """``how many dogs are older than 12``: how many dog patients, since what is bounded is a number of these."""
    if w.words[max(0, at - 2) : at] not in (["how", "many"], ["number", "of"]) or w.meta.kind_names.end(w.tokens, at):
        return None
    bounded = any(w.at(place) == "than" and w.is_number(place + 1) for place in range(at + 1, len(w.words)))
    noun = w.at(at)
    if not bounded or singular(noun) == noun:
        return None
    found = {m.member for m in w.meta.values.find(w.tokens, at) if m.end == at + 1 and m.quality >= _SURE}
    homes = {path.split(".", 1)[0] for path in found} & set(w.cubes)
    if len(homes) != 1:
        return None
    return w.said(at, singular(noun), *w.plural(homes.pop())), at + 1
