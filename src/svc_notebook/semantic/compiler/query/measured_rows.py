"""Which a subquery's measures are in a grouped query around it: taken together by themselves, or values of its rows.

``SELECT SUM(total) FROM (SELECT * FROM sales)`` asks for the measure, ``SUM(total + 1)`` for the sum of a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from ...model import Measure
from ..binding.aggregate_calls import is_aggregate, is_measure
from .columns import PassRelation
from .grouping import grouped_expressions
from .select_list import SelectList

__all__ = ["fits", "measures_are_values"]

_MATCHING = {
    "count": (exp.Count, exp.Sum), "sum": (exp.Sum,), "avg": (exp.Avg,), "min": (exp.Min,), "max": (exp.Max,),
    "count_distinct": (exp.Count,), "count_distinct_approx": (exp.Count, exp.ApproxDistinct),
    "time": (exp.Min, exp.Max), "string": (exp.GroupConcat,),
}  # fmt: skip


def fits(measure: Measure, aggregate: exp.Expr) -> bool:
    """Whether an aggregate over a measure is the measure itself, being of its kind."""
    kind = measure.type
    distinct = isinstance(aggregate.this, exp.Distinct)
    if kind not in ("number", "rank") and not isinstance(aggregate, _MATCHING.get(kind, ())):
        return False
    return distinct == (kind.startswith("count_distinct") and isinstance(aggregate, exp.Count))


def measures_are_values(shape: SelectList, relation: PassRelation) -> bool:
    """Whether a grouped query uses a measure of the one subquery it reads as a value of each row."""
    select = shape.select
    where = select.args.get("where")
    rows = [*([where] if where is not None else []), *grouped_expressions(shape)]
    over = [select.args.get(name) for name in ("having", "qualify", "order", "distinct")]
    groups = [*(item.node for item in shape.items), *filter(None, over), *(select.args.get("windows") or [])]
    return any(_of_row(relation, rows)) or any(
        _is_taken_of_rows(relation, aggregate) for node in groups for aggregate in _aggregates(node)
    )


def _aggregates(node: exp.Expr) -> Iterator[exp.Expr]:
    """The aggregates in it, each as a whole; a window runs over groups."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, exp.Query) or is_measure(at):
            continue
        if isinstance(at, exp.Window):
            inner = list(at.this.iter_expressions()) if isinstance(at.this, exp.Expr) else []
            stack += [*inner, *(each for each in at.iter_expressions() if each is not at.this)]
        elif is_aggregate(at) or isinstance(at, exp.Grouping):
            yield at
        else:
            stack += list(at.iter_expressions())


def _is_taken_of_rows(relation: PassRelation, aggregate: exp.Expr) -> bool:
    if isinstance(aggregate, exp.Filter):
        inner = aggregate.this
        tested = any(_of_row(relation, [aggregate.args["expression"]]))
        return tested or (not is_measure(inner) and _is_taken_of_rows(relation, inner))
    argument = aggregate.this
    if isinstance(argument, exp.Distinct):
        argument = argument.expressions[0] if len(argument.expressions) == 1 else None
    measure = _measure(relation, argument)
    return any(_of_row(relation, [aggregate])) if measure is None else not fits(measure, aggregate)


def _of_row(relation: PassRelation, nodes: Sequence[exp.Expr]) -> Iterator[bool]:
    for node in nodes:
        for column in node.find_all(exp.Column):
            # A name inside a query of its own is that query's, unless it says whose it is.
            own = column.table or column.find_ancestor(exp.Query) is node.find_ancestor(exp.Query)
            yield bool(own) and _measure(relation, column) is not None


def _measure(relation: PassRelation, node: object) -> Measure | None:
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return None
    if node.table and node.table.lower() != (relation.alias or "").lower():
        return None
    entry = relation.entry(node.name)
    return entry.member if entry is not None and isinstance(entry.member, Measure) else None
