"""Where values of a model's expression meet: operands that a database casts to one type, and may fail to.

``code = 5`` over a text column casts every text, and the first that is no number ends the query. So an expression can
be taken for unable to fail only where all that meets is of one kind; which kinds the columns have is for
:class:`.index.ModelIndex` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from ...dialects import duckdb as say

__all__ = ["coercions", "operand"]

Name = Callable[[exp.Column], str]
_TEXTS = (exp.Lower, exp.Upper, exp.Trim, exp.Concat, exp.DPipe)
_TRUTHS = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.And, exp.Or, exp.Not,
    exp.Boolean,
)  # fmt: skip
_PAIRS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Nullif)


def coercions(tree: exp.Expr, name: Name) -> Iterator[frozenset[str]]:
    """For each place where operands meet, their kinds; a column whose kind is to be found out stands as ``{…}``."""
    for node in tree.walk():
        for operands, kind in _groups(node):
            kinds = {operand(part, name) for part in operands} | {kind}
            found = frozenset(kinds - {""})
            if len(found) > 1 or any(k.startswith("{") for k in found) and kind:
                yield found


def operand(node: exp.Expr, name: Name) -> str:
    """The kind of a value, ``{…}`` for a column's, ``""`` for a constant that takes any (once, for all rows alike)."""
    if isinstance(node, exp.Paren):
        return operand(node.this, name)
    if isinstance(node, exp.Column):
        return name(node)
    # A text that is no date fails when the query is planned, whatever rows there are.
    if isinstance(node, exp.Null) or (isinstance(node, exp.Literal) and node.is_string):
        return ""
    if isinstance(node, exp.Literal):
        return "number"
    if isinstance(node, _TRUTHS):
        return "boolean"
    if isinstance(node, _TEXTS):
        return "string"
    if isinstance(node, exp.TryCast):
        return say.kind_of_type(node.to.sql(dialect="duckdb"))
    if isinstance(node, exp.Nullif):
        return operand(node.this, name)
    if isinstance(node, (exp.Case, exp.If, exp.Coalesce)):
        return next((kind for part in _results(node) if (kind := operand(part, name))), "")
    return "any"


def _groups(node: exp.Expr) -> Iterator[tuple[list[exp.Expr], str]]:
    """Operands that are brought to one type, and the kind that they are brought to where it is known."""
    if isinstance(node, _PAIRS):
        yield [node.this, node.args["expression"]], ""
    elif isinstance(node, exp.Between):
        yield [node.this, node.args["low"], node.args["high"]], ""
    elif isinstance(node, exp.In):
        yield [node.this, *node.expressions], ""
    elif isinstance(node, (exp.And, exp.Or)):
        yield [node.this, node.args["expression"]], "boolean"
    elif isinstance(node, exp.Not) or isinstance(node, exp.Is) and isinstance(node.args["expression"], exp.Boolean):
        yield [node.this], "boolean"
    elif isinstance(node, exp.Coalesce):
        yield _results(node), ""
    elif isinstance(node, exp.Case):
        subject = node.args.get("this")
        tests = [branch.this for branch in node.args["ifs"]]
        yield ([subject, *tests], "") if subject is not None else (tests, "boolean")
        yield _results(node), ""
    # The branches of a CASE are Ifs too, and were taken with it.
    elif isinstance(node, exp.If) and not isinstance(node.parent, exp.Case):
        yield [node.this], "boolean"
        yield _results(node), ""


def _results(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Case):
        parts = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default")]
    else:
        parts = [node.args.get("true"), node.args.get("false")]
    return [part for part in parts if part is not None]
