"""Conditions of forms from the clauses that were found."""

from __future__ import annotations

from itertools import pairwise

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
    Member,
    Missing,
    Not,
    OneOf,
    Part,
    Range,
    Related,
    Role,
    Scalar,
    Value,
)
from ..forms.vocabulary import OPPOSITE
from ..metadata import Metadata
from .clauses import Tested, Timed

__all__ = ["condition_of", "related_condition", "time_condition"]

_PERIOD_PARTS = {
    "weekday": "isoweekday", "month_of_year": "month", "hour": "hour", "hour_of_day": "hour", "day_of_month": "day",
    "quarter_of_year": "quarter", "quarter": "quarter", "month": "month",
}  # fmt: skip


def condition_of(test: Tested, metadata: Metadata) -> Condition:
    """The condition on rows that a clause says."""
    assert test.path is not None
    of = Member(test.path)
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
    metadata: Metadata, scope: tuple[str, ...], relation: str, negated: bool, *conditions: Condition
) -> Condition | None:
    """Rows that have, or have not, a row of another relation, however many joins away."""
    ways = [way for known in scope if (way := metadata.joins.way(known, relation))]
    way = min(ways, key=len, default=())
    if len(way) < 2:
        return None
    (here, there), *more = metadata.joins.between(way[0], way[1])
    if more:
        return None
    joins = []
    for near, far in pairwise(way[1:]):
        pairs = tuple((Member(a), Member(b)) for a, b in metadata.joins.between(near, far))
        joins.append(Join(Role(far), pairs))
    where = (Missing(Member(there), negated=True), *conditions)
    inner = Form(
        Role(way[1]), joins=tuple(joins), columns=(Clause(Member(there)),), where=tuple(Filter(c) for c in where)
    )
    return Related(inner, (Member(here),), negated)
