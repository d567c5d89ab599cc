"""What one asker may see of the model: the only view of the model that search, analyst and errors are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from ..records import dataclass
from .model import Granularity

__all__ = ["Catalog", "Member", "Relation"]


@dataclass(frozen=True, slots=True)
class Member:
    """A visible member. ``type`` is the dimension's type, or for a measure the type of its result.

    ``whole``: a measure is over all rows of its group, and not over those alone that a filter of its own, a window or
    another time leaves.
    """

    relation: str
    name: str
    kind: Literal["dimension", "measure", "segment"]
    type: str
    title: str
    description: str | None = None
    agg_type: str | None = None
    format: str | None = None
    currency: str | None = None
    primary_key: bool = False
    granularities: tuple[Granularity, ...] = ()
    synonyms: tuple[str, ...] = ()
    value_synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    masked: bool = False
    cube: str = ""  # the cube it comes from (same as relation for a cube); "" for a view-level measure
    cube_member: str = ""
    whole: bool = True
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{self.relation}.{self.name}"


@dataclass(frozen=True, slots=True)
class Relation:
    """A visible cube or view. ``joins`` names the cubes reachable in a query (cubes only)."""

    name: str
    kind: Literal["cube", "view"]
    title: str
    members: Mapping[str, Member]
    description: str | None = None
    synonyms: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Catalog:
    relations: Mapping[str, Relation]
    version: str = ""
