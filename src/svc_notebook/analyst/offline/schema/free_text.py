"""Columns of what people wrote, in which words are looked for: *complaints that mention rain* of a ``description``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..words.text import stem

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["free_texts", "is_written_in"]

_WRITTEN = frozenset(
    map(stem, "description desc note notes remark remarks comment comments feedback message body text review "
        "instructions instruction details detail summary observation observations narrative transcript memo content "
        "subject explanation testimonial complaint".split())
)  # fmt: skip
_KINDS = frozenset(map(stem, "type kind category code status date language size name title".split()))
_FEWEST = 8  # different texts there are
# Measured in words of the values: a kind has one or two, a sentence more than four.
_SOME, _MANY = 2.5, 4.5  # words that they have: of columns that are called so, and whatever they are called


def free_texts(metadata: Metadata) -> Mapping[str, tuple[str, ...]]:
    """The columns of each cube that people write in: long, and mostly different."""
    found: dict[str, list[str]] = {}
    for path, member in metadata.members.items():
        told = member.kind == "dimension" and member.type == "string" and not member.masked
        if told and metadata.relation(member.relation).kind == "cube" and _is_free(metadata, path):
            found.setdefault(member.relation, []).append(path)
    return {relation: tuple(paths) for relation, paths in found.items()}


def _is_free(metadata: Metadata, path: str) -> bool:
    parts = [stem(part) for part in metadata.parts(path)]
    if metadata.is_key(path) or _KINDS & set(parts[-1:]):
        return False
    called = bool(_WRITTEN & set(parts))
    # The index holds at most so many values a column; beyond them only its name tells.
    values = metadata.values.members.get(path, ())
    if not values:
        return called  # too many to be held
    return len(values) >= _FEWEST and _length(values) >= (_SOME if called else _MANY)


def _length(values: Sequence[Any]) -> float:
    return sum(len(str(value).split()) for value in values) / len(values)


def is_written_in(metadata: Metadata, paths: Sequence[str], text: str) -> bool:
    """Whether any text of some columns holds a word; yes where not all of them are known."""
    known = all(path in metadata.values.complete for path in paths)
    return not known or any(
        text.lower() in str(value).lower() for path in paths for value in metadata.values.members[path]
    )
