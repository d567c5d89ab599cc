"""The functions a query may call. What is not listed here is refused; nothing is passed through by name.

Left out on purpose: whatever reads something else than its arguments (settings, files, catalog, clock of the machine
beyond ``now``), whatever can make much out of little (``repeat``, ``lpad``, ``range``), and whatever runs text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

__all__ = [
    "AGGREGATES",
    "ANONYMOUS",
    "ANONYMOUS_AGGREGATES",
    "DATE_PARTS",
    "FUNCTIONS",
    "WINDOW_ONLY",
    "Aggregate",
    "Function",
]


@dataclass(frozen=True, slots=True)
class Function:
    """``args`` are sqlglot's argument names in order (``*`` marks a list); ``takes`` the kind wanted of each.

    ``template`` is filled with the bound arguments (``{0}``, ``{1}`` or ``{all}``). ``raises``: some value of its
    arguments may make it fail.
    """

    template: str
    kind: str
    args: tuple[str, ...] = ("this",)
    takes: tuple[str, ...] = ()
    raises: bool = False
    constants: tuple[int, ...] = ()
    ignored: tuple[str, ...] = ()
    growth: Callable[[list[int]], int] | None = None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """``repeatable``: repeated rows do not change it (min, max, distinct counts)."""

    template: str
    kind: str
    args: tuple[str, ...] = ("this",)
    takes: tuple[str, ...] = ()
    repeatable: bool = False
    ignored: tuple[str, ...] = ()


_TEXT, _NUMBER, _TIME = ("string",), ("number",), ("time",)


def _text(name: str, *, kind: str = "string") -> Function:
    return Function(f"{name}({{0}})", kind, takes=_TEXT)


def _number(template: str, *, raises: bool = False) -> Function:
    return Function(template, "number", takes=_NUMBER, raises=raises)


def _part(name: str, *, raises: bool = False) -> Function:
    return Function(f"date_part('{name}', {{0}})", "number", takes=_TIME, raises=raises)


DATE_PARTS = frozenset({
    "century", "day", "decade", "dow", "doy", "epoch", "hour", "isodow", "isoyear", "microsecond", "millennium",
    "millisecond", "minute", "month", "quarter", "second", "week", "year",
})  # fmt: skip

FUNCTIONS: Mapping[type[exp.Expr], Function] = {
    exp.Lower: _text("lower"),
    exp.Upper: _text("upper"),
    exp.Reverse: _text("reverse"),
    exp.Length: Function("length({0})", "number", takes=_TEXT, ignored=("binary", "encoding")),
    exp.Left: Function("left({0}, {1})", "string", ("this", "expression"), ("string", "number"), raises=True),
    exp.Right: Function("right({0}, {1})", "string", ("this", "expression"), ("string", "number"), raises=True),
    exp.StrPosition: Function("strpos({0}, {1})", "number", ("this", "substr"), ("string", "string")),
    exp.StartsWith: Function("starts_with({0}, {1})", "boolean", ("this", "expression"), ("string", "string")),
    exp.EndsWith: Function("ends_with({0}, {1})", "boolean", ("this", "expression"), ("string", "string")),
    exp.Contains: Function("contains({0}, {1})", "boolean", ("this", "expression"), ("string", "string")),
    exp.SplitPart: Function(
        "split_part({0}, {1}, {2})", "string", ("this", "delimiter", "part_index"), ("string", "string", "number")
    ),
    exp.RegexpLike: Function(
        "regexp_matches({0}, {1})", "boolean", ("this", "expression"), ("string", "string"), raises=True, constants=(1,)
    ),
    exp.RegexpILike: Function(
        "regexp_matches({0}, {1}, 'i')",
        "boolean",
        ("this", "expression"),
        ("string", "string"),
        raises=True,
        constants=(1,),
    ),
    exp.RegexpExtract: Function(
        "regexp_extract({0}, {1})",
        "string",
        ("this", "expression"),
        ("string", "string"),
        raises=True,
        constants=(1,),
        ignored=("position", "occurrence", "parameters"),
    ),
    exp.Abs: _number("abs({0})", raises=True),
    exp.Sign: _number("sign({0})"),
    exp.Floor: _number("floor({0})"),
    exp.Ceil: _number("ceil({0})"),
    exp.Sqrt: _number("CASE WHEN {0} >= 0 THEN sqrt({0}) END"),
    exp.Cbrt: _number("cbrt({0})"),
    exp.Exp: _number("exp(CAST({0} AS DOUBLE))"),
    exp.Ln: _number("CASE WHEN {0} > 0 THEN ln({0}) END"),
    exp.Round: Function("round({0}, {1})", "number", ("this", "decimals"), ("number", "number"), raises=True),
    exp.Trunc: Function("trunc({0})", "number", takes=_NUMBER),
    exp.Pow: Function(
        "pow(CAST({0} AS DOUBLE), CAST({1} AS DOUBLE))",
        "number",
        ("this", "expression"),
        ("number", "number"),
        raises=True,
    ),
    exp.Year: _part("year"),
    exp.Quarter: _part("quarter"),
    exp.Month: _part("month"),
    exp.Week: _part("week", raises=True),
    exp.WeekOfYear: _part("week", raises=True),
    exp.Day: _part("day"),
    exp.DayOfMonth: _part("day"),
    exp.DayOfWeek: _part("dow"),
    exp.DayOfWeekIso: _part("isodow"),
    exp.DayOfYear: _part("doy"),
    exp.Hour: _part("hour"),
    exp.Minute: _part("minute"),
    exp.Second: _part("second"),
    exp.Dayname: Function("dayname({0})", "string", takes=_TIME),
    exp.Monthname: Function("monthname({0})", "string", takes=_TIME),
    exp.LastDay: Function("last_day({0})", "date", takes=_TIME, raises=True),
    exp.Date: Function("CAST({0} AS DATE)", "date", takes=_TIME),
    exp.TimeToStr: Function(
        "strftime({0}, {1})", "string", ("this", "format"), ("time", "string"), raises=True, constants=(1,)
    ),
    exp.IsNan: Function("isnan(CAST({0} AS DOUBLE))", "boolean", takes=_NUMBER),
}

ANONYMOUS: Mapping[str, Function] = {
    "strftime": Function("strftime({0}, {1})", "string", ("*",), ("time", "string"), raises=True, constants=(1,)),
    "weekday": Function("date_part('dow', {0})", "number", ("*",), _TIME),
    "isodow": Function("date_part('isodow', {0})", "number", ("*",), _TIME),
    "dayofweek": Function("date_part('dow', {0})", "number", ("*",), _TIME),
    "epoch": Function("epoch({0})", "number", ("*",), _TIME),
    "regexp_matches": Function(
        "regexp_matches({0}, {1})", "boolean", ("*",), ("string", "string"), raises=True, constants=(1,)
    ),
    "char_length": Function("length({0})", "number", ("*",), _TEXT),
    "character_length": Function("length({0})", "number", ("*",), _TEXT),
    "prefix": Function("starts_with({0}, {1})", "boolean", ("*",), ("string", "string")),
    "suffix": Function("ends_with({0}, {1})", "boolean", ("*",), ("string", "string")),
    "ceiling": Function("ceil({0})", "number", ("*",), _NUMBER),
    "truncate": Function("trunc({0})", "number", ("*",), _NUMBER),
}

AGGREGATES: Mapping[type[exp.Expr], Aggregate] = {
    exp.Count: Aggregate("COUNT({0})", "number", ignored=("big_int",)),
    exp.CountIf: Aggregate("COUNT(CASE WHEN {0} THEN 1 END)", "number", takes=("boolean",)),
    exp.Sum: Aggregate("SUM({0})", "number", takes=_NUMBER),
    exp.Avg: Aggregate("AVG({0})", "number", takes=_NUMBER),
    exp.Min: Aggregate("MIN({0})", "same", repeatable=True),
    exp.Max: Aggregate("MAX({0})", "same", repeatable=True),
    exp.Median: Aggregate("MEDIAN({0})", "same"),
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
    exp.AnyValue: Aggregate("MIN({0})", "same", repeatable=True),
    exp.ArgMax: Aggregate("ARG_MAX({0}, {1})", "same", ("this", "expression"), ignored=("count",)),
    exp.ArgMin: Aggregate("ARG_MIN({0}, {1})", "same", ("this", "expression"), ignored=("count",)),
}

ANONYMOUS_AGGREGATES: Mapping[str, Aggregate] = {
    "quantile_cont": Aggregate("QUANTILE_CONT({0}, {1})", "same", ("*",), ("", "number")),
    "quantile": Aggregate("QUANTILE_CONT({0}, {1})", "same", ("*",), ("", "number")),
    "quantile_disc": Aggregate("QUANTILE_DISC({0}, {1})", "same", ("*",), ("", "number")),
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
