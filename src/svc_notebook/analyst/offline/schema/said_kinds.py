"""Words that say little, and what kind of rows is meant where the data know such a kind: *company accounts*."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..words.text import Token
from ..words.thesaurus import KINDS_TOO, LIGHT_VERBS
from .metadata import Metadata
from .values import ValueMatch

__all__ = ["is_done", "is_kind_of_rows"]

_JOINING = frozenset({"and", "or", "vs", "versus", "against", ","})
_HELPING = frozenset("do does did will can could would to".split())
_FARTHEST = 5  # words from what helps a verb to the verb: "does Owen Brady still work"
_POINTING = frozenset("the any all which what each every no some and or than these those many most".split())


def is_kind_of_rows(tokens: Sequence[Token], at: int, matches: Sequence[ValueMatch], metadata: Metadata) -> bool:
    """Whether a word is a value as it is written, right before the noun for rows that have it: their own, or that of
    what they belong to (``company orders``).
    """
    word = tokens[at].lower
    if word not in KINDS_TOO or word == "other" and at and tokens[at - 1].lower in _POINTING:
        return False
    own = {match.member for match in matches if str(match.value).lower() == word}
    behind = tokens[at + 1 : at + 3]
    if len(behind) > 1 and behind[0].lower in _JOINING and _has(own, metadata.values.find(tokens, at + 2)):
        return True  # "company and private accounts"
    rows = metadata.kind_names.rows.get(behind[0].stem, ()) if behind else ()
    owners = {path.split(".", 1)[0] for path in own}
    return any(one == owner or metadata.leads_to(one, owner) for one in rows for owner in owners)


def _has(members: Collection[str], matches: Sequence[ValueMatch]) -> bool:
    return any(match.member in members for match in matches)


def is_done(tokens: Sequence[Token], at: int) -> bool:
    """``does Owen still work with us``: a verb, whatever value is written so."""
    before = {token.lower for token in tokens[max(0, at - _FARTHEST) : at]}
    return tokens[at].lower in LIGHT_VERBS and not before.isdisjoint(_HELPING)
