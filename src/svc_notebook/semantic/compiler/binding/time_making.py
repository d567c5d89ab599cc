"""Times made of other things, and other things of times: texts, numbers, parts, steps of a constant length."""

from __future__ import annotations

from msgspec.structs import replace
from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import among_words, sql
from ...errors import InvalidQuery
from ...intervals import GRANULARITIES, IntervalError, parse_interval
from ..refusals import check_args
from ..values import Bound
from . import types
from .binding import Binder
from .zones import at_time_zone

__all__ = [
    "age", "date_bin", "dateadd", "from_epoch", "make_timestamp", "time_bucket", "timezone", "to_char", "to_time",
]  # fmt: skip


def _template(b: Binder, node: exp.Expr | None, name: str) -> str:
    bound = b.bind(node) if node is not None else None
    if bound is None or not bound.is_literal or not isinstance(bound.literal, str) or not bound.literal:
        raise InvalidQuery(f"{name} wants a constant pattern, such as 'YYYY-MM-DD'.")
    return bound.literal


def to_char(b: Binder, node: exp.TimeToStr) -> Bound:
    check_args(node, ("this", "format"))
    value = b.bind(node.this)
    if value.kind in ("number", "boolean", "interval"):
        raise InvalidQuery(f"to_char writes times here, not a {value.kind}; write CAST(round(…, 2) AS TEXT).")
    value = types.expect(b, value, "time", "to_char")
    b.risky(value)
    pieces = [sql(form, value.sql) for form in say.pieces_of(_template(b, node.args.get("format"), "to_char"))]
    return Bound.of(pieces[0] if len(pieces) == 1 else among_words("({})", " || ", pieces), "string", value)


def to_time(b: Binder, node: exp.StrToTime | exp.StrToDate) -> Bound:
    """``to_date(text, 'YYYY-MM-DD')`` and ``to_timestamp``; a text of another form is NULL."""
    check_args(node, ("this", "format"))
    day = isinstance(node, exp.StrToDate)
    name = "to_date" if day else "to_timestamp"
    text = types.expect(b, b.bind(node.this), "string", name)
    b.risky(text)
    form = b.compilation.params.add(say.format_of(_template(b, node.args.get("format"), name)))
    moment = say.read_time(text.sql, form)
    if day:
        return Bound.of(say.cast(moment, say.DATE), "date", text)
    return replace(Bound.of(moment, "timestamp", text), zoned=True)


def from_epoch(b: Binder, node: exp.UnixToTime) -> Bound:
    """``to_timestamp(seconds)``, as the query's zone shows it."""
    check_args(node, ("this",))
    seconds = types.expect(b, b.bind(node.this), "number", "to_timestamp")
    b.risky(seconds)
    zone = b.compilation.params.add(b.compilation.timezone)
    return replace(Bound.of(say.epoch_moment(zone, seconds.sql), "timestamp", seconds), zoned=True)


def make_timestamp(b: Binder, node: exp.TimestampFromParts) -> Bound:
    names = ("year", "month", "day", "hour", "min", "sec")
    check_args(node, names)
    if any(node.args.get(name) is None for name in names):
        raise InvalidQuery("Write make_timestamp(year, month, day, hour, minute, second).")
    parts = [types.expect(b, b.bind(node.args[name]), "number", "make_timestamp") for name in names]
    b.risky(*parts)
    sql = say.made_moment([part.sql for part in parts])
    return replace(Bound.of(sql, "timestamp", *parts), zoned=False)


def _step(node: exp.Expr, name: str) -> str:
    """A constant length of days or less."""
    text = None
    if isinstance(node, exp.Literal) and node.is_string:
        text = str(node.this)
    elif isinstance(node, exp.Interval) and isinstance(node.this, exp.Literal):
        unit = node.args.get("unit")
        text = f"{node.this.this} {unit.name}" if unit is not None else str(node.this.this)
    try:
        interval = parse_interval((text or "").lower())
    except IntervalError:
        raise InvalidQuery(f"{name} wants a constant length such as '15 minutes'.") from None
    # Months have no length, so that counting them from an origin would drift.
    if interval.negative or not interval or interval.months:
        raise InvalidQuery(f"{name} takes a length of weeks or less; write date_trunc('month', …) for months.")
    return say.interval(interval)


def _bucket(b: Binder, step: str, value: exp.Expr, origin: exp.Expr | None, name: str) -> Bound:
    parts = [types.expect(b, b.bind(node), "time", name) for node in (value, origin) if node is not None]
    b.risky(*parts)
    return Bound.of(say.time_bucket(step, *(part.sql for part in parts)), "timestamp", *parts)


def date_bin(b: Binder, node: exp.DateBin) -> Bound:
    """``date_bin('15 minutes', time, origin)``."""
    check_args(node, ("this", "expression", "unit", "origin"))
    origin = node.args.get("origin")
    if origin is None and isinstance(node.args.get("unit"), exp.Var):
        raise InvalidQuery("date_bin wants an origin such as TIMESTAMP '2001-01-01'.")
    return _bucket(
        b, _step(node.this, "date_bin"), node.args["expression"], origin or node.args.get("unit"), "date_bin"
    )


def time_bucket(b: Binder, node: exp.Anonymous) -> Bound:
    """``time_bucket(INTERVAL '15 minutes', time[, origin])``; without an origin weeks begin on Monday."""
    if len(node.expressions) not in (2, 3):
        raise InvalidQuery("Write time_bucket(INTERVAL '15 minutes', time).")
    step, value, *origin = node.expressions
    return _bucket(b, _step(step, "time_bucket"), value, origin[0] if origin else None, "time_bucket")


def dateadd(b: Binder, node: exp.Anonymous) -> Bound:
    """``dateadd('day', 3, time)``."""
    unit = node.expressions[0].name.lower().rstrip("s") if len(node.expressions) == 3 else ""
    if unit not in GRANULARITIES:
        raise InvalidQuery("Write time + INTERVAL '3 days', or dateadd('day', 3, time).")
    step = exp.Interval(this=exp.Literal.string("1"), unit=exp.Var(this=unit))
    return b.bind(exp.Add(this=node.expressions[2], expression=exp.Mul(this=step, expression=node.expressions[1])))


def timezone(b: Binder, node: exp.Anonymous) -> Bound:
    """``timezone('Europe/Berlin', time)``, another spelling of AT TIME ZONE."""
    if len(node.expressions) != 2:
        raise InvalidQuery("Write time AT TIME ZONE 'Europe/Berlin'.")
    return at_time_zone(b, b.bind(node.expressions[1]), b.bind(node.expressions[0]))


def age(b: Binder, node: exp.Anonymous) -> Bound:
    """``age(end, start)``: years, months and days between them; ``age(start)`` until today."""
    if len(node.expressions) not in (1, 2):
        raise InvalidQuery("Write age(end, start).")
    start = node.expressions[-1]
    end = node.expressions[0] if len(node.expressions) == 2 else exp.CurrentDate()
    parts = [types.expect(b, b.bind(part), "time", "age") for part in (end, start)]
    b.risky(*parts)
    return Bound.of(say.age([part.sql for part in parts]), "interval", *parts)
