"""``sub_query`` dimensions: a measure of another cube, one value per row of the dimension's own cube."""

from __future__ import annotations

from ...dialects.nodes import exchanged, from_, rows, select, word
from ...dialects.nodes import sql as piece
from ...errors import InvalidQuery
from ...model import Dimension, Measure, Segment
from ..join_tree.asked import Asked
from ..join_tree.context import Compilation
from ..join_tree.entries import Entry
from ..join_tree.steps import Derived, Path
from ..join_tree.tree import Tree
from ..names import Names
from ..policy.row_policy import RowPolicy
from ..values import Bound, quote
from .leaves import Filter, Grouping
from .plan import MeasurePlan
from .source import ModelSource
from .staged import StagedDimensions

__all__ = ["opened"]


def opened(
    compilation: Compilation,
    tree: Tree,
    entries: Names[Entry],
    policy: RowPolicy,
    joined: frozenset[Path] = frozenset(),
) -> ModelSource:
    """A model source whose dimensions may be computed over measures, of its own groups or of another cube."""
    source = ModelSource(compilation, tree, entries, policy, joined)
    source.staged = StagedDimensions(source)
    tree.derive = lambda path, dimension: derived(compilation, tree, path, dimension)
    return source


def derived(compilation: Compilation, tree: Tree, path: Path, dimension: Dimension) -> Derived:
    """The subquery that gives the primary key of the cube at ``path`` and the dimension's value ``v``.

    The row filters of the cubes it reads apply in it as in a query of its own.
    """
    keys = tree.key(path)
    if not keys:
        raise InvalidQuery(f"'{dimension.name}' needs a primary key in its cube.")
    inner = Tree(compilation.index, path[-1])
    source = opened(compilation, inner, Names(), RowPolicy(compilation, Asked(inner)))
    compilation.fresh("s")
    bound = [source.expression(f"key{i}", expr) for i, expr in enumerate(inner.key(inner.root))]
    plan = MeasurePlan(source, Grouping(bound), [])
    value = plan.value(inner.root, Measure(dimension.name, "number", sql=dimension.sql))
    shown = [word(f"{plan.alias}.k{i} AS k{i}") for i in range(len(bound))]

    def sql() -> str:
        if dimension.propagate_filters_to_sub_query:
            plan.filters = propagated(tree, path, source)
        compilation.tables |= inner.tables
        return select([*shown, piece("{} AS v", value.sql)], from_(rows("{}", plan.sql())))

    return Derived(sql, tuple(keys))


def propagated(tree: Tree, path: Path, inner: ModelSource) -> list[Filter]:
    """The query's filters that the subquery leads to, over its own rows.

    Those on masked members are left out: the subquery would compare what the asker is not shown.
    """
    if tree.asked is None:
        return []
    outer, filters = tree.asked
    found: list[Filter] = []
    for item in filters:
        columns: dict[str, Bound] = {}
        for alias, key in item.bound.uses:
            entry = outer.entry_of(key) if alias == outer.alias else None
            column = None if entry is None or outer.policy.masks(entry) else _inside(tree, path, inner, entry)
            if column is not None:
                columns[f"{alias}.{quote(key)}"] = column
        if columns and len(columns) == len(item.bound.uses):
            test = exchanged(item.bound.sql, {name: column.sql for name, column in columns.items()})
            uses = frozenset().union(*(column.uses for column in columns.values()))
            found.append(Filter(Bound(test, "boolean", uses, True)))
    return found


def _inside(tree: Tree, path: Path, inner: ModelSource, entry: Entry) -> Bound | None:
    """A member of the query as a column of the subquery; None if it leads there by no join."""
    node = entry.path[len(path) - 1 :] if entry.path[: len(path)] == path else None
    if node is None:
        steps = tree.index.path(path[-1], entry.path[-1])
        if steps is None:
            return None
        node = inner.tree.walk(inner.tree.root, steps)
    key, member = f"{'.'.join(node)}.{entry.member.name}#propagated", entry.member
    if isinstance(member, Segment):
        return inner.expression(key, inner.tree.segment(node, member), "boolean")
    if not isinstance(member, Dimension) or member.sub_query or member.multi_stage or member.values:
        return None
    return inner.hidden_column(key, node, member)
