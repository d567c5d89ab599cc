"""What rows that others refer to are called there: *form tutor* of ``form_tutor_id``, *line manager*, *parent*."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..words.text import singular
from .superiors import deed_to_own, superior_of

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["referred"]

_KEYS = frozenset({"id", "no", "nr", "number", "key", "code", "name"})
_MADE = frozenset({"by", "to", "of"})


def referred(metadata: Metadata) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """By the nouns of references, the columns that name what is referred to; what its own table is called is none."""
    found: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    for name, relation in metadata.catalog.relations.items():
        for other in metadata.edges.get(name, ()) if relation.kind == "cube" else ():
            keys = metadata.join_keys(name, other)
            label = metadata.label_of(other) if keys is not None and metadata.joins.refers(name, other) else None
            # A label that is the key itself says nothing that the reference does not.
            if keys is None or label is None or label == keys[1]:
                continue
            noun, own = _noun(metadata.parts(keys[0])), {singular(word) for word in metadata.words_of(other)}
            same = superior_of(metadata, name) == other
            noun = noun or (metadata.words_of(other)[0],) if same and deed_to_own(metadata, name) else noun  # trainer
            # What the table is called already finds its rows; only of those who refer to their own is it another
            # role.
            if noun and noun[-1] not in _MADE and (same or singular(noun[-1]) not in own):
                found[noun][label] = None
    return {noun: tuple(labels) for noun, labels in found.items()}


def _noun(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[:-1] if len(parts) > 1 and parts[-1] in _KEYS else ()
