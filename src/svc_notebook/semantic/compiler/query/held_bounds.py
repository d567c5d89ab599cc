"""Bounds of a time of a cube that is read from a rollup: they hold where a period begins at them."""

from __future__ import annotations

from datetime import date, datetime, time

from msgspec.structs import replace
from sqlglot import exp

from .... import patterns as re
from ...dialects import duckdb as say
from ...dialects.nodes import joined_by, sql
from ...errors import InvalidQuery
from ..binding.binding import Binder
from ..plan.leaves import Filter
from ..rollup_tables import begins, next_moment
from ..values import Bound, as_kind

__all__ = ["bounded_by_periods"]

_WITHOUT_ZONE = re.compile(r"\d{4}-\d\d-\d\d([ T][\d:.]+)?")
_CONSTANTS = (exp.Cast, exp.Literal, exp.DataType, exp.Paren)


def bounded_by_periods(b: Binder, term: exp.Expr, found: Filter) -> Filter:
    """A condition that bounds a time of a rolled cube over the column that holds it, if periods begin at its bounds."""
    if found.of is None or not (found.low or found.high) or found.of[0] not in b.compilation.sources:
        return found
    source = b.compilation.sources[found.of[0]]
    granularity = source.period_held(found.of)
    if granularity is None:
        return found
    column = source.held_time(found.of)
    bounds = [_bound(b, column.kind, *each) for each in _bounds(term)]
    if not bounds or any(moment is None or not begins(moment, granularity) for _, moment in bounds):
        return found
    tests = [
        sql(
            f"({{}} {'>=' if low else '<'} {{}})", column.sql, say.cast(b.compilation.params.add(moment), say.TIMESTAMP)
        )
        for low, moment in bounds
    ]
    return replace(found, bound=Bound.of(sql("({})", joined_by(" AND ", tests)), "boolean", column, growth=1))


def _bounds(term: exp.Expr) -> list[tuple[type[exp.Expr], exp.Expr]]:
    """Each comparison of the column on the left."""
    if isinstance(term, exp.Between):
        return [(exp.GTE, term.args["low"]), (exp.LTE, term.args["high"])]
    flipped: dict[type[exp.Expr], type[exp.Expr]] = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE}
    if type(term) not in flipped:
        return []
    if isinstance(term.this, exp.Column):
        return [(type(term), term.args["expression"])]
    return [(flipped[type(term)], term.this)]


def _bound(b: Binder, kind: str, comparison: type[exp.Expr], value: exp.Expr) -> tuple[bool, datetime | None]:
    """Whether it bounds from below, and the first moment that is inside (below), or outside (above)."""
    moment = _constant(b, value)
    if moment is not None and comparison in (exp.GT, exp.LTE):
        try:
            moment = next_moment(moment, whole_days=kind == "date")
        except OverflowError:
            moment = None
    if moment is not None and kind == "date" and moment.time() != time():
        moment = None  # a date is compared with a time of day: which days it leaves goes by the comparison
    return comparison in (exp.GT, exp.GTE), moment


def _constant(b: Binder, value: exp.Expr) -> datetime | None:
    """The moment that a constant is; None where it has to be computed."""
    literals = list(value.find_all(exp.Literal))
    if len(literals) != 1 or not literals[0].is_string or not all(isinstance(n, _CONSTANTS) for n in value.walk()):
        return None
    if not _WITHOUT_ZONE.fullmatch(literals[0].this.strip()):
        return None
    casts = [str(node.args["to"]).upper() for node in value.find_all(exp.Cast)]
    if any(each not in ("DATE", "TIMESTAMP") for each in casts):
        return None
    try:
        read = as_kind(b.compilation.params, b.compilation.params.literal(literals[0].this), "timestamp").literal
    except InvalidQuery:
        return None
    if not isinstance(read, date):
        return None
    if not isinstance(read, datetime):
        return datetime.combine(read, time())
    return read if "DATE" not in casts else datetime.combine(read.date(), time())
