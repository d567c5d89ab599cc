"""Which end of a way a member speaks of: ``from`` an origin, ``to`` a destination."""

from __future__ import annotations

from .metadata import Metadata

__all__ = ["ends_of", "fit_of"]

_ENDS = {
    "from": frozenset({"origin", "source", "from", "departure", "start", "sender", "pickup", "depart"}),
    "to": frozenset({"destination", "target", "to", "arrival", "end", "receiver", "dropoff", "arrive"}),
}


def fit_of(metadata: Metadata, path: str, preposition: str) -> int:
    """1 where a value of a member fits the preposition before it, -1 where it is of the other end, else 0."""
    if preposition not in _ENDS:
        return 0
    relation = path.split(".", 1)[0]
    words = set(metadata.parts(path)) | set(metadata.words_of(relation))
    # A table of airports is called neither; the key that points at it is (origin_airport_id).
    for other, near in metadata.joins.links.get(relation, {}).items():
        if metadata.joins.refers(other, relation):
            words |= {part for _, there in near for part in metadata.parts(there)}
    return bool(words & _ENDS[preposition]) - bool(words & _ENDS["to" if preposition == "from" else "from"])


def ends_of(metadata: Metadata, path: str) -> str | None:
    """``from`` for a member that is called by where a way begins, ``to`` for where it ends."""
    words = set(metadata.parts(path))
    found = [end for end, called in _ENDS.items() if words & called]
    return found[0] if len(found) == 1 else None
