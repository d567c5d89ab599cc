"""Who stands over whom, where rows refer to rows of their own table: *who reports to Bruno*, *the manager of Clara*."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..words.text import Token, singular

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["deed_to_own", "deeds_to_own", "superior_of", "under_or_over"]

_UNDER = frozenset({
    ("report", "to"), ("reports", "to"), ("reported", "to"), ("reporting", "to"), ("managed", "by"),
    ("supervised", "by"), ("works", "under"), ("work", "under"), ("working", "under"), ("belong", "to"),
    ("belongs", "to"), ("belonging", "to"), ("falls", "under"), ("fall", "under"),
})  # fmt: skip
_OVER = frozenset({"manager", "boss", "supervisor", "superior", "parent"})


def superior_of(metadata: Metadata, relation: str) -> str | None:
    """The relation in the role of those its rows stand under: ``manager_employees`` of ``employees``."""
    own = set(metadata.relation(relation).members)
    roles = [
        other
        for other in metadata.edges.get(relation, ())
        if other in metadata.relation(relation).joins
        # init calls such a role by what it is of and its table, in the plural or not.
        and singular(other).endswith(f"_{singular(relation)}")
        and set(metadata.relation(other).members) == own
    ]
    return roles[0] if len(roles) == 1 else None


def deed_to_own(metadata: Metadata, relation: str) -> str | None:
    """What rows of a table do to others of it: *trained* of ``trained_by``."""
    superior = superior_of(metadata, relation)
    keys = metadata.join_keys(relation, superior) if superior is not None else None
    parts = metadata.parts(keys[0]) if keys is not None else ()
    return parts[-2] if len(parts) > 1 and parts[-1] == "by" else None


def deeds_to_own(metadata: Metadata) -> set[str]:
    """What rows of any table do to others of it."""
    return {deed for name in metadata.edges if (deed := deed_to_own(metadata, name)) is not None}


def under_or_over(
    tokens: Sequence[Token], nouns: Collection[tuple[str, ...]] = (), deeds: Collection[str] = ()
) -> tuple[str, int, int] | None:
    """Whether those under somebody are asked for or the one over them, and the places of the words that say so.

    Parameters
    ----------
    nouns
        What rows that others refer to are called there: *line manager*.
    deeds
        What they do to the others: *trained*.
    """
    words = [token.lower for token in tokens]
    for place, (one, two) in enumerate(pairwise(words)):
        if (one, two) in _UNDER or one in deeds and two == "by":
            return "under", place, place + 2
        if one in deeds and words[0] == "who" and place == 1:
            return "over", place, place + 1
        said = next((noun for noun in nouns if (*noun, "of") == tuple(words[place : place + len(noun) + 1])), ())
        if said or one in _OVER and two == "of":
            return "over", place, place + max(len(said), 1) + 1
    return None
