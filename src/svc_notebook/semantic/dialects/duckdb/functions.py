"""The functions a query may call. What is not listed here is refused; nothing is passed through by name.

Left out on purpose: whatever reads something else than its arguments (settings, files, catalog, clock of the machine
beyond ``now``), whatever can make much out of little (``repeat``, ``lpad``, ``range``), and whatever runs text.
"""

from __future__ import annotations

from msgspec import Struct
from sqlglot import exp

__all__ = ["ANONYMOUS", "FUNCTIONS", "ROUND", "TRUNC", "Function"]


class Function(Struct, frozen=True):
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


_TEXT, _NUMBER, _TIME = ("string",), ("number",), ("time",)


def _text(name: str, *, kind: str = "string") -> Function:
    return Function(f"{name}({{0}})", kind, takes=_TEXT)


def _number(template: str, *, raises: bool = False) -> Function:
    return Function(template, "number", takes=_NUMBER, raises=raises)


def _part(name: str, *, raises: bool = False) -> Function:
    return Function(f"date_part('{name}', {{0}})", "number", takes=_TIME, raises=raises)


FUNCTIONS: dict[type[exp.Expr], Function] = {
    exp.Lower: _text("lower"),
    exp.Upper: _text("upper"),
    exp.Reverse: _text("reverse"),
    exp.Length: Function("length({0})", "number", takes=_TEXT, ignored=("binary", "encoding")),
    # A length past 32 bits is an error.
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
    exp.Abs: _number("abs({0})", raises=True),
    exp.Sign: _number("sign({0})"),
    exp.Floor: _number("floor({0})"),
    exp.Ceil: _number("ceil({0})"),
    # NULL where there is no root: DuckDB answers NaN, other engines with an error.
    exp.Sqrt: _number("CASE WHEN {0} >= 0 THEN sqrt({0}) END"),
    exp.Cbrt: _number("cbrt({0})"),
    # As a double whatever the argument is: past the largest it is infinite, and no error.
    exp.Exp: _number("exp(CAST({0} AS DOUBLE))"),
    # DuckDB's ln(0) is minus infinity, PostgreSQL's an error.
    exp.Ln: _number("CASE WHEN {0} > 0 THEN ln({0}) END"),
    exp.Round: Function("round({0}, {1})", "number", ("this", "decimals"), ("number", "number"), raises=True),
    exp.Trunc: Function("trunc({0}, {1})", "number", ("this", "decimals"), ("number", "number"), raises=True),
    exp.Degrees: _number("degrees(CAST({0} AS DOUBLE))"),
    exp.Radians: _number("radians(CAST({0} AS DOUBLE))"),
    exp.Sin: _number("sin(CAST({0} AS DOUBLE))"),
    exp.Cos: _number("cos(CAST({0} AS DOUBLE))"),
    exp.Tan: _number("tan(CAST({0} AS DOUBLE))"),
    exp.Cot: _number("cot(CAST({0} AS DOUBLE))"),
    exp.Atan: _number("atan(CAST({0} AS DOUBLE))"),
    exp.Asin: _number("CASE WHEN {0} BETWEEN -1 AND 1 THEN asin(CAST({0} AS DOUBLE)) END"),
    exp.Acos: _number("CASE WHEN {0} BETWEEN -1 AND 1 THEN acos(CAST({0} AS DOUBLE)) END"),
    exp.Atan2: Function(
        "atan2(CAST({0} AS DOUBLE), CAST({1} AS DOUBLE))", "number", ("this", "expression"), ("number", "number")
    ),
    # Towards zero, as PostgreSQL's div is; the engine's // rounds so for whole numbers only.
    exp.IntDiv: Function(
        "trunc(CAST({0} AS DOUBLE) / NULLIF({1}, 0))", "number", ("this", "expression"), ("number", "number")
    ),
    exp.Ascii: Function("ascii({0})", "number", takes=_TEXT),
    exp.MD5: _text("md5"),
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
    # In the first days of DuckDB's calendar the Monday of the week lies outside of it.
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
    exp.IsNan: Function("isnan(CAST({0} AS DOUBLE))", "boolean", takes=_NUMBER),
}

ANONYMOUS: dict[str, Function] = {
    # Constant: a format from a row may be wrong in one row, and say so in its error.
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
    "make_date": Function(
        "TRY(make_date(TRY_CAST({0} AS INTEGER), TRY_CAST({1} AS INTEGER), TRY_CAST({2} AS INTEGER)))",
        "date",
        ("*",),
        ("number", "number", "number"),
        raises=True,
    ),
}

# The same with one argument, where the parser has one name for both.
ROUND = Function("round({0})", "number", takes=("number",))
TRUNC = Function("trunc({0})", "number", takes=("number",))
