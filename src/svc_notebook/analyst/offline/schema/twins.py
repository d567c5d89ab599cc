"""Members of a relation that hold the same values: home team and away team, sender and recipient."""

from __future__ import annotations

from collections.abc import Iterable

from ..words.text import stem
from .metadata import Metadata

__all__ = ["are_roles", "is_other", "twin_of"]

_ALIKE = 0.5  # of the values that either has
_WAYS = frozenset({"from", "to", "by", "between"})


def are_roles(metadata: Metadata, path: str, other: str) -> bool:
    """Whether two members are the same of two things: the city sent from and the city sent to."""
    relation, _, name = path.partition(".")
    elsewhere, _, known = other.partition(".")
    if relation == elsewhere:
        return path != other and _like(metadata, path) == other
    return name == known and set(metadata.relation(relation).members) == set(metadata.relation(elsewhere).members)


def twin_of(metadata: Metadata, path: str, said: Iterable[str]) -> str | None:
    """The other member that a value may be of, where no word of ``said`` tells which of them is meant."""
    words = {stem(word) for word in said}
    other = _like(metadata, path)
    if other is None or words & _WAYS:
        return None
    return None if words & (_parts(metadata, path) ^ _parts(metadata, other)) else other


def is_other(metadata: Metadata, path: str, said: Iterable[str]) -> bool:
    """Whether words speak of the other one alone: ``away goals of Harriers`` of an away team."""
    words, other = {stem(word) for word in said}, _like(metadata, path)
    if other is None or words & _WAYS:
        return False
    own, its = _parts(metadata, path), _parts(metadata, other)
    return bool(words & (its - own)) and not words & (own - its)


def _parts(metadata: Metadata, path: str) -> set[str]:
    return {stem(part) for part in metadata.parts(path)}


def _like(metadata: Metadata, path: str) -> str | None:
    """Another member of the relation with much the same values."""
    known = metadata.values.members
    own = set(known.get(path, ()))
    for member in metadata.relation(path.split(".", 1)[0]).members.values():
        other = set(known.get(member.path, ()))
        if len(own) > 1 and member.path != path and len(own & other) >= _ALIKE * len(own | other):
            return member.path
    return None
