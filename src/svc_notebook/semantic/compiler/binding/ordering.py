"""ORDER BY items: direction and place of NULLs, always written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

from ...dialects.nodes import NOTHING, Sql, clause, sql
from ...errors import InvalidQuery
from ..refusals import check_args
from ..values import Bound
from .binding import Binder

if TYPE_CHECKING:
    from ..join_tree.context import Compilation

__all__ = ["Item", "decided", "no_ordinal", "ordered", "ordering", "ordering_direction"]

Item: TypeAlias = tuple[str, str]
"""A value or the number of a column, and the words of its direction."""


def decided(compilation: Compilation, items: Sequence[Item], width: int, open_order: Callable[[], bool]) -> str:
    """ORDER BY with its ties decided by all columns, where rows may be hidden from the query.

    Which of equal rows comes first is otherwise up to the plan, and the plan goes by how many rows there are and what
    they span, hidden ones included.

    Parameters
    ----------
    items
        What the query orders by, columns as their numbers.
    width
        How many columns there are.
    open_order
        Whether rows that the query does not order come in an order of the plan's; asked at the end.
    """
    asked = ordered(items)

    def text() -> str:
        if compilation.drawn or not compilation.row_filters or not (items or open_order()):
            return asked
        named = {value for value, _ in items}
        # By number, for not every column has a name of its own.
        return ordered([*items, *((str(n), " NULLS LAST") for n in range(1, width + 1) if str(n) not in named)])

    return compilation.defer(text)


def ordered(items: Sequence[Item]) -> str:
    """ORDER BY, if there is any: values or numbers of columns, each with the words of its direction."""
    if not items:
        return NOTHING
    values = [value for value, _ in items if isinstance(value, Sql)]
    forms = (f"{'{}' if isinstance(value, Sql) else value}{direction}" for value, direction in items)
    return clause(f" ORDER BY {', '.join(forms)}", *values)


def no_ordinal(value: Bound) -> str:
    """A value that is not taken for the number of a column."""
    # ORDER BY 1 is the first column, ORDER BY (1 + 0) is a constant.
    return sql("({} + 0)", value.sql) if value.is_literal and value.kind == "number" else value.sql


def ordering_direction(node: exp.Ordered) -> str:
    return (
        f"{' DESC' if node.args.get('desc') else ''}{' NULLS FIRST' if node.args.get('nulls_first') else ' NULLS LAST'}"
    )


def ordering(b: Binder, nodes: list[exp.Expr]) -> tuple[str, list[str], list[Bound]]:
    """The form of ORDER BY items, their values, and what they are made of."""
    forms: list[str] = []
    parts: list[Bound] = []
    for node in nodes:
        if not isinstance(node, exp.Ordered):
            raise InvalidQuery("ORDER BY is not read in this form.")
        check_args(node, ("this", "desc", "nulls_first"))
        value = b.bind(node.this)
        parts.append(value)
        forms.append("{}" + ordering_direction(node))
    return ", ".join(forms), [no_ordinal(part) for part in parts], parts
