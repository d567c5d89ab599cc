"""One row by the name that it is called by, with what is asked of it."""

from __future__ import annotations

from ..forms import Clause, Compare, Expression, Filter, Form, Member, Role, Value
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..schema.values import ValueMatch

__all__ = ["is_a_row", "one_row"]


def is_a_row(named: ValueMatch, metadata: Metadata) -> bool:
    """Whether a value is what rows of a cube are called by."""
    relation = named.member.split(".", 1)[0]
    return named.member in labels_of(metadata, relation) and metadata.relation(relation).kind == "cube"


def one_row(named: ValueMatch, asked: Expression) -> Form:
    """The form of a row's name and of what is asked of it."""
    name = Member(named.member)
    return Form(
        Role(named.member.split(".", 1)[0]),
        columns=(Clause(name), Clause(asked)),
        where=(Filter(Compare(name, "=", Value(named.value))),),
    )
