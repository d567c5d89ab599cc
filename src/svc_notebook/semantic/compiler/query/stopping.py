"""Which queries may be settled before all rows below them have been read; :mod:`.barrier` says why that counts."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from .grouping import is_grouped

__all__ = ["stops_early"]

_STOPPING = (exp.Join, exp.Lateral, exp.Intersect, exp.Except)
_INSIDE = (exp.Subquery, exp.SetOperation)
_READ_FROM = (exp.From, exp.CTE)


def stops_early(nodes: Iterable[exp.Expr]) -> bool:
    """Whether anything in a query, whose nodes these are, may be settled before all rows below have been read."""
    return any(_stops(node) for node in nodes)


def _stops(node: exp.Expr) -> bool:
    if not isinstance(node, exp.Query):
        return isinstance(node, _STOPPING)
    if isinstance(node, _STOPPING):
        return True
    if node.args.get("limit") or node.args.get("offset"):
        # To sort, all rows are read; only then does a limit cut.
        sorted_first = node.args.get("order") is not None
        return not sorted_first and not (isinstance(node, exp.Select) and is_grouped(node))
    return isinstance(node, exp.Select) and not _is_read_from(node)


def _is_read_from(query: exp.Expr) -> bool:
    """Whether a query is the whole, or stands in FROM, WITH or UNION, and not in an expression."""
    around = query.parent
    while isinstance(around, _INSIDE):
        around = around.parent
    return around is None or isinstance(around, _READ_FROM)
