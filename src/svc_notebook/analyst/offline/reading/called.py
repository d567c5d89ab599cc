"""Which tables a noun is for the rows of, also where their names are short for it: ``pup`` for *pupils*."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..words.shortened import is_short_for
from ..words.text import singular, stem

__all__ = ["tables_called"]


def tables_called(noun: str, metadata: Metadata) -> list[str]:
    """The cubes whose rows a noun is for; where none is called so, those whose name is short for it."""
    one = singular(noun.lower())
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    known = [name for name in metadata.kind_names.rows.get(stem(one), ()) if name in cubes]
    return known or [name for name in cubes if is_short_for((metadata.words_of(name) or ("",))[-1], one)]
