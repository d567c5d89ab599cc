"""``sub_query`` dimensions: a measure of another cube, one value per row of the dimension's own cube."""

from __future__ import annotations

from ..errors import InvalidQuery
from ..model import Dimension, Measure
from .context import Compilation
from .names import Names
from .row_policy import RowPolicy
from .source import ModelSource
from .tree import Derived, Path, Tree

__all__ = ["derived"]


def derived(compilation: Compilation, tree: Tree, path: Path, dimension: Dimension) -> Derived:
    """The subquery that gives the primary key of the cube at ``path`` and the dimension's value ``v``.

    The row filters of the cubes it reads apply in it as in a query of its own.
    """
    from .parts import Grouping
    from .plan import MeasurePlan

    keys = tree.key(path)
    if not keys:
        raise InvalidQuery(f"'{dimension.name}' needs a primary key in its cube.")
    inner = Tree(compilation.index, path[-1])
    source = ModelSource(compilation, inner, Names(), RowPolicy(compilation, inner))
    compilation.fresh("s")
    bound = [source.expression(f"key{i}", expr) for i, expr in enumerate(inner.key(inner.root))]
    plan = MeasurePlan(source, Grouping(bound), [])
    value = plan.value(inner.root, Measure(dimension.name, "number", sql=dimension.sql))
    shown = [f"{plan.alias}.k{i} AS k{i}" for i in range(len(bound))]

    def sql() -> str:
        compilation.tables |= inner.tables
        return f"SELECT {', '.join([*shown, f'{value.sql} AS v'])} FROM {plan.sql()}"

    return Derived(sql, tuple(keys))
