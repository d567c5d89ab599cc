"""Rows parted into two sides by a condition: what has a value, and the rest."""

from __future__ import annotations

from .conditions import Compare, OneOf
from .expressions import Case, Expression, Member, Value

__all__ = ["sides_of"]


def sides_of(of: Expression) -> tuple[Member, str, str] | None:
    """The member whose values part the rows, and what the two sides are called."""
    match of:
        case Case(
            ((Compare(Member() as member, "=") | OneOf(Member() as member, _, False), Value(str(one))),),
            Value(str(rest)),
        ):
            return member, one, rest
    return None
