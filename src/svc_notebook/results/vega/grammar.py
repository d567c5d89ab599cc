"""What may stand where in a chart: Vega-Lite's JSON schema less what is excluded, as alternatives to choose from.

``grammar.json.gz`` is made by ``scripts/build_vega_grammar.py``. A place in a specification is described by its
*shapes*: the alternatives that the schema gives, each with the definition it came from, references and ``anyOf``
resolved.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

__all__ = ["ANY", "ROOT", "Shape", "shapes_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One alternative of a place.

    Attributes
    ----------
    name : str
        The definition it stands in (``Axis``, ``FieldName``; empty for the anonymous).
    kind : str
        ``object``, ``array``, ``string``, ``number``, ``boolean``, ``null``, ``values`` (an enumeration) or ``any``.
    node : dict
        The schema of it.
    """

    name: str
    kind: str
    node: dict[str, Any]

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of an object with their schemas."""
        keys: dict[str, Any] = self.node.get("properties", {})
        return keys

    @property
    def required(self) -> frozenset[str]:
        """The keys that an object cannot be without (the data is the result's)."""
        return frozenset(self.node.get("required", ())) - {"data"}

    @property
    def values(self) -> tuple[Any, ...]:
        """The members of an enumeration."""
        return tuple(self.node["enum"]) if "enum" in self.node else (self.node["const"],)


@lru_cache(maxsize=1)
def _definitions() -> dict[str, Any]:
    packed = files("svc_notebook.results.vega").joinpath("grammar.json.gz").read_bytes()
    definitions: dict[str, Any] = json.loads(gzip.decompress(packed))
    return definitions


ROOT: dict[str, Any] = {"$ref": "#/definitions/TopLevelSpec"}
ANY: dict[str, Any] = {}
"""The schema of a place where anything may stand."""

_known: dict[int, tuple[Shape, ...]] = {}


def shapes_of(node: dict[str, Any]) -> tuple[Shape, ...]:
    """The alternatives of a place; the same tuple for the same node."""
    if id(node) not in _known:  # every node belongs to the grammar and stays as long as it: so does its id
        _known[id(node)] = tuple(_expanded(node, "", ()))
    return _known[id(node)]


def _expanded(node: dict[str, Any], name: str, above: tuple[str, ...]) -> list[Shape]:
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/definitions/")
        return [] if name in above else _expanded(_definitions()[name], name, (*above, name))
    if "anyOf" in node:
        return [shape for part in node["anyOf"] for shape in _expanded(part, name, above)]
    if "enum" in node or "const" in node:
        return [Shape(name, "values", node)]
    kinds = node.get("type", "any")
    return [
        Shape(name, "number" if kind == "integer" else kind, node)
        for kind in (kinds if isinstance(kinds, list) else [kinds])
    ]
