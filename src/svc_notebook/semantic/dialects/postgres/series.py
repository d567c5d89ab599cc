"""Rows that come from no table: ``UNNEST(generate_series(…))``."""

from __future__ import annotations

from sqlglot import exp

from ..walk.kinds import DATE, INT8, TIMESTAMP, Value
from ..walk.parts import refuse_unread
from ..walk.refusal import Unsaid
from ..walk.series import series_in
from ..walk.writer import Writer
from .names import type_name

__all__ = ["series_of"]


def series_of(w: Writer, node: exp.Explode) -> Value:
    """A series, a list; and a series behind the question whether it is too long."""
    inner = node.this
    series, too_long = series_in(inner)
    if series is not None:
        return _series(w, series, w.value(too_long).sql if too_long is not None else None)
    value = w.value(inner)
    if value.kind.item is None:
        raise Unsaid(f"unnest() of a {value.kind.duckdb}")
    return Value(f"unnest({value.sql})", value.kind.item)


def _series(w: Writer, node: exp.GenerateSeries, too_long: str | None) -> Value:
    refuse_unread(node)
    if node.args.get("is_end_exclusive"):
        raise Unsaid("a range without its end")
    low, high = w.value(node.args["start"]), w.value(node.args["end"])
    if low.kind.is_whole:
        kind = INT8
        step = w.value(node.args["step"]).sql if node.args.get("step") is not None else "1"
    elif low.kind in (DATE, TIMESTAMP):
        # DuckDB counts dates as timestamps; PostgreSQL would take them for moments in the zone of the session.
        kind, step = TIMESTAMP, w.value(node.args["step"]).sql
    else:
        raise Unsaid(f"a series of {low.kind.duckdb}")
    first, last = (f"CAST({end.sql} AS {type_name(kind)})" for end in (low, high))
    if too_long is not None:  # a cast that fails, since there is no function that does
        failing = f"CAST('series too long ' || CAST({low.sql} AS text) AS {type_name(kind)})"
        last = f"(CASE WHEN {too_long} THEN {failing} ELSE {last} END)"
    return Value(f"generate_series({first}, {last}, {step})", kind)
