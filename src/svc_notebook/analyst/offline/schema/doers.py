"""Who did something to a row, by what such people are called: *agent* of ``assigned_to``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from ..words.families import PAST, root
from ..words.text import stem
from .sayable import Phrase

if TYPE_CHECKING:
    from .relations import Relations

__all__ = ["doers"]

_WEIGHT = 0.88
_ENDS = frozenset({"by", "to"})
_CALLED = (
    ("assign handle work process", "agent assignee technician handler"),
    ("resolve close solve fix repair service complete", "technician"),
    ("report request open raise submit log", "reporter requester requestor submitter"),
    ("lead", "leader"), ("teach", "instructor"), ("sell", "salesperson"), ("write", "author"),
)  # fmt: skip
_NOUNS = {root(verb): nouns.split() for verbs, nouns in _CALLED for verb in verbs.split()}
"""What those are called who do so, where that is not made of the verb."""


def doers(metadata: Relations, named: Sequence[Phrase], tables: Collection[str]) -> list[Phrase]:
    """Phrases for the columns that tell who did something, where one alone may be meant."""
    alone = {phrase.stems[0] for phrase in named if len(phrase.stems) == 1}
    found: dict[str, set[str]] = defaultdict(set)
    for relation in tables:
        for member in metadata.relation(relation).members.values():
            told = member.kind == "dimension" and member.type == "string" and not member.masked
            if told and member.path in metadata.members:
                for noun in _nouns(metadata.parts(member.path)):
                    found[noun].add(member.path)
    return [
        Phrase(path.split(".", 1)[0], path, (stem(noun),), _WEIGHT, (noun,))
        for noun, paths in found.items()
        # A noun for two columns would be read as either; one that the model has itself is its own.
        if stem(noun) not in alone and len(paths) == 1
        for path in paths
    ]


def _nouns(parts: Sequence[str]) -> Iterator[str]:
    if len(parts) == 2 and parts[1] in _ENDS:
        verb = root(PAST.get(parts[0], parts[0]))
        yield from _NOUNS.get(verb, ())
        if parts[1] == "by":
            # Both endings are tried: which of them English takes (seller, inspector) is in no rule.
            yield from (f"{verb}er", f"{verb}or")
