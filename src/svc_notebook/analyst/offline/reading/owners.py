"""What a column is of, said right before it: by *plane manufacturer* is by manufacturer, and not by plane as well."""

from __future__ import annotations

from itertools import pairwise

from ..schema.metadata import Metadata
from ..words.text import Token, singular, tokenize

__all__ = ["without_owners"]


def without_owners(question: str, metadata: Metadata) -> str:
    """A question without the nouns for rows that only say whose a column is, where a column is called so as well."""
    for owner, column in reversed(list(pairwise(tokenize(question)))):
        if _only_owns(owner, column, metadata):
            question = question[: owner.start] + question[column.start :]
    return question


def _only_owns(owner: Token, column: Token, metadata: Metadata) -> bool:
    called = metadata.kind_names.called
    kinds = called.get((owner.stem,), ())
    if (
        singular(owner.lower) != owner.lower
        or (owner.stem, column.stem) in called
        or all(kind.path is None for kind in kinds)
    ):
        return False
    rows = {kind.relation for kind in kinds if kind.path is None}
    named = [kind for kind in called.get((column.stem,), ()) if kind.path is not None]
    return any(kind.relation in rows for kind in named)
