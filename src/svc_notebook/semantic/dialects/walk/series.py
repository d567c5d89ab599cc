"""A series of the compiler's, and the question behind which it stands."""

from __future__ import annotations

from sqlglot import exp

__all__ = ["series_in"]


def series_in(node: exp.Expr) -> tuple[exp.GenerateSeries | None, exp.Expr | None]:
    """The series, if it is one, and the condition of ``CASE WHEN … THEN error(…) ELSE series END`` around it."""
    if isinstance(node, exp.GenerateSeries):
        return node, None
    if isinstance(node, exp.Case) and len(node.args["ifs"]) == 1:
        branch, series = node.args["ifs"][0], node.args.get("default")
        error = branch.args["true"]
        fails = isinstance(error, exp.Anonymous) and error.name.lower() == "error"
        if fails and isinstance(series, exp.GenerateSeries):
            return series, branch.this
    return None, None
