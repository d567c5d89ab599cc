"""Who stands over whom, where rows refer to rows of their own table: *who reports to Bruno*, *the manager of Clara*."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..words.text import Token, singular

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["superior_of", "under_or_over"]

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


def under_or_over(tokens: Sequence[Token], nouns: Collection[tuple[str, ...]] = ()) -> tuple[str, int, int] | None:
    """Whether those under somebody are asked for or the one over them, and the places of the words that say so.

    Parameters
    ----------
    nouns
        What rows that others refer to are called there: *line manager*.
    """
    words = [token.lower for token in tokens]
    for place, (one, two) in enumerate(pairwise(words)):
        if (one, two) in _UNDER:
            return "under", place, place + 2
        said = next((noun for noun in nouns if (*noun, "of") == tuple(words[place : place + len(noun) + 1])), ())
        if said or one in _OVER and two == "of":
            return "over", place, place + max(len(said), 1) + 1
    return None
