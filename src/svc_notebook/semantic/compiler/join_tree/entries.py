"""Members as a query names them: where each lies in the join tree, and what policies know it by."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ...model import Dimension, Measure, Segment
from .steps import Path

__all__ = ["Entry", "Once", "Use"]

Use: TypeAlias = tuple[str, str]  # a column of a source: the source's alias, the column's key


class Entry(Struct, frozen=True):
    """A visible member. ``relation`` is where policies look it up, ``path`` the node its cube has in the tree."""

    key: str
    name: str
    relation: str
    path: Path
    member: Dimension | Measure | Segment
    title: str | None = None
    format: str | None = None
    currency: str | None = None

    @property
    def label(self) -> str:
        return f"{self.relation}.{self.name}"


class Once(Struct, frozen=True):
    """Rows of the cube at ``home`` are wanted once each; ``missing``: with a row of NULLs where it was not found.

    ``ignored``: nothing goes by how many rows of NULLs there are.
    """

    home: Path
    missing: bool
    ignored: bool = False
