"""Functions in SQL as expressions: times, parts of texts, numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from ..expressions import Arithmetic, Call, Cast, Difference, Expression, Moved, Now, Part, Truncated, Value
from ..vocabulary import CALLS, GRAINS, CallName, Grain, PartName, TypeName
from .kinds import kind_of, moment
from .names import NoForm
from .scope import Scope

__all__ = ["CALL_READERS", "read_cast", "read_named", "type_name", "unit_of"]

Read = Callable[[exp.Expr, Scope], Expression]
_PARTS: dict[str, PartName] = {
    "dow": "weekday", "dayofweek": "weekday", "weekday": "weekday", "isodow": "isoweekday",
    "dayofweekiso": "isoweekday",
    "doy": "yearday", "dayofyear": "yearday", "year": "year", "quarter": "quarter", "month": "month", "week": "week",
    "weekofyear": "week", "day": "day", "dayofmonth": "day", "hour": "hour", "minute": "minute", "second": "second",
}  # fmt: skip
_FORMATS: dict[str, PartName] = {
    "%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute", "%w": "weekday", "%j": "yearday",
    "%-m": "month", "%-d": "day", "%-H": "hour", "%u": "isoweekday",
}  # fmt: skip
_FORMAT_GRAINS: dict[str, Grain] = {"%Y-%m": "month", "%Y-%m-%d": "day", "%Y%m": "month", "%Y/%m": "month"}
_CALLS: dict[type[exp.Expr], tuple[CallName, tuple[str, ...]]] = {
    exp.Abs: ("abs", ("this",)),
    exp.Ceil: ("ceil", ("this",)),
    exp.Coalesce: ("coalesce", ("this", "expressions")),
    exp.Concat: ("concat", ("expressions",)),
    exp.Dayname: ("dayname", ("this",)),
    exp.Exp: ("exp", ("this",)),
    exp.Floor: ("floor", ("this",)),
    exp.Greatest: ("greatest", ("this", "expressions")),
    exp.LastDay: ("last_day", ("this",)),
    exp.Least: ("least", ("this", "expressions")),
    exp.Left: ("left", ("this", "expression")),
    exp.Length: ("length", ("this",)),
    exp.Ln: ("ln", ("this",)),
    exp.Lower: ("lower", ("this",)),
    exp.Monthname: ("monthname", ("this",)),
    exp.Nullif: ("nullif", ("this", "expression")),
    exp.Pow: ("power", ("this", "expression")),
    exp.Reverse: ("reverse", ("this",)),
    exp.Right: ("right", ("this", "expression")),
    exp.Round: ("round", ("this", "decimals")),
    exp.Sqrt: ("sqrt", ("this",)),
    exp.StrPosition: ("strpos", ("this", "substr")),
    exp.Substring: ("substring", ("this", "start", "length")),
    exp.Trim: ("trim", ("this",)),
    exp.Trunc: ("trunc", ("this", "decimals")),
    exp.Upper: ("upper", ("this",)),
    exp.Replace: ("replace", ("this", "expression", "replacement")),
}
_TYPES: dict[str, TypeName] = {
    "DATE": "date", "BOOLEAN": "boolean", "TEXT": "string", "VARCHAR": "string", "CHAR": "string", "NVARCHAR": "string",
    "BIGINT": "integer", "INT": "integer", "SMALLINT": "integer", "TINYINT": "integer", "HUGEINT": "integer",
}  # fmt: skip


def type_name(of: exp.DataType) -> TypeName:
    kind = of.this.name if hasattr(of.this, "name") else str(of.this)
    if kind.startswith("TIMESTAMP") or kind == "DATETIME":
        return "timestamp"
    if kind in ("DOUBLE", "FLOAT", "DECIMAL", "REAL", "BIGDECIMAL", "UDECIMAL"):
        return "number"
    if kind not in _TYPES:
        raise NoForm(f"The type {kind} is none a form knows.")
    return _TYPES[kind]


def unit_of(name: str) -> Grain:
    unit = name.lower().strip("'\"").rstrip("s")
    for grain in GRAINS:
        if grain == unit:
            return grain
    raise NoForm(f"'{name[:30]}' is no unit of time.")


def read_cast(node: exp.Expr, inner: Expression, scope: Scope) -> Expression:
    """A cast; one that changes nothing is left out, one of a date's text is the date."""
    to = type_name(node.args["to"])
    kind = kind_of(inner, scope.names)
    if isinstance(inner, Value) and isinstance(inner.value, str) and to in ("date", "timestamp"):
        if (found := moment(inner.value)) is not None:
            return Value(found)
        raise NoForm("A text that is no date is cast to one.")
    if to == "date" and kind == "time":
        return inner if isinstance(inner, Now) else Truncated(inner, "day")
    if (to, kind) in (("number", "number"), ("string", "string"), ("timestamp", "time"), ("boolean", "boolean")):
        return inner
    return Cast(inner, to)


def _date_trunc(node: exp.Expr, scope: Scope, read: Read) -> Expression:
    unit = node.args.get("unit")
    return Truncated(read(node.this, scope), unit_of(unit.name if unit is not None else "day"))


def _extract(node: exp.Expr, scope: Scope, read: Read) -> Expression:
    return _part(node.this.name, node.args["expression"], scope, read)


def _part(name: str, of: exp.Expr, scope: Scope, read: Read) -> Expression:
    lower = name.lower().rstrip("s") if name.lower().rstrip("s") in _PARTS else name.lower()
    while isinstance(of, exp.Paren):
        of = of.this
    if lower == "epoch" and isinstance(of, exp.Sub):
        return Difference("second", read(of.args["expression"], scope), read(of.this, scope), exact=True)
    if lower not in _PARTS:
        raise NoForm(f"'{name}' is no part of a time that a form knows.")
    return Part(read(of, scope), _PARTS[lower])


