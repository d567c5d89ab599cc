"""Members of a relation that hold the same values: home team and away team, sender and recipient."""

from __future__ import annotations

from collections.abc import Iterable

from .metadata import Metadata
from .text import stem

__all__ = ["twin_of"]

_ALIKE = 0.5  # of the values that either has
_WAYS = frozenset({"from", "to", "by", "between"})


def twin_of(metadata: Metadata, path: str, said: Iterable[str]) -> str | None:
    """The other member that a value may be of, where no word of ``said`` tells which of them is meant."""
    relation, known = path.split(".", 1)[0], metadata.values.members
    own, words = set(known.get(path, ())), {stem(word) for word in said}
    if len(own) < 2 or words & _WAYS:
        return None
    for member in metadata.relation(relation).members.values():
        other = set(known.get(member.path, ()))
        if member.path == path or len(own & other) < _ALIKE * len(own | other):
            continue
        apart = {stem(p) for p in metadata.parts(path)} ^ {stem(p) for p in metadata.parts(member.path)}
        return None if apart & words else member.path
    return None
