"""ORDER BY: each term with where its NULLs stand."""

from __future__ import annotations

from sqlglot import exp

from .kinds import INT4, NULL, Value
from .parts import refuse_unread
from .writer import Writer

__all__ = ["ordered"]


def ordered(w: Writer, nodes: list[exp.Expr]) -> str:
    """The terms of an ORDER BY."""
    return ", ".join(_term(w, node) for node in nodes)


def _term(w: Writer, node: exp.Expr) -> str:
    if not isinstance(node, exp.Ordered):
        node = exp.Ordered(this=node)
    refuse_unread(node)
    place = node.this.unnest()
    # A bare number is the place of a column.
    position = isinstance(place, exp.Literal) and not place.is_string
    value = Value(place.this, INT4) if position else w.value(node.this)
    text = w.null() if value.kind == NULL else value.sql
    return (
        f"{text}{' DESC' if node.args.get('desc') else ''} NULLS {'FIRST' if node.args.get('nulls_first') else 'LAST'}"
    )