def _formatted(node: exp.Expr, scope: Scope, read: Read) -> Expression:
    pattern = node.args["format"].name
    inner = read(node.this, scope)
    if pattern in _FORMATS:
        return Part(inner, _FORMATS[pattern])
    if pattern in _FORMAT_GRAINS:
        return Truncated(inner, _FORMAT_GRAINS[pattern])
    if pattern in ("%B", "%b", "%A", "%a"):
        return Call("monthname" if pattern in ("%B", "%b") else "dayname", (inner,))
    raise NoForm(f"The format '{pattern[:30]}' of a time is none a form knows.")


def _difference(node: exp.Expr, scope: Scope, read: Read) -> Expression:
    unit = node.args.get("unit")
    if scope.dialect == "svc":  # the arguments as they are written, the unit wherever it stands
        written = [n for n in (node.this, node.args.get("expression"), unit) if n is not None]
        units = [n for n in written if isinstance(n, (exp.Literal, exp.Var))]
        ends = [read(n, scope) for n in written if n not in units]
        if len(units) != 1 or len(ends) != 2:
            raise NoForm("A difference of times wants a unit, a start and an end.")
        return Difference(unit_of(units[0].name), ends[0], ends[1])
    end, start = read(node.this, scope), read(node.args["expression"], scope)
    return Difference(unit_of(unit.name if unit is not None else "day"), start, end)


def _moved(sign: int) -> Callable[[exp.Expr, Scope, Read], Expression]:
    def moved(node: exp.Expr, scope: Scope, read: Read) -> Expression:
        interval = node.args["expression"]
        if not isinstance(interval, exp.Interval):
            interval = exp.Interval(this=interval, unit=node.args.get("unit"))
        return moved_by(read(node.this, scope), interval, sign)

    return moved


def moved_by(of: Expression, interval: exp.Interval, sign: int) -> Expression:
    words = (interval.this.name if interval.this is not None else "").split()
    unit = interval.args.get("unit")
    if len(words) == 2 and unit is None:
        words, unit = words[:1], exp.Var(this=words[1])
    try:
        amount = int(words[0])
    except (ValueError, IndexError):
        raise NoForm("An interval is a whole number of units.") from None
    return Moved(of, sign * amount, unit_of(unit.name if unit is not None else "day"))


def read_named(name: str, arguments: Sequence[exp.Expr], scope: Scope, read: Read) -> Expression:
    """A function that the parser knows no class for."""
    lower = name.lower()
    if lower in ("date_trunc", "date_trunc_gapfill") and len(arguments) == 2:
        return Truncated(read(arguments[1], scope), unit_of(arguments[0].name))
    if lower in ("date_diff", "datediff") and len(arguments) == 3:
        return Difference(unit_of(arguments[0].name), read(arguments[1], scope), read(arguments[2], scope))
    if lower in ("date_part", "datepart") and len(arguments) == 2:
        return _part(arguments[0].name, arguments[1], scope, read)
    if lower in _PARTS and len(arguments) == 1:
        return Part(read(arguments[0], scope), _PARTS[lower])
    if lower == "div" and len(arguments) == 2:
        return Arithmetic("//", read(arguments[0], scope), read(arguments[1], scope))
    if lower == "now" and not arguments:
        return Now(moment=True)
    for known in CALLS:
        if known == lower:
            return Call(known, tuple(read(a, scope) for a in arguments))
    raise NoForm(f"The function '{name[:40]}' is none a form knows.")


def _plain(name: CallName, keys: Sequence[str]) -> Callable[[exp.Expr, Scope, Read], Expression]:
    def plain(node: exp.Expr, scope: Scope, read: Read) -> Expression:
        found: list[Any] = []
        for key in keys:
            value = node.args.get(key)
            found += value if isinstance(value, list) else [value] if value is not None else []
        return Call(name, tuple(read(n, scope) for n in found))

    return plain


def _unwrapped(node: exp.Expr, scope: Scope, read: Read) -> Expression:
    return read(node.this, scope)


def _part_class(name: str) -> Callable[[exp.Expr, Scope, Read], Expression]:
    return lambda node, scope, read: _part(name, node.this, scope, read)


CALL_READERS: dict[type[exp.Expr], Callable[[exp.Expr, Scope, Read], Expression]] = {
    **{cls: _plain(name, keys) for cls, (name, keys) in _CALLS.items()},
    **{getattr(exp, n): _part_class(n.lower()) for n in (
        "Year", "Quarter", "Month", "Week", "WeekOfYear", "Day", "DayOfMonth", "DayOfWeek", "DayOfWeekIso", "DayOfYear",
        "Hour", "Minute", "Second",
    )},
    exp.DateTrunc: _date_trunc, exp.TimestampTrunc: _date_trunc, exp.Extract: _extract, exp.TimeToStr: _formatted,
    exp.DateDiff: _difference, exp.TimestampDiff: _difference, exp.DateAdd: _moved(1), exp.DateSub: _moved(-1),
    exp.TsOrDsToTimestamp: _unwrapped, exp.TsOrDsToDate: _unwrapped, exp.Date: lambda n, s, r: read_cast(
        exp.Cast(this=n.this, to=exp.DataType.build("DATE")), r(n.this, s), s
    ),
    exp.CurrentDate: lambda n, s, r: Now(), exp.CurrentTimestamp: lambda n, s, r: Now(moment=True),
}  # fmt: skip
