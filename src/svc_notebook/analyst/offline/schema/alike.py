"""Which members of a relation hold much the same values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ....semantic.catalog import Relation

__all__ = ["twins"]

_ALIKE = 0.5  # of the values that either has


def twins(relations: Iterable[Relation], values: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """For each member, by path, the first other one of its relation that has much the same values."""
    found: dict[str, str] = {}
    for relation in relations:
        paths = [member.path for member in relation.members.values()]
        held = {path: own for path in paths if len(own := frozenset(values.get(path, ()))) > 0}
        for path, own in held.items():
            alike = (other for other, its in held.items() if other != path and _much_the_same(own, its))
            if len(own) > 1 and (other := next(alike, None)) is not None:
                found[path] = other
    return found


def _much_the_same(own: frozenset[Any], other: frozenset[Any]) -> bool:
    if min(len(own), len(other)) < _ALIKE * max(len(own), len(other)):
        return False  # as most pairs are: their values need not be compared
    return len(own & other) >= _ALIKE * len(own | other)
