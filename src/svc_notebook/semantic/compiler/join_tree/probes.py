"""The types behind a model's expressions, as the engine plans them: no row is read."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine import Engine
from ...model import DataModel, Dimension
from ..authored.index import ModelIndex
from .tree import Tree

__all__ = ["indexed"]


def indexed(model: DataModel, engine: Engine) -> ModelIndex:
    """A model as the compiler reads it, with the types that an engine finds behind it."""
    return ModelIndex(model, engine, _Planned())


class _Planned:
    """Each expression as a column of its cube's rows."""

    def of_expression(self, index: ModelIndex, cube: str, text: str) -> str:
        tree = Tree(index, cube)
        expr = tree.place((cube,), text, aggregates=True)
        return index.engine.column_types(f"SELECT {expr.sql} FROM {tree.joins(expr.paths)} LIMIT 0")[0]

    def of_dimensions(self, index: ModelIndex, cube: str, dimensions: Sequence[Dimension]) -> list[str]:
        tree = Tree(index, cube)
        exprs = [tree.dimension((cube,), dimension) for dimension in dimensions]
        paths = frozenset().union(*(e.paths for e in exprs)) | {(cube,)}
        columns = ", ".join(e.sql for e in exprs) or "1"
        return index.engine.column_types(f"SELECT {columns} FROM {tree.joins(paths)} LIMIT 0")
