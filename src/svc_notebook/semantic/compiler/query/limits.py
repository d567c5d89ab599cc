"""LIMIT, FETCH FIRST, OFFSET and ordinals: constants only."""

from __future__ import annotations

from sqlglot import exp

from ...dialects.nodes import NOTHING, clause, run
from ...errors import InvalidQuery, NotAllowed
from ..join_tree.context import Compilation
from ..refusals import check_args

__all__ = ["limits", "ordinal"]


def ordinal(node: exp.Literal, count: int, clause: str) -> int:
    if node.is_string or not node.this.isdigit() or not 1 <= int(node.this) <= count:
        raise InvalidQuery(f"{clause} {node.this[:20]} names no column; there are {count}.")
    return int(node.this)


def limits(compilation: Compilation, query: exp.Expr) -> str:
    """LIMIT, FETCH FIRST and OFFSET with constant numbers."""
    forms: list[str] = []
    limit, offset = query.args.get("limit"), query.args.get("offset")
    if limit is not None:
        options = limit.args.get("limit_options")
        if options is not None and (options.args.get("percent") or options.args.get("with_ties")):
            raise NotAllowed(
                f"{'FETCH FIRST' if isinstance(limit, exp.Fetch) else 'LIMIT'} takes a number of rows; for ties too, "
                "write QUALIFY RANK() OVER (ORDER BY …) <= 3, for a share of the rows PERCENT_RANK() OVER (ORDER BY "
                "…) < 0.1."
            )
    if isinstance(limit, exp.Fetch):
        check_args(limit, ("direction", "count", "limit_options"))
        forms.append(f" LIMIT {_count(compilation, limit.args.get('count') or exp.Literal.number(1), 'FETCH')}")
    elif limit is not None and not _is_all(limit.args.get("expression")):
        check_args(limit, ("expression", "limit_options"))
        forms.append(f" LIMIT {_count(compilation, limit.args['expression'], 'LIMIT')}")
    if offset is not None:
        check_args(offset, ("expression",))
        forms.append(f" OFFSET {_count(compilation, offset.args['expression'], 'OFFSET')}")
    return run(*map(clause, forms)) if forms else NOTHING


def _is_all(node: object) -> bool:
    """``LIMIT ALL`` and ``LIMIT NULL``: no limit."""
    return isinstance(node, exp.Null) or (isinstance(node, (exp.Var, exp.Column)) and node.name.upper() == "ALL")


def _count(compilation: Compilation, node: exp.Expr, clause: str) -> int:
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit() and len(node.this) < 19:
        return int(node.this)
    if isinstance(node, exp.Placeholder) and isinstance(node.this, str) and node.this:
        value = compilation.given.get(node.this)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62:
            return value
    raise NotAllowed(f"{clause} takes a constant number.")
