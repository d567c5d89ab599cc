"""Times: truncated, counted, taken apart, written; zones; intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ..walk.kinds import BOOL, DATE, FLOAT8, INT4, INT8, INTERVAL, NULL, TEXT, TIMESTAMP, TIMESTAMPTZ, Span, Value
from ..walk.operators import constant_of
from ..walk.refusal import Unsaid, not_declared
from ..walk.writer import Rule, Writer
from .conversions import float_of, try_cast
from .names import literal

__all__ = ["TIMES", "TIME_CALLS"]

_TIMES = ("date", "timestamp")
_OF_DAYS, _OF_CLOCKS = ("week", "month", "quarter", "year"), ("hour", "minute", "second", "millisecond")


def _moment(value: Value, what: str) -> str:
    """A date or timestamp as a timestamp."""
    if value.kind == TIMESTAMP:
        return value.sql
    if value.kind == DATE:
        return f"CAST({value.sql} AS TIMESTAMP_NTZ)"
    raise Unsaid(f"{what} of a {value.kind.duckdb}")


def _day(value: Value, what: str) -> str:
    if value.kind == DATE:
        return value.sql
    return f"CAST({_moment(value, what)} AS DATE)"


def _truncated(unit: str, value: Value) -> str:
    # A date has no clock: its hour is its midnight.
    if unit == "day" or (value.kind == DATE and unit in _OF_CLOCKS):
        return f"CAST({_day(value, 'date_trunc')} AS TIMESTAMP_NTZ)"
    if unit in _OF_DAYS:
        return f"CAST(trunc({_day(value, 'date_trunc')}, '{unit}') AS TIMESTAMP_NTZ)"
    if unit in _OF_CLOCKS:  # the session's zone is UTC: every clock's reading is there once
        return f"CAST(date_trunc('{unit}', CAST({_moment(value, 'date_trunc')} AS TIMESTAMP)) AS TIMESTAMP_NTZ)"
    raise Unsaid(f"date_trunc to '{unit[:20]}'")


def _date_trunc(w: Writer, node: exp.TimestampTrunc) -> Value:
    unit, value = node.args["unit"].name.lower(), w.value(node.this)
    if node.args.get("zone") is not None:
        raise Unsaid("date_trunc in a time zone")
    if value.kind == NULL:
        return Value(w.null(TIMESTAMP), TIMESTAMP)
    return Value(_truncated(unit, value), TIMESTAMP)


# --- parts ---------------------------------------------------------------------------------------------------------

_MICROS = "unix_micros(CAST({0} AS TIMESTAMP))"
_PARTS = {
    "year": "year({0})", "quarter": "quarter({0})", "month": "month({0})", "week": "weekofyear({0})", "day": "day({0})",
    # Spark's Sunday is 1 and its Monday, by weekday(), 0; DuckDB's Sunday is 0 and its ISO Monday 1.
    "dow": "(dayofweek({0}) - 1)", "isodow": "(weekday({0}) + 1)", "doy": "dayofyear({0})", "hour": "hour({0})",
    "minute": "minute({0})", "second": "second({0})", "isoyear": "extract(YEAROFWEEK FROM {0})",
    "millisecond": f"(pmod({_MICROS}, 60000000) div 1000)", "microsecond": f"pmod({_MICROS}, 60000000)",
}  # fmt: skip
_PARTS |= {"weekday": _PARTS["dow"], "dayofweek": _PARTS["dow"], "dayofyear": _PARTS["doy"],
           "weekofyear": _PARTS["week"], "dayofmonth": _PARTS["day"]}  # fmt: skip


def _part(w: Writer, part: str, value: Value) -> Value:
    if value.kind == NULL:
        return Value(w.null(INT8), INT8)
    if part == "epoch" and value.kind.name in _TIMES:
        return Value(f"(CAST({_MICROS.format(_moment(value, part))} AS DOUBLE) / 1e6D)", FLOAT8)
    if value.kind.name not in _TIMES or part not in _PARTS:
        raise Unsaid(f"the '{part[:20]}' of a {value.kind.duckdb}")
    return Value(f"CAST({_PARTS[part].format(_moment(value, part))} AS BIGINT)", INT8)


def _date_part(w: Writer, node: exp.Anonymous) -> Value:
    part = constant_of(w.value(node.expressions[0]))
    return _part(w, str(part).lower(), w.value(node.expressions[1]))


def _extract(w: Writer, node: exp.Extract) -> Value:
    return _part(w, node.this.name.lower(), w.value(node.expression))


_NAMED_PARTS: Mapping[type[exp.Expr], str] = {
    exp.Year: "year", exp.Quarter: "quarter", exp.Month: "month", exp.Week: "week", exp.WeekOfYear: "week",
    exp.Day: "day", exp.DayOfMonth: "day", exp.DayOfWeek: "dow", exp.DayOfWeekIso: "isodow", exp.DayOfYear: "doy",
    exp.Hour: "hour", exp.Minute: "minute", exp.Second: "second", exp.TimeToUnix: "epoch",
}  # fmt: skip


def _named_part(w: Writer, node: exp.Expr) -> Value:
    return _part(w, _NAMED_PARTS[type(node)], w.value(node.this))


# --- differences ---------------------------------------------------------------------------------------------------

_STEPS = {"hour": 3600, "minute": 60, "second": 1}
_COUNTED = {
    "month": "(year({0}) * 12 + month({0}))", "quarter": "(year({0}) * 4 + quarter({0}))", "year": "year({0})",
}  # fmt: skip


def _date_diff(w: Writer, node: exp.DateDiff) -> Value:
    """Boundaries of the unit passed; sqlglot holds the later time first."""
    unit = node.args["unit"].name.lower()
    end, start = w.value(node.this), w.value(node.expression)
    if NULL in (end.kind, start.kind):
        return Value(w.null(INT8), INT8)
    if unit in _COUNTED:
        a, b = (_COUNTED[unit].format(_day(value, "date_diff")) for value in (start, end))
        return Value(f"CAST({b} - {a} AS BIGINT)", INT8)
    days = f"CAST(datediff({_day(end, 'date_diff')}, {_day(start, 'date_diff')}) AS BIGINT)"
    if unit == "day":
        return Value(days, INT8)
    if unit == "week":  # DuckDB counts whole weeks, not Mondays
        return Value(f"({days} div 7)", INT8)
    if unit in _STEPS:
        size = _STEPS[unit] * 1_000_000
        a, b = (_MICROS.format(_moment(value, "date_diff")) for value in (start, end))
        return Value(f"((({b} - pmod({b}, {size})) - ({a} - pmod({a}, {size}))) div {size})", INT8)
    raise Unsaid(f"date_diff in the unit '{unit[:20]}'")


# --- written -------------------------------------------------------------------------------------------------------

_CODES = {
    "%Y": "yyyy", "%y": "yy", "%m": "MM", "%-m": "M", "%d": "dd", "%-d": "d", "%H": "HH", "%-H": "H", "%I": "hh",
    "%-I": "h", "%M": "mm", "%-M": "m", "%S": "ss", "%-S": "s", "%j": "DDD", "%-j": "D", "%b": "MMM", "%B": "MMMM",
    "%a": "EEE", "%A": "EEEE", "%p": "a", "%f": "SSSSSS", "%g": "SSS",
}  # fmt: skip
_OF_WEEKS = {
    "%G": "lpad(CAST(extract(YEAROFWEEK FROM {0}) AS STRING), 4, '0')",
    "%V": "lpad(CAST(weekofyear({0}) AS STRING), 2, '0')",
    "%u": "CAST(weekday({0}) + 1 AS STRING)",
}  # fmt: skip


# A letter of a text would be read as a pattern, so texts stand beside the patterns and not in them.
_PLAIN = " -:/.,"  # what a pattern has as it is


def _written(form: str, moment: str) -> str:
    """A time by strftime's format: Spark's patterns, and beside them texts and what patterns have no letters for."""
    pieces: list[str] = []
    pattern, text, at = "", "", 0
    while at < len(form):
        size = 3 if form[at : at + 2] == "%-" else 2 if form[at] == "%" else 1
        code = form[at : at + size]
        at += size
        if code not in _CODES and code not in _OF_WEEKS and size > 1 and code != "%%":
            raise Unsaid(f"a time written as '{code}'")
        if code in _CODES:
            text, pieces = "", [*pieces, literal(text)] if text else pieces
            pattern += _CODES[code]
            continue
        if not pattern and code not in _OF_WEEKS:
            text += code[-1]
            continue
        if code not in _OF_WEEKS and code[-1] in _PLAIN:
            pattern += code[-1]
            continue
        pieces += [f"date_format({moment}, {literal(pattern)})"] if pattern else []
        pieces += [literal(text)] if text else []
        pattern = text = ""
        if code in _OF_WEEKS:
            pieces.append(_OF_WEEKS[code].format(moment))
        else:
            text = code[-1]
    pieces += [f"date_format({moment}, {literal(pattern)})"] if pattern else []
    pieces += [literal(text)] if text else []
    return f"concat({', '.join(pieces)})" if pieces else f"(CASE WHEN {moment} IS NOT NULL THEN '' END)"


def _strftime(w: Writer, node: exp.TimeToStr) -> Value:
    form = constant_of(w.value(node.args["format"]))
    if not isinstance(form, str):
        raise Unsaid("strftime() by a format that is no constant")
    value = w.value(node.this)
    if value.kind == NULL:
        return Value(w.null(), TEXT)
    return Value(_written(form, _moment(value, "strftime")), TEXT)


def _name(w: Writer, node: exp.Expr) -> Value:
    form = "EEEE" if isinstance(node, exp.Dayname) else "MMMM"
    return Value(f"date_format({_moment(w.value(node.this), 'a name')}, '{form}')", TEXT)


def _last_day(w: Writer, node: exp.LastDay) -> Value:
    return Value(f"last_day({_day(w.value(node.this), 'last_day')})", DATE)


# --- made ----------------------------------------------------------------------------------------------------------


def _try(w: Writer, node: exp.Expr) -> Value:
    inner = node.this
    if isinstance(inner, exp.DateFromParts):
        return _made_date(w, inner)
    raise Unsaid(f"TRY({type(inner).__name__.lower()}(…))")


def _made_date(w: Writer, node: exp.DateFromParts) -> Value:
    year, month, day = (try_cast(w, w.value(node.args[name]), INT4).sql for name in ("year", "month", "day"))
    last = f"day(last_day(make_date({year}, {month}, 1)))"
    return Value(
        f"(CASE WHEN {year} BETWEEN 1 AND 9999 AND {month} BETWEEN 1 AND 12 THEN CASE WHEN {day} BETWEEN 1 AND {last} "
        f"THEN make_date({year}, {month}, {day}) END END)",
        DATE,
    )


_PLACES = {"year": 0, "month": 1, "week": 2, "day": 3, "hour": 4, "minute": 5, "second": 6}
_PARTS_OF = {"quarter": ("month", 3), "millisecond": ("second", 0.001), "microsecond": ("second", 0.000001)}


def _interval(w: Writer, node: exp.Interval) -> Value:
    unit = node.args["unit"].name.lower().removesuffix("s") if node.args.get("unit") is not None else ""
    name, times = _PARTS_OF.get(unit, (unit, 1))
    if name not in _PLACES:
        raise not_declared(node)
    inner = node.this.unnest()
    negative = isinstance(inner, exp.Neg)
    number = inner.this if isinstance(inner, exp.Neg) else inner
    if isinstance(number, exp.Literal) and number.this.lstrip("-").isdigit():
        amount = int(number.this) * (-1 if negative else 1)
        shown = f"{amount * times:.6f}" if isinstance(times, float) else str(amount * times)
        return Value(_made(name, shown), INTERVAL, _span(name, amount * times))
    value = w.value(inner)
    if not value.kind.is_whole or isinstance(times, float):
        raise Unsaid(f"an interval of a {value.kind.duckdb}")
    return Value(_made(name, f"CAST({value.sql} * {times} AS INT)"), INTERVAL)


def _made(name: str, amount: str) -> str:
    return f"make_interval({', '.join(['0'] * _PLACES[name])}{', ' if _PLACES[name] else ''}{amount})"


_MICROS_OF = {"week": 604_800_000_000, "day": 86_400_000_000, "hour": 3_600_000_000, "minute": 60_000_000,
              "second": 1_000_000}  # fmt: skip


def _span(name: str, amount: float) -> Span:
    if name in _MICROS_OF:
        return Span(micros=round(_MICROS_OF[name] * amount))
    return Span(months=int(amount) * (12 if name == "year" else 1))


def _bucket(w: Writer, node: exp.DateBin) -> Value:
    """``time_bucket(step, time[, origin])`` of days and less."""
    step, value = w.value(node.this), w.value(node.expression)
    origin = node.args.get("origin") or node.args.get("unit") or node.args.get("zone")
    if isinstance(origin, exp.Var) or not isinstance(step.constant, Span) or step.constant.months:
        raise Unsaid("time_bucket() by months")
    start = w.value(origin) if isinstance(origin, exp.Expr) else Value("TIMESTAMP_NTZ'2000-01-03 00:00:00'", TIMESTAMP)
    at, first = (_MICROS.format(_moment(each, "time_bucket")) for each in (value, start))
    return Value(
        f"CAST(timestamp_micros({at} - pmod({at} - {first}, {step.constant.micros})) AS TIMESTAMP_NTZ)", TIMESTAMP
    )


def _to_units(unit: str) -> Callable[[Writer, exp.Anonymous], Value]:
    def made(w: Writer, node: exp.Anonymous) -> Value:
        value = w.value(node.expressions[0])
        if not value.kind.is_whole:
            raise Unsaid(f"to_{unit}s() of a {value.kind.duckdb}")
        return Value(_made(unit, f"CAST({value.sql} AS INT)"), INTERVAL)

    return made


def _timezone(w: Writer, node: exp.Anonymous) -> Value:
    zone, value = w.all(node.expressions)
    if not isinstance(constant_of(zone), str):
        raise Unsaid("a time zone that is no constant")
    if value.kind == TIMESTAMPTZ:
        return Value(f"convert_timezone('UTC', {zone.sql}, CAST({value.sql} AS TIMESTAMP_NTZ))", TIMESTAMP)
    if value.kind.name in _TIMES:
        return Value(f"CAST({_in_utc(zone.sql, _moment(value, 'timezone'))} AS TIMESTAMP)", TIMESTAMPTZ)
    if value.kind == NULL:
        return Value(w.null(TIMESTAMP), TIMESTAMP)
    raise Unsaid(f"a time zone for a {value.kind.duckdb}")


def _in_utc(zone: str, local: str) -> str:
    """A clock's reading in UTC; of the two moments that read alike in autumn the later, as DuckDB has it."""
    first = f"convert_timezone({zone}, 'UTC', {local})"
    # An hour, or half of one: Lord Howe Island puts its clocks back by thirty minutes.
    tries = [f"({first} + make_interval(0, 0, 0, 0, 0, {minutes}))" for minutes in (60, 30)]
    tests = " ".join(f"WHEN convert_timezone('UTC', {zone}, {x}) = {local} THEN {x}" for x in tries)
    return f"(CASE {tests} ELSE {first} END)"


def _now(w: Writer, node: exp.Expr) -> Value:
    return Value("now()", TIMESTAMPTZ)


def _today(w: Writer, node: exp.Expr) -> Value:
    return Value("current_date()", DATE)


def _epoch(w: Writer, node: exp.Anonymous) -> Value:
    return _part(w, "epoch", w.value(node.expressions[0]))


def _isfinite(w: Writer, node: exp.Anonymous) -> Value:
    value = w.value(node.expressions[0])
    if value.kind.name in _TIMES:
        return Value(f"(CASE WHEN {value.sql} IS NOT NULL THEN TRUE END)", BOOL)
    return Value(f"(abs({float_of(value)}) < CAST('Infinity' AS DOUBLE))", BOOL)


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
    "epoch": _epoch,
    "isfinite": _isfinite,
    **{f"to_{unit}s": _to_units(unit) for unit in ("second", "minute", "hour", "day", "week", "month", "year")},
}
