"""Nouns that name a role: ``policy holder``, ``agent``, where a table says who has which role in what."""

from __future__ import annotations

from .metadata import Metadata

__all__ = ["holder_of_role"]


def holder_of_role(metadata: Metadata, member: str, named: list[str]) -> str | None:
    """The member that says who has a role, when ``member`` names roles: the reference, beside the one to the role, in
    the relation that is nearest to those ``named``.
    """
    role = member.split(".", 1)[0]
    words = set(metadata.words_of(role))
    if "role" not in words or metadata.label_of(role) != member:
        return None
    ranked: list[tuple[int, int, str]] = []
    for place, (relation, others) in enumerate(metadata.edges.items()):
        if role not in others:
            continue
        ways = [way for other in named if other != role and (way := metadata.joins.way(relation, other))]
        for other in others:
            keys = metadata.join_keys(relation, other)
            if other != role and keys is not None and words & set(metadata.words_of(other)):
                ranked.append((min(map(len, ways), default=9), place, keys[0]))
    return min(ranked)[2] if ranked else None
