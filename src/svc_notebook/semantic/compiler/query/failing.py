"""Which queries, as they are asked, hold an operation that may fail on some row: what they read ends in a barrier.

What is not known never to fail is taken to fail. Sums, differences and products are left out: whether they overflow
goes by the types of what they are made of, which a query does not say.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from ...dialects import duckdb as say
from ..binding.aggregate_calls import is_aggregate, is_measure
from .naming import column_name

__all__ = ["may_fail"]

# Known never to fail; a function that is on no list is a suspect, also what a new version of the parser has.
_NEVER = frozenset({
    *(kind for kind, function in say.FUNCTIONS.items() if not function.raises), *say.WINDOW_ONLY, *say.AGGREGATES,
    exp.GroupConcat, exp.ArrayAgg, exp.WithinGroup,
    exp.And, exp.Or, exp.Not, exp.Case, exp.If, exp.Cast, exp.TryCast, exp.Exists, exp.Coalesce, exp.Greatest,
    exp.Least, exp.Nullif, exp.Log, exp.Concat, exp.ConcatWs, exp.Replace, exp.Trim, exp.Pad, exp.Translate,
    exp.CurrentDate, exp.CurrentTimestamp, exp.Localtimestamp, exp.Pi, exp.Grouping, exp.ArraySize, exp.ArrayToString,
    exp.DecodeCase, exp.PercentileCont, exp.PercentileDisc, exp.Any, exp.All, exp.Array, exp.DateAdd, exp.DateSub,
    exp.ExplodingGenerateSeries, exp.GenerateSeries, exp.Explode, exp.Unnest, exp.Map, exp.Anonymous, exp.Extract,
})  # fmt: skip
_NAMED = frozenset({
    *(name for name, function in say.ANONYMOUS.items() if not function.raises), *say.ANONYMOUS_AGGREGATES, "measure",
    "cardinality", "statement_timestamp", "transaction_timestamp", "dateadd", "listagg", "any", "all",
})  # fmt: skip
_OPERATIONS = (
    exp.SimilarTo, exp.Escape, exp.AtTimeZone, exp.Bracket, exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract,
    exp.JSONBExtractScalar, exp.JSONBContainsTopKey, exp.Mod,
)  # fmt: skip

_READING = (
    exp.From,
    exp.Join,
    exp.CTE,
    exp.SetOperation,
    exp.Subquery,
    exp.In,
    exp.Exists,
    exp.Any,
    exp.All,
    exp.Lateral,
)

# Kept by kind: asked of every node of every query, and issubclass over such tuples is slow.
_SUSPECTS: dict[type[exp.Expr], bool] = {}  # of each kind of node that was met


def may_fail(nodes: Iterable[exp.Expr]) -> bool:
    """Whether an operation, over a column and not over what aggregates give, may fail on some value.

    Parameters
    ----------
    nodes
        All of a query, in any order.
    """
    return any(_is_suspect(type(node)) and _fails(node) for node in nodes)


def _is_suspect(kind: type[exp.Expr]) -> bool:
    known = _SUSPECTS.get(kind)
    if known is None:
        named = kind in (exp.Anonymous, exp.Extract, exp.Subquery) or issubclass(kind, _OPERATIONS)
        known = _SUSPECTS[kind] = named or (issubclass(kind, exp.Func) and kind not in _NEVER)
    return known


def _fails(node: exp.Expr) -> bool:
    if isinstance(node, exp.Subquery):  # of one value: two of them are an error
        return not isinstance(node.parent, _READING)
    if isinstance(node, exp.Anonymous) and node.name.lower() in _NAMED:
        return False
    if isinstance(node, exp.Extract) and node.this.name.lower() not in ("week", "isoyear"):
        return False
    if isinstance(node, exp.Round | exp.Trunc) and node.args.get("decimals") is None:
        return False
    return any(_reads(one) for operand in _operands(node) for one in _below(operand))


def _reads(node: exp.Expr) -> bool:
    """Whether this is a column, or in HAVING, QUALIFY or ORDER BY the name of an output that reads one."""
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return False
    clause = None if node.table else node.find_ancestor(exp.Having, exp.Qualify, exp.Order, exp.Query)
    select = clause.parent if isinstance(clause, exp.Having | exp.Qualify | exp.Order) else None
    for item in select.expressions if isinstance(select, exp.Select) else ():
        if (item.alias or column_name(item)).lower() == node.name.lower() and item.unalias() != node:
            return any(isinstance(one, exp.Column) for one in _below(item.unalias()))
    return True


def _operands(node: exp.Expr) -> Iterable[exp.Expr]:
    start = node.args.get("start")
    if not isinstance(node, exp.Substring) or (isinstance(start, exp.Literal) and start.is_string):
        return node.iter_expressions()
    return [place for name in ("start", "length") if (place := node.args.get(name)) is not None]


def _below(operand: exp.Expr) -> Iterable[exp.Expr]:
    """What an operand is made of, down to aggregates and nested queries."""
    return () if _ends(operand) else operand.walk(prune=_ends)


def _ends(node: exp.Expr) -> bool:
    return isinstance(node, exp.Query) or is_aggregate(node) or is_measure(node)
