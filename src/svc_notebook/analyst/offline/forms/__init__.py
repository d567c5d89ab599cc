"""Logical forms: what a question asks, as typed clauses that can be compared, written as SQL, read and edited."""

from __future__ import annotations

from .anchors import ASSUMED, Anchor, said
from .conditions import (
    And,
    Compare,
    Condition,
    Extreme,
    Holds,
    Like,
    Missing,
    Not,
    OneOf,
    Or,
    Range,
    Related,
)  # fmt: skip
from .expressions import (
    ROWS,
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
    Now,
    Output,
    Over,
    Part,
    Ratio,
    Scalar,
    Sort,
    Test,
    Truncated,
    Value,
    measure,
)  # fmt: skip
from .form import Clause, Comparison, Filter, Form, Join, Limit, Order, Pair, Role, SetOf, Shift, Source
from .reading.names import Names, NoForm
from .reading.query import from_sql
from .words import in_words
from .writing.query import to_sql, to_tree
from .writing.scope import CannotWrite

__all__ = [
    "ASSUMED", "ROWS", "Aggregate", "Anchor", "And", "Arithmetic", "Bin", "Call", "CannotWrite", "Case", "Cast",
    "Clause", "Compare", "Comparison", "Condition", "Difference", "Expression", "Extreme", "Filter", "Form", "Holds",
    "Join", "Like", "Limit", "Member", "Missing", "Moved", "Names", "NoForm", "Not", "Now", "OneOf", "Or", "Order",
    "Output", "Over", "Pair", "Part", "Range", "Ratio", "Related", "Role", "Scalar", "SetOf", "Shift", "Sort",
    "Source", "Test", "Truncated", "Value", "from_sql", "in_words", "measure", "said", "to_sql", "to_tree",
]  # fmt: skip
