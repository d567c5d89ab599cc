"""Conditions of forms from the clauses that were found."""

from __future__ import annotations

from collections.abc import Sequence

from ..forms import (
    Aggregate,
    Clause,
    Compare,
    Condition,
    Expression,
    Filter,
    Form,
    Holds,
    Join,
    Like,
    Limit,
    Member,
    Missing,
    Not,
    OneOf,
    Or,
    Order,
    Part,
    Range,
    Related,
    Role,
    Scalar,
    Value,
)
from ..forms.vocabulary import OPPOSITE
from ..schema.derivations import expression_of
from ..schema.metadata import Metadata
from .clauses import SOME_TIME, Best, Tested, Timed

__all__ = ["condition_of", "inner_conditions", "joins_of", "picked_condition", "related_condition", "time_condition"]

_PERIOD_PARTS = {
    "weekday": "isoweekday", "month_of_year": "month", "hour": "hour", "hour_of_day": "hour", "day_of_month": "day",
    "quarter_of_year": "quarter", "quarter": "quarter", "month": "month",
}  # fmt: skip


def condition_of(test: Tested) -> Condition:
    """The condition on rows that a clause says."""
    assert test.path is not None
    of = expression_of(test.path)
    if test.average:
        relation = test.path.split(".", 1)[0]
        inner = Form(Role(relation), measures=(Clause(Aggregate(test.average, of)),))  # type: ignore[arg-type]  # an aggregate
        return Compare(of, test.operator, Scalar(inner))  # type: ignore[arg-type]  # a comparison by name
    if test.operator == "holds":
        return Holds(of) if test.values[0] else Not(Holds(of))
    if test.operator == "missing":
        return Missing(of, test.negated)
    if test.operator in ("contains", "starts", "ends"):
        return Like(of, test.operator, str(test.values[0]), test.negated)  # type: ignore[arg-type]  # a match by name
    if test.operator == "between":
        return Range(of, Value(test.values[0]), Value(test.values[1]), closed=True, negated=test.negated)
    if test.operator == "in":
        if len(test.values) > 1:
            return OneOf(of, tuple(Value(v) for v in test.values), test.negated)
        return Compare(of, "!=" if test.negated else "=", Value(test.values[0]))
    operator = OPPOSITE[test.operator] if test.negated else test.operator  # type: ignore[index]  # a comparison by name
    return Compare(of, operator, Value(test.values[0]))  # type: ignore[arg-type]  # a comparison by name


def time_condition(clause: Timed, path: str) -> list[Condition]:
    """The condition that a period says of a time."""
    period, of = clause.period, Member(path)
    if period.part is not None:
        part: Expression = Part(of, _PERIOD_PARTS.get(period.part, period.part))  # type: ignore[arg-type]  # a part by name
        values = tuple(Value(v) for v in period.values)
        if len(values) == 1:
            return [Compare(part, "!=" if clause.negated else "=", values[0])]
        return [OneOf(part, values, clause.negated)]
    if period.low is not None and period.high is not None:
        return [Range(of, Value(period.low), Value(period.high), negated=clause.negated)]
    if period.low is not None:
        return [Compare(of, "<" if clause.negated else ">=", Value(period.low))]
    if period.high is not None:
        return [Compare(of, ">=" if clause.negated else "<", Value(period.high))]
    return []


def related_condition(
    metadata: Metadata, scope: tuple[str, ...], relation: str, negated: bool, inner: Sequence[Tested | Timed] = ()
) -> Condition | None:
    """Rows that have, or have not, a row of another relation that meets ``inner``, however many joins away."""
    ways = [way for known in scope if (way := metadata.joins.way(known, relation))]
    way = min(ways, key=len, default=())
    if len(way) < 2:
        return None
    # A join of several columns cannot be compared as one.
    (here, there), *more = metadata.joins.between(way[0], way[1])
    if more:
        return None
    reached = list(way[1:])
    for name in (c.path.split(".", 1)[0] for c in inner if c.path and c.path != SOME_TIME):
        farther = [steps for known in reached if (steps := metadata.joins.way(known, name))]
        reached.extend(step for step in min(farther, key=len, default=()) if step not in reached)
    joins = joins_of(metadata, tuple(reached))
    conditions = [one for clause in inner for one in inner_conditions(clause, metadata, reached)]
    if joins is None or inner and not conditions:
        return None
    # NULL among the values of NOT IN would leave nothing.
    where = (Missing(Member(there), negated=True), *conditions)
    form = Form(Role(way[1]), joins=joins, columns=(Clause(Member(there)),), where=tuple(Filter(c) for c in where))
    related = Related(form, (Member(here),), negated)
    return Or((Missing(Member(here)), related)) if negated and metadata.may_be_missing(here) else related


def inner_conditions(clause: Tested | Timed, metadata: Metadata, reached: Sequence[str]) -> list[Condition]:
    """What a clause says of rows inside."""
    if isinstance(clause, Tested):
        return [condition_of(clause)]
    path = next(iter(metadata.times(reached)), None) if clause.path == SOME_TIME else clause.path
    return time_condition(clause, path) if path is not None else []


def picked_condition(metadata: Metadata, scope: tuple[str, ...], best: Best) -> Condition | None:
    """Rows that refer to the first of another relation: ``cities in the county with the most officers``."""
    assert best.path is not None
    parent = best.path.split(".", 1)[0]
    near = next((name for name in scope if metadata.joins.refers(name, parent) and name != parent), None)
    pairs = metadata.joins.between(near, parent) if near is not None else ()
    if len(pairs) != 1:
        return None
    [(here, there)] = pairs
    order = (Order(expression_of(best.path), best.descending),)
    form = Form(Role(parent), columns=(Clause(Member(there)),), order=order, limit=Limit(best.limit or 1))
    return Related(form, (Member(here),))


def joins_of(metadata: Metadata, scope: tuple[str, ...]) -> tuple[Join, ...] | None:
    """The joins of relations, each to one before it."""
    joins, known = [], [scope[0]]
    for relation in scope[1:]:
        near = next((k for k in known if metadata.joins.between(k, relation)), None)
        if near is None:
            return None
        pairs = tuple((Member(a), Member(b)) for a, b in metadata.joins.between(near, relation))
        joins.append(Join(Role(relation), pairs))
        known.append(relation)
    return tuple(joins)
