"""What was done to a row, where a time says when: ``sold`` of ``sold_at`` names no time unless one is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from .metadata import Metadata
from .text import stem

__all__ = ["is_deed"]

_PARTICIPLES = frozenset(
    "seen sold bought made paid sent taken given written held won lost done built begun lent left met kept put found "
    "born shown caught drawn driven flown grown known broken chosen eaten fallen spent taught".split()
)
_WHEN = frozenset({"at", "on", "date", "time", "datetime", "timestamp", "ts", "day", "when"})


def is_deed(metadata: Metadata, path: str, words: Sequence[str]) -> bool:
    """Whether ``words`` (one word) say what happened at a time, by its name's participle or by their own."""
    if len(words) != 1 or path not in metadata.members or not metadata.is_time(path):
        return False
    word = words[0].lower()
    for part in metadata.members[path].name.lower().split("_"):
        if part not in _WHEN and stem(part) == stem(word):
            return _is_participle(part) or _is_participle(word)
    return False


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or len(word) > 4 and word.endswith("ed")
