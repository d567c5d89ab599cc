"""Columns whose name begins with the initial of their rows: the class of passengers in ``Pclass``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..words.text import stem
from .sayable import Phrase

if TYPE_CHECKING:
    from .relations import Relations

__all__ = ["without_initials"]

_WEIGHT = 0.86
_COLUMNS = frozenset(
    "address age amount area brand category city class code colour color country county cost date day department "
    "description district email group height income kind level location month name number phone price priority "
    "quantity rank rate rating region salary score sex size state status street time title total town type value "
    "weight year".split()
)
"""What columns are called in any trade, so that nothing but a letter stands before it."""


def without_initials(metadata: Relations, named: Sequence[Phrase], tables: Collection[str]) -> list[Phrase]:
    """Phrases for such columns, each where one alone may be meant and nothing else is called so."""
    taken = {phrase.stems[0] for phrase in named if len(phrase.stems) == 1}
    found: dict[str, set[str]] = defaultdict(set)
    for relation in tables:
        initials = {word[0] for word in metadata.words_of(relation)}
        for member in metadata.relation(relation).members.values():
            parts = (
                metadata.parts(member.path) if member.path in metadata.members and member.kind == "dimension" else ()
            )
            rest = parts[0][1:] if len(parts) == 1 and parts[0][0] in initials else ""
            if rest in _COLUMNS and stem(rest) not in taken:
                found[rest].add(member.path)
    alone = [(rest, next(iter(paths))) for rest, paths in found.items() if len(paths) == 1]
    return [Phrase(path.split(".", 1)[0], path, (stem(rest),), _WEIGHT, (rest,)) for rest, path in alone]
