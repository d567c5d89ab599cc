"""Counting what a model's text dimensions hold, for :mod:`.learnt` to be read from later."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .context import SecurityContext
from .layer import SemanticLayer
from .learnt import Learnt, digest_of

__all__ = ["learn"]


def learn(layer: SemanticLayer, files: Mapping[str, Path], limit: int) -> Learnt:
    """Count what whoever sees every row can see of the values of a layer over these files."""
    operator = SecurityContext.operator()
    members = [
        f"{name}.{member.name}"
        for name, relation in layer.catalog(operator).relations.items()
        for member in relation.members.values()
        if member.kind == "dimension" and member.type == "string"
    ]
    values = {member: layer.counted_values(operator, member, limit=limit) for member in members}
    return Learnt(layer.model.version, digest_of(files), limit, values)
