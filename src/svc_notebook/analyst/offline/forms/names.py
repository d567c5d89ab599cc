"""Names for the columns a form shows, and aliases for the relations it reads."""

from __future__ import annotations

from collections.abc import Sequence

from .expressions import (
    Aggregate,
    Arithmetic,
    Bin,
    Call,
    Case,
    Cast,
    Difference,
    Expression,
    Member,
    Moved,
    Output,
    Over,
    Part,
    Ratio,
    Truncated,
    Value,
)  # fmt: skip
from .form import Clause, Role
from .sides import sides_of

__all__ = ["alias_of", "column_names", "name_of"]


def alias_of(role: Role) -> str:
    """What a relation is called in SQL: by its own name, the second of a relation with its role."""
    return f"{role.relation}_{role.name}" if role.name else role.relation


def column_names(clauses: Sequence[Clause]) -> list[str]:
    """A name for each column, no two alike."""
    taken: set[str] = set()
    names = []
    for clause in clauses:
        base = name = clause.name or name_of(clause.expression)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.lower())
        names.append(name)
    return names


def name_of(expression: Expression) -> str:
    """A short name for what an expression computes, such as ``avg_delay`` or ``ordered_at_month``."""
    match expression:
        case Member():
            return expression.name
        case Output():
            return name_of(expression.of)
        case Aggregate():
            return _aggregate(expression)
        case Truncated():
            return f"{name_of(expression.of)}_{expression.grain}"
        case Part():
            return f"{name_of(expression.of)}_{expression.part}"
        case Bin():
            return f"{name_of(expression.of)}_bin"
        case Ratio(Difference(), Value()):
            return "duration"
        case Call("floor", (Ratio(_, Value(10000)),)):
            return "age"
        case Ratio():
            return "percent" if expression.percent else "ratio"
        case Difference():
            return f"{expression.unit}s"
        case Over():
            return expression.function
        case Cast() | Moved():
            return name_of(expression.of)
        case Call():
            return name_of(expression.arguments[0]) if expression.arguments else expression.name
        case Arithmetic():
            return name_of(expression.left) if isinstance(expression.left, (Member, Aggregate)) else "value"
        case Case() if (sides := sides_of(expression)) is not None:
            return name_of(sides[0])
    return "value"


def _aggregate(aggregate: Aggregate) -> str:
    if aggregate.function == "rows" or aggregate.of is None:
        return "count"
    inner = name_of(aggregate.of)
    if aggregate.function == "measure":
        return inner
    return f"{'count' if aggregate.function == 'count_distinct' else aggregate.function}_{inner}"
