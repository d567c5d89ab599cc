"""Default deny: a node is refused unless a rule knows its type, and then each of its arguments by name."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ..errors import NotAllowed

__all__ = ["check_args", "refuse"]


def check_args(node: exp.Expr, allowed: Sequence[str]) -> None:
    """Refuse a node with any argument its rule does not name."""
    for name, value in node.args.items():
        if name not in allowed and value not in (None, False, []):
            raise refuse(node, name)


def refuse(node: exp.Expr, argument: str = "") -> NotAllowed:
    name = type(node).__name__.upper()
    detail = f" with '{argument.rstrip('_')}'" if argument else ""
    return NotAllowed(f"{name}{detail} is not available in queries over the model.")
