"""The names that forms use, in this one place: aggregates, grains, parts of time, comparisons, operators, functions."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

__all__ = [
    "AGGREGATES", "CALLS", "COMPARISONS", "GRAINS", "MATCHES", "MIRRORED", "OPPOSITE", "PARTS", "TYPES",
    "AggregateName", "CallName", "ComparisonName", "Grain", "MatchName", "OperatorName", "Origin", "PartName",
    "SetName", "TypeName", "WindowName",
]  # fmt: skip

AggregateName: TypeAlias = Literal[
    "measure",  # a number that the model defines; ``of`` is its member
    "rows",  # how many rows; ``of`` is None
    "count",  # how many values
    "count_distinct", "sum", "avg", "min", "max", "median", "quantile", "mode", "stddev", "variance", "correlation",
]  # fmt: skip
Grain: TypeAlias = Literal["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
PartName: TypeAlias = Literal[
    "second", "minute", "hour", "day", "weekday", "isoweekday", "yearday", "week", "month", "quarter", "year"
]
ComparisonName: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
OperatorName: TypeAlias = Literal["+", "-", "*", "//", "%"]  # a division is a Ratio
MatchName: TypeAlias = Literal["contains", "starts", "ends", "like"]
TypeName: TypeAlias = Literal["string", "number", "integer", "date", "timestamp", "boolean"]
SetName: TypeAlias = Literal["union", "union all", "intersect", "except"]
WindowName: TypeAlias = Literal[
    "share", "sum", "avg", "min", "max", "count", "rank", "dense_rank", "row_number", "ntile", "previous", "next",
    "first", "last",
]  # fmt: skip
CallName: TypeAlias = Literal[
    "abs", "ceil", "coalesce", "concat", "dayname", "exp", "floor", "greatest", "last_day", "least", "left", "length",
    "ln", "lower", "monthname", "nullif", "power", "replace", "reverse", "right", "round", "sqrt", "strpos",
    "substring", "trim", "trunc", "upper",
]  # fmt: skip
Origin: TypeAlias = Literal["said", "kept", "assumed"]

AGGREGATES: tuple[AggregateName, ...] = get_args(AggregateName)
GRAINS: tuple[Grain, ...] = get_args(Grain)
PARTS: tuple[PartName, ...] = get_args(PartName)
COMPARISONS: tuple[ComparisonName, ...] = get_args(ComparisonName)
MATCHES: tuple[MatchName, ...] = get_args(MatchName)
TYPES: tuple[TypeName, ...] = get_args(TypeName)
CALLS: tuple[CallName, ...] = get_args(CallName)

MIRRORED: dict[ComparisonName, ComparisonName] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITE: dict[ComparisonName, ComparisonName] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
