"""Rows that come from no table: ``UNNEST(generate_series(…))``."""

from __future__ import annotations

from sqlglot import exp

from ..walk.kinds import DATE, INT8, TIMESTAMP, Kind, Span, Value
from ..walk.operators import OPERATORS
from ..walk.parts import refuse_unread
from ..walk.refusal import Unsaid
from ..walk.series import series_in
from ..walk.types import kind_of_type
from ..walk.writer import Writer
from .conversions import cast
from .names import type_name

__all__ = ["cast_series", "series_of"]


def series_of(w: Writer, node: exp.Explode) -> Value:
    """A series, a list; and a series behind the question whether it is too long."""
    rows, kind = _held(w, node)
    return Value(f"explode({rows})", kind)


def cast_series(w: Writer, node: exp.Cast) -> Value:
    """A cast; one of rows that are made is done before they are rows, since nothing may stand around them."""
    inner = node.this.unnest()
    if not isinstance(inner, exp.Explode):
        return OPERATORS[type(node)](w, node)
    (rows, kind), wanted = _held(w, inner), kind_of_type(node.to)
    item = cast(w, Value("svc_item", kind), wanted)
    return Value(f"explode(transform({rows}, svc_item -> {item.sql}))", wanted)


def _held(w: Writer, node: exp.Explode) -> tuple[str, Kind]:
    """The list that is made rows of, and what it holds."""
    series, too_long = series_in(node.this)
    if series is not None:
        return _series(w, series, w.value(too_long).sql if too_long is not None else "")
    value = w.value(node.this)
    if value.kind.item is None:
        raise Unsaid(f"unnest() of a {value.kind.duckdb}")
    return value.sql, value.kind.item


def _series(w: Writer, node: exp.GenerateSeries, too_long: str) -> tuple[str, Kind]:
    refuse_unread(node)
    if node.args.get("is_end_exclusive"):
        raise Unsaid("a range without its end")
    low, high = w.value(node.args["start"]), w.value(node.args["end"])
    step = w.value(node.args["step"]) if node.args.get("step") is not None else Value("1", INT8, 1)
    if low.kind.is_whole:
        kind = INT8
    elif low.kind in (DATE, TIMESTAMP):
        kind = TIMESTAMP
    else:
        raise Unsaid(f"a series of {low.kind.duckdb}")
    first, last = (f"CAST({end.sql} AS {type_name(kind)})" for end in (low, high))
    size = step.constant
    back = size.months < 0 or size.micros < 0 if isinstance(size, Span) else isinstance(size, int) and size < 0
    if kind == TIMESTAMP and not isinstance(size, Span):
        raise Unsaid("a series of times by a step that is no constant of one unit")
    # sequence() counts backwards, or fails, where DuckDB's series is empty.
    empty = f"{first} {'<' if back else '>'} {last} OR {first} IS NULL OR {last} IS NULL"
    long = f"WHEN {too_long} THEN raise_error('series too long') " if too_long else ""
    values = f"sequence({first}, {last}, {step.sql if kind == TIMESTAMP else f'CAST({step.sql} AS BIGINT)'})"
    if isinstance(size, Span) and size.months:
        # Up to the 28th every month has the day, and both ways count alike.
        values = f"CASE WHEN day({first}) <= 28 THEN {values} ELSE {_stepwise(values)} END"
    return f"CASE {long}WHEN {empty} THEN array() ELSE {values} END", kind


def _stepwise(values: str) -> str:
    """Months from a 31st on: each goes by the day of the one before, as DuckDB counts, not by that of the first."""
    days = f"transform(slice({values}, 1, svc_at + 1), svc_day -> day(svc_day))"
    less = f"make_interval(0, 0, 0, day(svc_item) - array_min({days}))"
    return f"transform({values}, (svc_item, svc_at) -> svc_item - {less})"
