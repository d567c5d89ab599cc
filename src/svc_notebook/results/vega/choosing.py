"""Which alternatives of the grammar an object means, and places that several alternatives describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .grammar import Shape, shapes_of

__all__ = ["any_of", "fitting", "items_of"]


_TELLING = ("mark", "field", "datum", "value", "param", "test", "select")
"""Keys that say which alternative is meant, the first one first."""


def fitting(raw: Mapping[str, Any], shapes: Sequence[Shape]) -> list[Shape]:
    """The alternatives that an object's own constants and keys point at; all, where none does."""
    chosen = [
        shape
        for shape in shapes
        if all(
            any(_matches(raw[name], alternative) for alternative in shapes_of(node))
            for name, node in shape.keys.items()
            if name in raw and isinstance(raw[name], str) and name in {"type", "source", "input"}
        )
        and shape.required <= set(raw)
    ] or list(shapes)
    for telling in _TELLING:
        if telling in raw:
            chosen = [shape for shape in chosen if telling in shape.keys] or chosen
    most = max(len(shape.keys.keys() & raw.keys()) for shape in chosen)
    return [shape for shape in chosen if len(shape.keys.keys() & raw.keys()) == most] if most else chosen


def _matches(value: str, shape: Shape) -> bool:
    return value in shape.values if shape.kind == "values" else shape.kind in {"string", "any"}


def any_of(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """One node for several, the same one for the same several."""
    # By identity: nodes are parts of one grammar, and comparing them would walk through it each time.
    unique = list({id(node): node for node in nodes}.values())
    if len(unique) == 1:
        return unique[0]
    return _UNIONS.setdefault(tuple(map(id, unique)), {"anyOf": unique})


def items_of(shapes: Sequence[Shape], node: dict[str, Any]) -> dict[str, Any]:
    """The items' schema as a node that lives as long as the grammar does."""
    return _ITEMS.setdefault(tuple(id(shape.node) for shape in shapes), node)


_UNIONS: dict[tuple[int, ...], dict[str, Any]] = {}
_ITEMS: dict[tuple[int, ...], dict[str, Any]] = {}
