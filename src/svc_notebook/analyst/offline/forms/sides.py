"""Rows parted into two sides by a condition: what has a value, and the rest."""

from __future__ import annotations

from .conditions import Compare, Missing, OneOf
from .expressions import Case, Expression, Member, Part, Value
from .walking import parts

__all__ = ["named_sides", "sides_of"]


def sides_of(of: Expression) -> tuple[Member, str, str] | None:
    """The member whose values part the rows, and what the two sides are called."""
    match of:
        case Case(
            ((Compare(Member() as member, "=") | OneOf(Member() as member, _, False), Value(str(one))),),
            Value(str(rest)),
        ):
            return member, one, rest
    return None


def named_sides(of: Case) -> tuple[Member, list[str]] | None:
    """The one member whose values part the rows, and what its parts are called (periods, each with its name)."""
    members = {one for condition, _ in of.branches for one in parts(condition) if isinstance(one, Member)}
    values = [value.value if isinstance(value, Value) else None for _, value in of.branches]
    names = [value for value in values if isinstance(value, str)]
    if len(members) != 1 or len(names) < len(values):
        return None
    match of:
        case Case(_, None):
            return members.pop(), names
        case Case(((OneOf(Part()) | Missing(), _),), Value(str(rest))):  # night or day, known or not
            return members.pop(), [*names, rest]
    return None
