"""Times: truncated, counted, moved, taken apart, written; zones; intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ..walk.kinds import BOOL, DATE, FLOAT8, INT4, INT8, INTERVAL, NULL, TEXT, TIMESTAMP, TIMESTAMPTZ, Value
from ..walk.operators import constant_of
from ..walk.refusal import Unsaid, not_declared
from ..walk.writer import Rule, Writer
from .conversions import compared_bytewise, float_of, try_cast
from .operators import literal

__all__ = ["TIMES", "TIME_CALLS"]

_TIMES = ("date", "timestamp")
_TRUNCATED = ("microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year",
              "decade", "century", "millennium")  # fmt: skip


def _moment(value: Value, what: str) -> str:
    """A date or timestamp as a timestamp."""
    if value.kind == TIMESTAMP:
        return value.sql
    if value.kind == DATE:
        return f"CAST({value.sql} AS timestamp)"
    raise Unsaid(f"{what} of a {value.kind.duckdb}")


def _date_trunc(w: Writer, node: exp.TimestampTrunc) -> Value:
    unit, value = node.args["unit"].name.lower(), w.value(node.this)
    if unit not in _TRUNCATED or node.args.get("zone") is not None:
        raise Unsaid(f"date_trunc to '{unit[:20]}'")
    if value.kind == NULL:
        return Value("CAST(NULL AS timestamp)", TIMESTAMP)
    return Value(f"date_trunc('{unit}', {_moment(value, 'date_trunc')})", TIMESTAMP)


# --- parts ---------------------------------------------------------------------------------------------------------

_PARTS = {
    "year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day", "dow": "dow",
    "isodow": "isodow", "doy": "doy", "hour": "hour", "minute": "minute", "second": "second", "isoyear": "isoyear",
    "millisecond": "milliseconds", "microsecond": "microseconds", "century": "century", "millennium": "millennium",
    "decade": "decade", "epoch": "epoch", "weekday": "dow", "dayofweek": "dow", "dayofyear": "doy",
    "weekofyear": "week", "yearweek": "", "dayofmonth": "day",
}  # fmt: skip
_OF_INTERVALS = {"year", "month", "day", "hour", "minute", "second", "epoch", "millisecond", "microsecond"}


def _part(part: str, value: Value) -> Value:
    name = _PARTS.get(part, "")
    if value.kind == NULL:
        return Value("CAST(NULL AS bigint)", INT8)
    if value.kind.name not in (*_TIMES, "interval") or not name:
        raise Unsaid(f"the '{part[:20]}' of a {value.kind.duckdb}")
    if value.kind == INTERVAL and part not in _OF_INTERVALS:
        raise Unsaid(f"the '{part[:20]}' of an interval")
    text = f"date_part('{name}', {value.sql})"
    if name == "epoch":
        return Value(text, FLOAT8)
    # DuckDB cuts the fraction off; of a negative interval towards zero.
    cut = "trunc" if value.kind == INTERVAL else "floor"
    return Value(f"CAST({cut}({text}) AS bigint)" if "second" in name else f"CAST({text} AS bigint)", INT8)


def _date_part(w: Writer, node: exp.Anonymous) -> Value:
    part = constant_of(w.value(node.expressions[0]))
    return _part(str(part).lower(), w.value(node.expressions[1]))


def _extract(w: Writer, node: exp.Extract) -> Value:
    return _part(node.this.name.lower(), w.value(node.expression))


_NAMED_PARTS: Mapping[type[exp.Expr], str] = {
    exp.Year: "year", exp.Quarter: "quarter", exp.Month: "month", exp.Week: "week", exp.WeekOfYear: "week",
    exp.Day: "day", exp.DayOfMonth: "day", exp.DayOfWeek: "dow", exp.DayOfWeekIso: "isodow", exp.DayOfYear: "doy",
    exp.Hour: "hour", exp.Minute: "minute", exp.Second: "second", exp.TimeToUnix: "epoch",
}  # fmt: skip


def _named_part(w: Writer, node: exp.Expr) -> Value:
    return _part(_NAMED_PARTS[type(node)], w.value(node.this))


# --- differences ---------------------------------------------------------------------------------------------------

_STEPS = {"hour": 3600, "minute": 60, "second": 1}


def _date_diff(w: Writer, node: exp.DateDiff) -> Value:
    """Boundaries of the unit passed; sqlglot holds the later time first."""
    unit = node.args["unit"].name.lower()
    end, start = w.value(node.this), w.value(node.expression)
    if NULL in (end.kind, start.kind):
        return Value("CAST(NULL AS bigint)", INT8)
    a, b = _moment(start, "date_diff"), _moment(end, "date_diff")
    months = "(date_part('year', {0}) * 12 + date_part('month', {0}))"
    if unit in ("month", "quarter", "year"):
        per = {"month": None, "quarter": 3, "year": 12}[unit]
        ends = [months.format(x) if per is None else f"floor(({months.format(x)} - 1) / {per})" for x in (b, a)]
        return Value(f"CAST({ends[0]} - {ends[1]} AS bigint)", INT8)
    # A date less a date is a number of days; less a timestamp it would be an interval.
    days = f"(CAST({b} AS date) - CAST({a} AS date))"
    if unit == "day":
        return Value(f"CAST({days} AS bigint)", INT8)
    if unit == "week":  # DuckDB counts whole weeks, not Mondays
        return Value(f"CAST({days} / 7 AS bigint)", INT8)
    if unit in _STEPS:
        ends = [f"extract(epoch FROM date_trunc('{unit}', {x}))" for x in (b, a)]
        return Value(f"CAST(({ends[0]} - {ends[1]}) / {_STEPS[unit]} AS bigint)", INT8)
    raise Unsaid(f"date_diff in the unit '{unit[:20]}'")


# --- written -------------------------------------------------------------------------------------------------------

_CODES = {
    "%Y": "YYYY", "%y": "YY", "%m": "MM", "%-m": "FMMM", "%d": "DD", "%-d": "FMDD", "%H": "HH24", "%-H": "FMHH24",
    "%I": "HH12", "%-I": "FMHH12", "%M": "MI", "%-M": "FMMI", "%S": "SS", "%-S": "FMSS", "%j": "DDD", "%-j": "FMDDD",
    "%b": "Mon", "%B": "FMMonth", "%a": "Dy", "%A": "FMDay", "%p": "AM", "%f": "US", "%g": "MS", "%G": "IYYY",
    "%V": "IW", "%u": "ID",
}  # fmt: skip


def _template(form: str) -> str:
    """Strftime's format as to_char's."""
    out, at = "", 0
    while at < len(form):
        if form[at] != "%":
            # Every letter is quoted: to_char would take D or Q for a pattern.
            out += '"' + (form[at] if form[at] not in '"\\' else "\\" + form[at]) + '"'
            at += 1
            continue
        code = form[at : at + 3] if form[at + 1 : at + 2] == "-" else form[at : at + 2]
        if code == "%%":
            out += '"%"'
        elif code in _CODES:
            out += _CODES[code]
        else:
            raise Unsaid(f"a time written as '{code}'")
        at += len(code)
    return out


def _strftime(w: Writer, node: exp.TimeToStr) -> Value:
    form = constant_of(w.value(node.args["format"]))
    if not isinstance(form, str):
        raise Unsaid("strftime() by a format that is no constant")
    value = w.value(node.this)
    if value.kind == NULL:
        return Value("CAST(NULL AS text)", TEXT)
    text = f"to_char({_moment(value, 'strftime')}, {literal(_template(form))})"
    return Value(compared_bytewise(w, text), TEXT)


def _name(w: Writer, node: exp.Expr) -> Value:
    form = "FMDay" if isinstance(node, exp.Dayname) else "FMMonth"
    return Value(compared_bytewise(w, f"to_char({_moment(w.value(node.this), 'a name')}, '{form}')"), TEXT)


def _last_day(w: Writer, node: exp.LastDay) -> Value:
    start = f"date_trunc('month', {_moment(w.value(node.this), 'last_day')})"
    return Value(f"CAST({start} + INTERVAL '1 month - 1 day' AS date)", DATE)


# --- made ----------------------------------------------------------------------------------------------------------


def _try(w: Writer, node: exp.Expr) -> Value:
    inner = node.this
    if isinstance(inner, exp.DateFromParts):
        return _made_date(w, inner)
    raise Unsaid(f"TRY({type(inner).__name__.lower()}(…))")


def _made_date(w: Writer, node: exp.DateFromParts) -> Value:
    parts = [try_cast(w, w.value(node.args[name]), INT4).sql for name in ("year", "month", "day")]
    year, month, day = parts
    last = f"date_part('day', make_date({year}, {month}, 1) + INTERVAL '1 month - 1 day')"
    return Value(
        f"(CASE WHEN {year} BETWEEN 1 AND 9999 AND {month} BETWEEN 1 AND 12 THEN CASE WHEN {day} BETWEEN 1 AND {last} "
        f"THEN make_date({year}, {month}, {day}) END END)",
        DATE,
    )


def _bucket(w: Writer, node: exp.DateBin) -> Value:
    """``time_bucket(step, time[, origin])`` of days and less."""
    step, value = w.value(node.this), w.value(node.expression)
    origin = node.args.get("origin") or node.args.get("unit") or node.args.get("zone")
    if isinstance(origin, exp.Var) or step.kind != INTERVAL or "month" in step.sql or "year" in step.sql:
        raise Unsaid("time_bucket() by months")
    # DuckDB's own origin, a Monday; PostgreSQL's date_bin wants one.
    start = w.value(origin) if isinstance(origin, exp.Expr) else Value("TIMESTAMP '2000-01-03 00:00:00'", TIMESTAMP)
    return Value(f"date_bin({step.sql}, {_moment(value, 'time_bucket')}, {_moment(start, 'time_bucket')})", TIMESTAMP)


_UNITS = {"microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "year", "quarter"}


def _interval(w: Writer, node: exp.Interval) -> Value:
    unit = node.args["unit"].name.lower().removesuffix("s") if node.args.get("unit") is not None else ""
    if unit not in _UNITS:
        raise not_declared(node)
    inner = node.this.unnest()
    # PostgreSQL's intervals know no quarter.
    one = "3 months" if unit == "quarter" else f"1 {unit}"
    if isinstance(inner, exp.Literal) and inner.this.lstrip("-").isdigit():
        amount = inner.this
    elif isinstance(inner, exp.Neg) and isinstance(inner.this, exp.Literal) and inner.this.this.isdigit():
        amount = f"-{inner.this.this}"
    else:
        value = w.value(inner)
        if not value.kind.is_whole:
            raise Unsaid(f"an interval of a {value.kind.duckdb}")
        return Value(f"({value.sql} * INTERVAL '{one}')", INTERVAL)
    text = f"{int(amount) * 3} months" if unit == "quarter" else f"{amount} {unit}"
    return Value(f"INTERVAL '{text}'", INTERVAL)


def _to_units(unit: str) -> Callable[[Writer, exp.Anonymous], Value]:
    def made(w: Writer, node: exp.Anonymous) -> Value:
        value = w.value(node.expressions[0])
        if not value.kind.is_whole:
            raise Unsaid(f"to_{unit}s() of a {value.kind.duckdb}")
        return Value(f"({value.sql} * INTERVAL '1 {unit}')", INTERVAL)

    return made


def _timezone(w: Writer, node: exp.Anonymous) -> Value:
    zone, value = w.all(node.expressions)
    if not isinstance(constant_of(zone), str):
        raise Unsaid("a time zone that is no constant")
    if value.kind == TIMESTAMPTZ:
        return Value(f"timezone({zone.sql}, {value.sql})", TIMESTAMP)
    if value.kind.name in _TIMES:
        return Value(f"timezone({zone.sql}, {_moment(value, 'timezone')})", TIMESTAMPTZ)
    if value.kind == NULL:
        return Value("CAST(NULL AS timestamp)", TIMESTAMP)
    raise Unsaid(f"a time zone for a {value.kind.duckdb}")


def _now(w: Writer, node: exp.Expr) -> Value:
    return Value("now()", TIMESTAMPTZ)


def _today(w: Writer, node: exp.Expr) -> Value:
    # current_date would be that of the session's zone.
    return Value("CAST(timezone('UTC', now()) AS date)", DATE)


def _age(w: Writer, node: exp.Anonymous) -> Value:
    if len(node.expressions) != 2:
        raise not_declared(node)
    end, start = (_moment(value, "age") for value in w.all(node.expressions))
    return Value(f"age({end}, {start})", INTERVAL)


def _epoch(w: Writer, node: exp.Anonymous) -> Value:
    return _part("epoch", w.value(node.expressions[0]))


def _isfinite(w: Writer, node: exp.Anonymous) -> Value:
    value = w.value(node.expressions[0])
    if value.kind.name in _TIMES:
        return Value(f"isfinite({value.sql})", BOOL)
    unending = "CAST('Infinity' AS double precision)"
    return Value(f"(abs({float_of(value)}) < {unending})", BOOL)


TIMES: Mapping[type[exp.Expr], Rule] = {
    exp.TimestampTrunc: _date_trunc,
    exp.DateTrunc: _date_trunc,
    exp.Extract: _extract,
    **dict.fromkeys(_NAMED_PARTS, _named_part),
    exp.DateDiff: _date_diff,
    exp.TimeToStr: _strftime,
    exp.Dayname: _name,
    exp.Monthname: _name,
    exp.LastDay: _last_day,
    exp.Try: _try,
    exp.DateBin: _bucket,
    exp.Interval: _interval,
    exp.CurrentTimestamp: _now,
    exp.CurrentDate: _today,
}

TIME_CALLS: Mapping[str, Callable[[Writer, exp.Anonymous], Value]] = {
    "date_part": _date_part,
    "timezone": _timezone,
    "now": _now,
    "age": _age,
    "epoch": _epoch,
    "isfinite": _isfinite,
    **{f"to_{unit}s": _to_units(unit) for unit in ("second", "minute", "hour", "day", "week", "month", "year")},
}
