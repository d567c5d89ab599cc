"""Nouns for rows by what kind they are of: *surgeon* of a staff whose role that is."""

from __future__ import annotations

from collections.abc import Sequence

from ..words.text import Token
from .metadata import Metadata
from .values import ValueMatch

__all__ = ["kind_value"]

_KINDS = frozenset("role type kind category position job title function occupation profession species class".split())
_SURE = 0.9  # how well a noun fits the value that it is


def kind_value(metadata: Metadata, tokens: Sequence[Token], at: int) -> ValueMatch | None:
    """The value that words are, of a column that tells the kinds of rows which have names and are referred to."""
    token = tokens[at]
    if not token.lower.isalpha() or token.stem in metadata.vocabulary or metadata.kind_names.rows.get(token.stem):
        return None
    sure = [m for m in metadata.values.find(tokens, at) if m.quality >= _SURE and m.start == at]
    if len({m.member for m in sure}) != 1:
        return None
    match = max(sure, key=lambda m: m.end)
    told = bool(_KINDS & set(metadata.parts(match.member)[-1:]))
    return match if told and _are_named(metadata, match.member.split(".", 1)[0]) else None


def _are_named(metadata: Metadata, rows: str) -> bool:
    cubes = [name for name, relation in metadata.catalog.relations.items() if relation.kind == "cube"]
    label = metadata.label_of(rows)
    referred = any(metadata.joins.refers(name, rows) for name in cubes if name != rows)
    return rows in cubes and referred and label is not None and not metadata.is_key(label)
