"""Columns of numbers where words name them, one or two of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..schema.metadata import Metadata
from ..words.text import Token

__all__ = ["MOST_WORDS", "Pair", "named_numbers", "paired_numbers"]

MOST_WORDS = 4  # of a name
_SIGNS = {"plus": False, "+": False, "minus": True, "−": True, "-": True}
_TOGETHER = frozenset({"together", "combined", "altogether"})
_LEADS = {("sum", "of"): False, ("total", "of"): False, ("difference", "between"): True, ("gap", "between"): True}


class Pair(NamedTuple):
    """Two numbers of a row that words from one place to another add up or take from each other."""

    start: int
    end: int
    one: str
    other: str
    less: bool


def named_numbers(
    tokens: Sequence[Token], meta: Metadata, at: int, head: Sequence[str] = ()
) -> Iterator[tuple[str, int]]:
    """Numbers whose name stands at a place, with the place behind it, the longest names first.

    ``head``: stems that the name ends in and that are said later (``outbound plus return weight``).
    """
    called = meta.number_names.called
    for size in range(min(MOST_WORDS, len(tokens) - at), 0, -1):
        for path in called.get((*(token.stem for token in tokens[at : at + size]), *head), ()):
            yield path, at + size


def paired_numbers(tokens: Sequence[Token], meta: Metadata) -> Iterator[Pair]:
    """``home goals plus away goals``, ``difference between planned and actual cost``, ``fee and tip together``."""
    words = [token.lower for token in tokens]
    for at in range(1, len(words) - 1):
        if words[at] != "and" and words[at] not in _SIGNS:
            continue
        found = next(_sides(tokens, at, meta), None)
        if found is None:
            continue
        start, end = found.start, found.end
        lead = next((n for n in (2, 3) if tuple(words[max(0, start - n) : start][:2]) in _LEADS and start >= n), 0)
        if words[at] in _SIGNS:
            yield found._replace(less=_SIGNS[words[at]])
        elif lead:
            less = _LEADS[words[start - lead], words[start - lead + 1]]
            yield found._replace(start=start - lead if less else start, less=less)
        elif words[end : end + 1] and words[end] in _TOGETHER:
            yield found._replace(end=end + 1)


def _sides(tokens: Sequence[Token], at: int, meta: Metadata) -> Iterator[Pair]:
    """Two numbers of one relation that stand on both sides of a place."""
    begins = at + 1 + (tokens[at + 1].lower in ("the", "their"))
    for other, end in named_numbers(tokens, meta, begins):
        name = meta.number_names.plain[other]
        # Longest heads last: the shortest name that makes the pair whole is the one that was said.
        heads = [(), *(name[n:] for n in range(1, len(name)))]
        for start in range(max(0, at - MOST_WORDS), at):
            for one, behind in (found for head in heads for found in named_numbers(tokens[:at], meta, start, head)):
                if behind == at and one != other and one.split(".", 1)[0] == other.split(".", 1)[0]:
                    yield Pair(start, end, one, other, False)
