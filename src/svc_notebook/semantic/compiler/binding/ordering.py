"""ORDER BY items: direction and place of NULLs, always written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from ...errors import InvalidQuery
from ..refusals import check_args
from ..values import Bound
from .binding import Binder

if TYPE_CHECKING:
    from ..join_tree.context import Compilation

__all__ = ["decided", "ordering", "ordering_direction"]


def decided(compilation: Compilation, items: Sequence[str], width: int, open_order: Callable[[], bool]) -> str:
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
    asked = f" ORDER BY {', '.join(items)}" if items else ""

    def text() -> str:
        if compilation.drawn or not compilation.row_filters or not (items or open_order()):
            return asked
        named = {item.partition(" ")[0] for item in items}
        rest = [f"{n} NULLS LAST" for n in range(1, width + 1) if str(n) not in named]
        return f" ORDER BY {', '.join([*items, *rest])}"

    return compilation.defer(text)


def ordering_direction(node: exp.Ordered) -> str:
    return (
        f"{' DESC' if node.args.get('desc') else ''}{' NULLS FIRST' if node.args.get('nulls_first') else ' NULLS LAST'}"
    )


def ordering(b: Binder, nodes: list[exp.Expr]) -> tuple[str, list[Bound]]:
    """ORDER BY items as text, and what they are made of."""
    texts: list[str] = []
    parts: list[Bound] = []
    for node in nodes:
        if not isinstance(node, exp.Ordered):
            raise InvalidQuery("ORDER BY is not read in this form.")
        check_args(node, ("this", "desc", "nulls_first"))
        value = b.bind(node.this)
        parts.append(value)
        texts.append(
            (f"({value.sql} + 0)" if value.is_literal and value.kind == "number" else value.sql)
            + ordering_direction(node)
        )
    return ", ".join(texts), parts
