"""Rows that belong to two of a kind, home and away, where one of them was looked at and nobody said which."""

from __future__ import annotations

from collections.abc import Sequence

from .schema.metadata import Metadata
from .words.text import singular, tokenize

__all__ = ["one_role"]


def one_role(scope: Sequence[str], question: str, metadata: Metadata) -> list[str]:
    """What is told where rows were joined by one of two ways and the question names neither."""
    said = {token.lower for token in tokenize(question)}
    for relation in scope[1:]:
        keys = metadata.join_keys(scope[0], relation) if relation in metadata.edges.get(scope[0], ()) else None
        own = [singular(word) for word in metadata.words_of(relation)]
        other = next((name for name in metadata.edges.get(scope[0], ()) if _is_other(name, relation, metadata)), None)
        way = metadata.parts(keys[0])[:-1] if keys is not None and keys[0] in metadata.members else ()
        if other is None or other in scope or tuple(way[-len(own) :]) != tuple(own) or len(way) == len(own):
            continue
        told = [singular(word) for word in metadata.words_of(other)]
        if said.isdisjoint((*way[: -len(own)], *told[: -len(own)])):
            return [f"Only the {' '.join(way)} is looked at; say “{' '.join(told)}” for the other one."]
    return []


def _is_other(name: str, relation: str, metadata: Metadata) -> bool:
    """Whether a relation is another in a role of its own: the *away teams* of teams."""
    words, own = metadata.words_of(name), metadata.words_of(relation)
    return len(words) > len(own) and [*map(singular, words[-len(own) :])] == [*map(singular, own)]
