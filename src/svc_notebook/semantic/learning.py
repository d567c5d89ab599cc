"""Counting what a model's dimensions hold, for :mod:`.learnt` to be read from later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .context import SecurityContext
from .layer import SemanticLayer
from .learnt import Learnt, digest_of
from .surveys import Lie, lie_in, lie_of

if TYPE_CHECKING:
    from .catalog import Member

__all__ = ["learn"]

_OPERATOR = SecurityContext.operator()


def learn(layer: SemanticLayer, files: Mapping[str, Path], limit: int) -> Learnt:
    """Count what whoever sees every row can see of the values of a layer over these files."""
    relations = layer.catalog(_OPERATOR).relations.values()
    members = [m for relation in relations for m in relation.members.values() if m.kind == "dimension"]
    texts = [member.path for member in members if member.type == "string"]
    values = {path: layer.counted_values(_OPERATOR, path, limit=limit) for path in texts}
    whole = {path for path, counted in values.items() if counted.rows is not None}
    lies = {member.path: _lie(layer, member) for member in members if member.path not in whole}
    return Learnt(
        layer.model.version, digest_of(files), limit, values, {path: lie for path, lie in lies.items() if lie}
    )


def _lie(layer: SemanticLayer, member: Member) -> Lie | None:
    found = lie_in(layer.query(_OPERATOR, lie_of(member)).table)
    if found is None or member.type != "time" or found.low is None:
        return found
    return replace(found, low=found.low.isoformat(), high=found.high.isoformat())
