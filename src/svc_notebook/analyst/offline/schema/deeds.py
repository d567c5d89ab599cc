"""What was done to a row, where a time says when: ``sold`` of ``sold_at`` names no time unless one is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from .... import patterns as re
from ..words.text import Token, is_participle, stem

if TYPE_CHECKING:
    from .metadata import Metadata
    from .values import ValueMatch

__all__ = ["PARTICIPLES", "deeds_of", "is_deed"]

PARTICIPLES = frozenset(
    "seen sold bought made paid sent taken given written held won lost done built begun lent left met kept put found "
    "born died quit shown caught drawn driven flown grown known broken chosen eaten fallen spent taught".split()
)
_WITH_PARTICLE = re.compile(r"ed(up|in|out|off)$")  # signed up, as the model writes it
_WHEN = frozenset({"at", "on", "date", "time", "datetime", "timestamp", "ts", "day", "when"})


def is_deed(metadata: Metadata, path: str, words: Sequence[str]) -> bool:
    """Whether ``words`` (one word) say what happened at a time, by its name's participle or by their own."""
    if len(words) != 1 or path not in metadata.members or not metadata.is_time(path):
        return False
    word = _WITH_PARTICLE.sub(r"\1", words[0].lower())
    for part in metadata.members[path].name.lower().split("_"):
        # Only what is said before the time: "on" of sold_on is no deed.
        if part not in _WHEN and stem(part) == stem(word):
            # Either may look like a participle: "sold" says so itself, "signup" of signed up by the question's word.
            return _is_participle(part) or _is_participle(words[0].lower())
    return False


def _is_participle(word: str) -> bool:
    # Short words that end so are mostly none (red, bed).
    return word in PARTICIPLES or len(word) > 4 and (is_participle(word) or bool(_WITH_PARTICLE.search(word)))


_BEFORE_TIMES = frozenset("in on at during since before after until between from the by per each every for".split())
_FARTHEST = 3  # words from what was done to when


def deeds_of(
    tokens: Sequence[Token], start: int, found: Sequence[ValueMatch], metadata: Metadata, timed: Collection[int]
) -> set[str]:
    """Relations of which a word says what was done, and no value that is called so: ``opened`` is no status ``open``.

    ``closed`` is a status too, unless a time stands right behind it (``closed in March``): ``timed`` are the places
    where periods and units of time begin.
    """
    token, told = tokens[start], set[str]()
    if _is_participle(token.lower) and all(token.lower != str(match.value).lower() for match in found):
        times = metadata.times(metadata.catalog.relations) if found else []
        if any(is_deed(metadata, path, (token.lower,)) for path in times):  # "opened a ticket", while invoices are open
            return {match.member.split(".", 1)[0] for match in found}
    for match in found:
        relation = match.member.split(".", 1)[0]
        if match.end != start + 1 or not any(is_deed(metadata, p, (token.lower,)) for p in metadata.times([relation])):
            continue
        if token.lower != str(match.value).lower() or _is_timed(tokens, start, timed):
            told.add(relation)
    return told


def _is_timed(tokens: Sequence[Token], start: int, timed: Collection[int]) -> bool:
    for at in range(start + 1, min(len(tokens), start + 1 + _FARTHEST)):
        if at in timed:
            return True
        if tokens[at].lower not in _BEFORE_TIMES:
            return False
    return False
