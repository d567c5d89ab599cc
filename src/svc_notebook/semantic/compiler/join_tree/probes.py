"""The types behind a model's expressions, as the engine plans them: no row is read."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.nodes import clause, from_, run, select, word
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
        return _types(index, [expr.sql], tree.joins(expr.paths))[0]

    def of_dimensions(self, index: ModelIndex, cube: str, dimensions: Sequence[Dimension]) -> list[str]:
        tree = Tree(index, cube)
        exprs = [tree.dimension((cube,), dimension) for dimension in dimensions]
        paths = frozenset().union(*(e.paths for e in exprs)) | {(cube,)}
        return _types(index, [e.sql for e in exprs] or [word("1")], tree.joins(paths))


def _types(index: ModelIndex, columns: Sequence[str], found: str) -> list[str]:
    # LIMIT 0: it is planned, and reads nothing.
    return index.engine.column_types(select(columns, run(from_(found), clause(" LIMIT 0"))))
