"""The parts of each node that its rule reads. Any other part that is there may turn the meaning round: it is refused.

A parser that learns to keep a word in a part of its own (``NOT`` of ``NOT LIKE`` as ``negate``) is noticed by this.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from .refusal import Unsaid, name_of

__all__ = ["refuse_others", "refuse_unread"]

_EVERY = frozenset({"this", "expression", "expressions"})
_JOINED = ("safe", "coalesce")
_READ: Mapping[type[exp.Expr], tuple[str, ...]] = {
    exp.Like: ("negate",), exp.ILike: ("negate",), exp.Between: ("low", "high"), exp.In: ("query",),
    exp.Case: ("ifs", "default"), exp.If: ("true", "false"), exp.Cast: ("to",), exp.TryCast: ("to", "safe"),
    exp.Column: ("table",), exp.Literal: ("is_string",), exp.Concat: _JOINED, exp.ConcatWs: _JOINED,
    exp.DPipe: ("safe",), exp.Count: ("big_int",), exp.DateBin: ("unit", "zone", "origin"),
    exp.DateDiff: ("unit", "date_part_boundary"), exp.Greatest: ("ignore_nulls",), exp.Least: ("ignore_nulls",),
    exp.GroupConcat: ("separator",), exp.Lag: ("offset", "default"), exp.Lead: ("offset", "default"),
    exp.NthValue: ("offset",), exp.Pad: ("fill_pattern", "is_left"), exp.RegexpFullMatch: ("options",),
    exp.RegexpLike: ("flag",), exp.Replace: ("replacement",), exp.Round: ("decimals",),
    exp.SplitPart: ("delimiter", "part_index"), exp.StrPosition: ("substr",), exp.Substring: ("start", "length"),
    exp.TimeToStr: ("format",), exp.TimestampTrunc: ("unit",), exp.DateTrunc: ("unit",), exp.Interval: ("unit",),
    exp.Translate: ("from_", "to"), exp.Trim: ("position",), exp.Trunc: ("decimals",),
    exp.Window: ("partition_by", "order", "over", "spec"), exp.Array: ("value_constructor", "bracket_notation"),
    exp.Subquery: ("alias", "joins"), exp.Lateral: ("alias",), exp.CTE: ("alias", "materialized"),
    exp.Union: ("distinct", "order", "limit", "offset", "with_"),
    exp.Except: ("distinct", "order", "limit", "offset", "with_"),
    exp.Intersect: ("distinct", "order", "limit", "offset", "with_"),
    exp.Group: ("rollup", "cube", "grouping_sets", "all"), exp.Values: ("alias",),
    exp.GenerateSeries: ("start", "end", "step", "is_end_exclusive"), exp.Ordered: ("desc", "nulls_first"),
    exp.WindowSpec: ("kind", "start", "start_side", "end", "end_side", "exclude"), exp.Distinct: ("on",),
    exp.Join: ("side", "kind", "on", "using", "method"),
}  # fmt: skip
# Marks of sqlglot's parser that change nothing here.
_UNTOLD = frozenset({"copy", "big_int", "safe", "coalesce", "null_on_zero_variance", "binary", "encoding"})
_OF_SELECT = (exp.Select, exp.Table)  # read clause by clause where they are written


def refuse_unread(node: exp.Expr) -> None:
    """A part of the node that no rule reads, if it says anything.

    Raises
    ------
    Unsaid
        It is there.
    """
    if isinstance(node, _OF_SELECT):
        return
    read = _READ.get(type(node), ())
    for name, value in node.args.items():
        if value not in (None, False, []) and name not in _EVERY and name not in read:
            raise Unsaid(f"{type(node).__name__.lower()} with '{name.rstrip('_')}'")


def refuse_others(node: exp.Expr, known: tuple[str, ...]) -> None:
    """An argument of a function that is not among the known ones: it may change the meaning.

    Raises
    ------
    Unsaid
        It is there.
    """
    for name, value in node.args.items():
        if name not in known and name not in _UNTOLD and value not in (None, False, []):
            raise Unsaid(f"{name_of(node)}(…) with '{name}'")
