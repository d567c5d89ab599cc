"""Members of a relation that hold the same values: home team and away team, sender and recipient."""

from __future__ import annotations

from collections.abc import Iterable

from ..words.text import stem
from .metadata import Metadata

__all__ = ["are_roles", "is_other", "names_same", "twin_of"]

_FEWEST = 3  # different values
_ABOUT = 1.1  # times as many
_WAYS = frozenset({"from", "to", "by", "between"})


def are_roles(metadata: Metadata, path: str, other: str) -> bool:
    """Whether two members are the same of two things: the city sent from and the city sent to."""
    relation, _, name = path.partition(".")
    elsewhere, _, known = other.partition(".")
    if relation == elsewhere:
        return path != other and metadata.twins.get(path) == other
    return name == known and set(metadata.relation(relation).members) == set(metadata.relation(elsewhere).members)


def twin_of(metadata: Metadata, path: str, said: Iterable[str]) -> str | None:
    """The other member that a value may be of, where no word of ``said`` tells which of them is meant."""
    words = {stem(word) for word in said}
    other = metadata.twins.get(path)
    # A way has two ends, and its word says which.
    if other is None or words & _WAYS:
        return None
    return None if words & (_parts(metadata, path) ^ _parts(metadata, other)) else other


def is_other(metadata: Metadata, path: str, said: Iterable[str]) -> bool:
    """Whether words speak of the other one alone: ``away goals of Harriers`` of an away team."""
    words, other = {stem(word) for word in said}, metadata.twins.get(path)
    if other is None or words & _WAYS:
        return False
    own, its = _parts(metadata, path), _parts(metadata, other)
    return bool(words & (its - own)) and not words & (own - its)


def names_same(metadata: Metadata, path: str, other: str) -> bool:
    """Whether two texts of a relation call the same thing by its code and by its name: ``carrier`` and ``airline``.

    One is called by words of the other, and either has about as many different values.
    """
    known = [metadata.members.get(one) for one in (path, other)]
    if path == other or path.split(".", 1)[0] != other.split(".", 1)[0]:
        return False
    if any(member is None or member.kind != "dimension" or member.type != "string" for member in known):
        return False
    own, its = metadata.profile(path).distinct, metadata.profile(other).distinct
    # Codes and names are as many, but for a few that have no name or two.
    if min(own, its) < _FEWEST or max(own, its) > _ABOUT * min(own, its):
        return False
    return _says(metadata, path, other) or _says(metadata, other, path)


def _says(metadata: Metadata, path: str, other: str) -> bool:
    """Whether a synonym or the name of a member holds the whole name of another: *airline code*, *origin airport*."""
    whole = _parts(metadata, other)
    said = [_parts(metadata, path), *({stem(w) for w in name.split()} for name in metadata.members[path].synonyms)]
    return any(whole <= words for words in said)


def _parts(metadata: Metadata, path: str) -> set[str]:
    return {stem(part) for part in metadata.parts(path)}
