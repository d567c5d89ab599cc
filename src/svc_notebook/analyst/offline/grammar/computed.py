"""What clauses compute: members, grains, aggregates, and conditions on groups."""

from __future__ import annotations

from ..forms import (
    ROWS,
    Aggregate,
    Bin,
    Case,
    Clause,
    Compare,
    Condition,
    Expression,
    Member,
    Part,
    Range,
    Ratio,
    Truncated,
    Value,
)
from ..forms.partings import PARTINGS
from ..schema.derivations import expression_of, is_since
from ..schema.member_kinds import labels_of
from ..walk.times import auto_grain
from .clauses import SOME_TIME, Grouped, Measured, Tested
from .conditions import condition_of
from .drafts import Draft
from .units import divisor

__all__ = ["aggregated", "grain_of", "groups_of", "having_of", "measure_of", "rows_of"]


_PARTS = {
    "weekday": "isoweekday", "hour_of_day": "hour", "month_of_year": "month", "day_of_month": "day",
    "quarter_of_year": "quarter",
}  # fmt: skip


_BAND = 10  # years of age that are told together


def grain_of(member: Member, grain: str) -> Expression:
    if not grain:
        return expression_of(member.path)
    if grain == "bands":
        return Bin(expression_of(member.path), _BAND)
    if grain in PARTINGS:
        return PARTINGS[grain].expression(member)
    if grain in _PARTS:
        return Part(member, _PARTS[grain])  # type: ignore[arg-type]  # parts by name
    if grain in ("hour", "day", "week", "month", "quarter", "year", "minute", "second"):
        return Truncated(member, grain)  # type: ignore[arg-type]  # grains by name
    return member


def measure_of(d: Draft, clause: Measured) -> Expression | None:
    if clause.function == "rows":
        return rows_of(d, clause.relation)
    path = d.time if clause.path == SOME_TIME else clause.path
    if path is None:
        return None
    if clause.function == "correlation":
        return _correlation(d)
    # It is an aggregate already, and no number of a row.
    if is_since(path):
        return expression_of(path)
    if d.partial.unit and clause.function in _SCALED:
        by = divisor(d.metadata, path, d.partial.unit)
        made = Aggregate(clause.function, expression_of(path))  # type: ignore[arg-type]  # one of the aggregates
        return made if by is None else Ratio(made, Value(by))
    return aggregated(clause.function, expression_of(path))


def aggregated(function: str, of: Expression) -> Aggregate:
    """An aggregate by what a lexicon calls it: ``quantile:0.9`` says which one."""
    if function.startswith("quantile:"):
        return Aggregate("quantile", of, at=float(function.split(":")[1]))
    return Aggregate(function, of)  # type: ignore[arg-type]  # one of the aggregates


_SCALED = frozenset({"sum", "avg", "min", "max", "median"})


def _correlation(d: Draft) -> Expression | None:
    """How two numbers go together; the clause of the second adds nothing."""
    pair = [m.path for m in d.measured if m.function == "correlation" and m.path]
    if len(pair) != 2:
        return None
    return Aggregate("correlation", expression_of(pair[0]), other=expression_of(pair[1]))


def rows_of(d: Draft, relation: str) -> Expression:
    """How many rows of a relation: all rows where it is the root, else its different keys."""
    if relation == d.scope[0] or relation not in d.scope:
        return ROWS
    # Other rows are multiplied by the join: each of them is counted once.
    key = d.metadata.key_of(relation)
    if key is None:
        # Without a key of their own, what they refer by tells them apart, where it is one column.
        pairs = next((p for other in d.scope if (p := d.metadata.joins.between(relation, other))), ())
        key = pairs[0][0] if len(pairs) == 1 else None
    return Aggregate("count_distinct", Member(key)) if key else ROWS


def having_of(d: Draft, test: Tested) -> Condition:
    number: Expression
    if test.function == "rows":
        number = rows_of(d, test.relation)
    elif test.path is not None and is_since(test.path):
        number = expression_of(test.path)
    elif test.path is not None:
        number = Aggregate(test.function, expression_of(test.path))  # type: ignore[arg-type]  # one of the aggregates
    else:
        number = ROWS
    if test.operator == "between":
        return Range(number, Value(test.values[0]), Value(test.values[1]), closed=True)
    return Compare(number, test.operator, Value(test.values[0]))  # type: ignore[arg-type]  # a comparison by name


def _parted(d: Draft, test: Tested) -> Expression:
    """What meets a condition, by its values, and the rest."""
    said = " or ".join(map(str, test.values)) if test.operator == "in" else "these"
    return Case(((condition_of(test), Value(said)),), Value("the rest"))


def groups_of(d: Draft, clause: Grouped) -> list[Clause]:
    if clause.relation:
        return [Clause(Member(path)) for path in labels_of(d.metadata, clause.relation)]
    path = d.time if clause.path == SOME_TIME else clause.path
    if path is None:
        return []
    if clause.test is not None:
        return [Clause(_parted(d, clause.test))]
    named = any(g.grain not in ("", "auto") for g in d.grouped)
    if clause.grain == "auto" and named:  # "the trend of sales by week"
        return []
    grain = auto_grain(d.metadata, path) if clause.grain == "auto" else clause.grain
    return [Clause(grain_of(Member(path), grain))]
