"""Subqueries that only choose, name and filter rows of a model: their columns, looked up through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from ...errors import InvalidQuery
from ..binding.aggregate_calls import is_aggregate, is_measure
from ..binding.binding import Binder
from ..join_tree.entries import Entry
from ..names import Names
from ..refusals import check_args, check_schema
from ..values import Bound
from .columns import Found, ModelRelation, PassRelation
from .naming import column_name
from .scope import Scope

__all__ = ["computes", "pass_columns", "renamed"]


def computes(query: exp.Select) -> bool:
    """Whether the SELECT list or ORDER BY holds aggregates, windows or nested queries, or `*` some computed column."""
    return any(
        is_aggregate(n)
        or is_measure(n)
        or isinstance(n, (exp.Window, exp.Query, exp.Exists))
        or (isinstance(n, exp.Star) and bool(n.args.get("replace")))
        for item in [
            *query.expressions,
            *([query.args["order"]] if query.args.get("order") else []),
            *([query.args["where"]] if query.args.get("where") else []),
        ]
        for n in item.walk()
    )


def pass_columns(
    query: exp.Select, below: Any, binder: Binder, inner: Scope, passed: PassRelation, names: list[str]
) -> None:
    listed: list[tuple[str, Callable[[], Any], Entry | None, bool]] = []
    for item in query.expressions:
        star = isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))
        if star:
            check_args(item, ("this", "table", "db"))
            if isinstance(item, exp.Column):
                check_args(item.this, ())
                check_schema(item)
                if inner.relation(item.table) is None:
                    raise InvalidQuery(f"There is no relation '{item.table}' in FROM.")
            every = set(below.star())
            listed += [(n, _finder(below, n), below.entry(n), n in every) for n in below.names()]
            continue
        node, name = (item.this, item.alias) if isinstance(item, exp.Alias) else (item, column_name(item))
        if isinstance(item, exp.Alias):
            check_args(item, ("this", "alias"))
        if isinstance(node, exp.Column):
            found = inner.lookup(node.table or None, node.name)
            if found is not None and not isinstance(found, Bound):
                entry = inner.entry(node.table or None, node.name)
                listed.append((name, _known(found), entry, True))
                continue
        inner.rows_of_measures = True
        bound = binder.bind(node)
        inner.rows_of_measures = False
        entry = inner.entry(node.table or None, node.name) if isinstance(node, exp.Column) else None
        listed.append((name, _known(bound), entry, True))
    if order := query.args.get("order"):
        for ordered in order.expressions:
            check_args(ordered, ("this", "desc", "nulls_first"))
    if len(names) > sum(1 for *_, shown in listed if shown):
        raise InvalidQuery(f"{len(names)} column names are given for fewer columns.")
    renames = iter(names)
    for name, find, entry, shown in listed:
        final = next(renames, name) if shown else name
        if shown:
            passed.shown.append(final)
        if final not in passed.columns.exact:
            passed.columns.add(final, (find, entry))


def _known(found: Found) -> Callable[[], Found]:
    return lambda: found


def _finder(below: Any, name: str) -> Callable[[], Any]:
    return lambda: below.find(name)


def renamed(relation: ModelRelation, names: list[str]) -> PassRelation:
    """A cube or view under an alias with column names."""
    shown = relation.star()
    if len(names) > len(shown):
        raise InvalidQuery(f"{len(names)} column names are given for {len(shown)} columns.")
    passed = PassRelation(relation.alias, relation.source, Names(), [])
    for i, name in enumerate(shown):
        final = names[i] if i < len(names) else name
        passed.shown.append(final)
        passed.columns.add(final, (_finder(relation, name), relation.entry(name)))
    return passed
