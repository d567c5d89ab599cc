"""Relations that a comma lists and no condition compares: a plain product, which is seldom meant and so is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlglot import exp

from .... import patterns as re
from ..plan.leaves import Filter
from .grouping import is_grouped
from .join_order import Joined
from .scope import Scope

__all__ = ["unjoined"]

_ALIAS = re.compile(r"\b[rt]\d+\b")


def unjoined(select: exp.Select, joined: Sequence[Joined], filters: Iterable[Filter], scope: Scope) -> str | None:
    """What to say of a FROM in which nothing joins some relations of many rows; None where all is joined, or CROSS."""
    joins = select.args.get("joins") or []
    where = select.args.get("where")
    if len(joined) < 2 or (where is not None and where.find(exp.Query)):
        return None  # a subquery may compare what is around it
    parts = _parts(joins, joined, [item.bound.sql for item in filters])
    nodes = [select.args["from_"].this, *(join.this for join in joins)]
    many = {item.alias: _shown(node) for item, node in zip(joined, nodes, strict=True) if _has_many(node, scope)}
    named = [next(many[alias] for alias in many if alias in part) for part in parts if part & set(many)]
    if len(named) < 2:
        return None
    return (
        f"nothing joins {named[0]} and {named[1]}: every row of one stands beside every row of the other. Compare "
        "their columns in WHERE, or write CROSS JOIN"
    )


def _parts(joins: Sequence[exp.Join], joined: Sequence[Joined], conditions: Sequence[str]) -> list[set[str]]:
    """The relations by what conditions join; what CROSS JOIN and LATERAL name is joined to all before it."""
    parts = [{item.alias} for item in joined]
    texts = [*conditions, *(item.on for item in joined)]
    linked = [set(_ALIAS.findall(text)) for text in texts]
    for place, join in enumerate(joins, 1):
        if str(join.args.get("kind") or "").upper() == "CROSS" or isinstance(join.this, exp.Lateral):
            linked.append({item.alias for item in joined[: place + 1]})
    for aliases in linked:
        first, *others = [part for part in parts if part & aliases] or [set()]
        first.update(*others)
        parts = [part for part in parts if part not in others]
    return parts


def _has_many(node: Any, scope: Scope) -> bool:
    """Whether an item of FROM may have more than one row of data."""
    if isinstance(node, exp.Table):
        if not isinstance(node.this, exp.Identifier):
            return False
        cte = scope.ctes.get(node.name) if not node.args.get("db") else None
        return cte is None or _many_rows(cte.query)
    return isinstance(node, exp.Subquery) and _many_rows(node.this)


def _many_rows(query: Any) -> bool:
    query = query.unnest() if isinstance(query, exp.Subquery) else query
    if not isinstance(query, exp.Select):
        return isinstance(query, exp.SetOperation)
    limit = query.args.get("limit")
    if query.args.get("from_") is None or (limit is not None and limit.find(exp.Literal) == exp.Literal.number(1)):
        return False
    return query.args.get("group") is not None or not is_grouped(query)


def _shown(node: Any) -> str:
    return f"'{node.alias_or_name}'" if node.alias_or_name else "a subquery"
