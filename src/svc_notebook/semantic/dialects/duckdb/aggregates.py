"""The aggregates and window functions a query may call."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from sqlglot import exp

__all__ = ["AGGREGATES", "ANONYMOUS_AGGREGATES", "WINDOW_ONLY", "Aggregate"]


class Aggregate(Struct, frozen=True):
    """``repeatable``: repeated rows do not change it (min, max, distinct counts).

    ``continuous``: it may lie between two values, for which a decimal's own digits are too few.
    """

    template: str
    kind: str
    args: tuple[str, ...] = ("this",)
    takes: tuple[str, ...] = ()
    repeatable: bool = False
    ignored: tuple[str, ...] = ()
    continuous: bool = False


_NUMBER = ("number",)

AGGREGATES: Mapping[type[exp.Expr], Aggregate] = {
    exp.Count: Aggregate("COUNT({0})", "number", ignored=("big_int",)),
    # As COUNT, which every engine says.
    exp.CountIf: Aggregate("COUNT(CASE WHEN {0} THEN 1 END)", "number", takes=("boolean",)),
    exp.Sum: Aggregate("SUM({0})", "number", takes=_NUMBER),
    exp.Avg: Aggregate("AVG({0})", "number", takes=_NUMBER),
    exp.Min: Aggregate("MIN({0})", "same", repeatable=True),
    exp.Max: Aggregate("MAX({0})", "same", repeatable=True),
    exp.Median: Aggregate("MEDIAN({0})", "same", continuous=True),
    exp.Mode: Aggregate("MODE({0})", "same"),
    exp.Stddev: Aggregate("STDDEV_SAMP({0})", "number", takes=_NUMBER),
    exp.StddevSamp: Aggregate("STDDEV_SAMP({0})", "number", takes=_NUMBER),
    exp.StddevPop: Aggregate("STDDEV_POP({0})", "number", takes=_NUMBER),
    exp.Variance: Aggregate("VAR_SAMP({0})", "number", takes=_NUMBER),
    exp.VariancePop: Aggregate("VAR_POP({0})", "number", takes=_NUMBER),
    exp.Corr: Aggregate(
        "CORR({0}, {1})", "number", ("this", "expression"), ("number", "number"), ignored=("null_on_zero_variance",)
    ),
    exp.CovarPop: Aggregate("COVAR_POP({0}, {1})", "number", ("this", "expression"), ("number", "number")),
    exp.CovarSamp: Aggregate("COVAR_SAMP({0}, {1})", "number", ("this", "expression"), ("number", "number")),
    exp.RegrSlope: Aggregate("REGR_SLOPE({0}, {1})", "number", ("this", "expression"), ("number", "number")),
    exp.RegrIntercept: Aggregate("REGR_INTERCEPT({0}, {1})", "number", ("this", "expression"), ("number", "number")),
    exp.RegrR2: Aggregate("REGR_R2({0}, {1})", "number", ("this", "expression"), ("number", "number")),
    exp.ApproxDistinct: Aggregate("APPROX_COUNT_DISTINCT({0})", "number", repeatable=True),
    exp.LogicalOr: Aggregate("BOOL_OR({0})", "boolean", takes=("boolean",), repeatable=True),
    exp.LogicalAnd: Aggregate("BOOL_AND({0})", "boolean", takes=("boolean",), repeatable=True),
    # DuckDB has no bits of decimals.
    exp.BitwiseAndAgg: Aggregate("BIT_AND(TRY_CAST({0} AS BIGINT))", "number", takes=_NUMBER, repeatable=True),
    exp.BitwiseOrAgg: Aggregate("BIT_OR(TRY_CAST({0} AS BIGINT))", "number", takes=_NUMBER, repeatable=True),
    # The least: any value would go by the plan, and the plan by rows that are hidden.
    exp.AnyValue: Aggregate("MIN({0})", "same", repeatable=True),
    exp.ArgMax: Aggregate("ARG_MAX({0}, {1})", "same", ("this", "expression"), ignored=("count",)),
    exp.ArgMin: Aggregate("ARG_MIN({0}, {1})", "same", ("this", "expression"), ignored=("count",)),
}

ANONYMOUS_AGGREGATES: Mapping[str, Aggregate] = {
    "quantile_cont": Aggregate("QUANTILE_CONT({0}, {1})", "same", ("*",), ("", "number"), continuous=True),
    # Not DuckDB's quantile, which is the discrete one: percentiles elsewhere lie between two values.
    "quantile": Aggregate("QUANTILE_CONT({0}, {1})", "same", ("*",), ("", "number"), continuous=True),
    "quantile_disc": Aggregate("QUANTILE_DISC({0}, {1})", "same", ("*",), ("", "number")),
    "every": Aggregate("BOOL_AND({0})", "boolean", ("*",), ("boolean",), True),
    "product": Aggregate("PRODUCT({0})", "number", ("*",), _NUMBER),
    "skewness": Aggregate("SKEWNESS({0})", "number", ("*",), _NUMBER),
    "kurtosis": Aggregate("KURTOSIS({0})", "number", ("*",), _NUMBER),
}

# name, kind ("same": of the first argument), number of arguments allowed
WINDOW_ONLY: Mapping[type[exp.Expr], tuple[str, str, int]] = {
    exp.RowNumber: ("ROW_NUMBER", "number", 0),
    exp.Rank: ("RANK", "number", 0),
    exp.DenseRank: ("DENSE_RANK", "number", 0),
    exp.PercentRank: ("PERCENT_RANK", "number", 0),
    exp.CumeDist: ("CUME_DIST", "number", 0),
    exp.Ntile: ("NTILE", "number", 1),
    exp.Lag: ("LAG", "same", 3),
    exp.Lead: ("LEAD", "same", 3),
    exp.FirstValue: ("FIRST_VALUE", "same", 1),
    exp.LastValue: ("LAST_VALUE", "same", 1),
    exp.NthValue: ("NTH_VALUE", "same", 2),
}
