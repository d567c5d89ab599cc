"""Names of result columns that were given none."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ..binding.aggregate_calls import is_aggregate, is_measure, measure_argument
from .text import WRITTEN

__all__ = ["column_name", "unique"]

_FIELDS = (
    exp.JSONExtract, exp.JSONBExtract, exp.JSONExtractScalar, exp.JSONBExtractScalar, exp.JSONBContainsTopKey,
)  # fmt: skip


def column_name(node: exp.Expr) -> str:
    """``status``; ``MEASURE(x)`` is ``x``; ``SUM(x)`` is ``sum_x``; ``date_trunc('month', t)`` is ``t_month``.

    Other functions are called as they were written, and a field of JSON (``info->>'city'``) by its key.
    """
    if isinstance(node, exp.Paren):
        return column_name(node.this)
    if isinstance(node, exp.Column):
        return node.name
    if is_measure(node) and (inside := measure_argument(node)) is not None:
        return column_name(inside)
    if isinstance(node, (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)):
        return column_name(node.this)
    if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)):
        return f"{column_name(node.this)}_{node.args['unit'].name.lower()}" if node.args.get("unit") else "date_trunc"
    if isinstance(node, (exp.Cast, exp.TryCast)):
        return column_name(node.this)
    if isinstance(node, exp.Window):
        return column_name(node.this)
    if isinstance(node, exp.Extract):
        return str(node.this.name).lower()
    if isinstance(node, _FIELDS):
        return _key(node)
    if isinstance(node, exp.Func) and not isinstance(node, (exp.And, exp.Or, exp.Case)):
        name = (node.name if isinstance(node, exp.Anonymous) else node.meta.get(WRITTEN) or node.sql_name()).lower()
        name = "string_agg" if isinstance(node, exp.GroupConcat) else name
        inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) and node.this.expressions else node.this
        if is_aggregate(node) and isinstance(inner, exp.Column) and not isinstance(inner.this, exp.Star):
            return f"{name}_{inner.name}"
        return name
    return "case" if isinstance(node, exp.Case) else "column"


def _key(node: exp.Expr) -> str:
    """The last word of the path, or what holds it where that has none (``info->0``)."""
    path = node.args["expression"]
    steps = [step.this for step in path.expressions[1:]] if isinstance(path, exp.JSONPath) else [path.this]
    written = str(steps[-1]) if steps else ""
    words = written[1:-1].split(",") if written[:1] == "{" else [written]
    word = next((w.strip(' "') for w in reversed(words) if w and not w.strip().lstrip("-").isdecimal()), "")
    return word or column_name(node.this)


def unique(names: Sequence[str]) -> list[str]:
    """The same names, later duplicates numbered: a data frame's columns must differ."""
    taken: set[str] = set()
    out: list[str] = []
    for name in names:
        candidate, number = name, 1
        while candidate in taken:
            number += 1
            candidate = f"{name}_{number}"
        taken.add(candidate)
        out.append(candidate)
    return out
