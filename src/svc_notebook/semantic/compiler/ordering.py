"""ORDER BY items: direction and place of NULLs, always written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from ..errors import InvalidQuery
from .refusals import check_args
from .values import Bound

if TYPE_CHECKING:
    from .expressions import Binder

__all__ = ["ordering", "ordering_direction"]


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
