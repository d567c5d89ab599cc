"""``generate_series(start, end, step)`` and ``unnest(ARRAY[…])``: rows that come from no table, and not too many."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import word
from ...errors import InvalidQuery, NotAllowed, TooComplex
from ...intervals import Interval, IntervalError, parse_interval
from ..binding import types
from ..binding.binding import Binder
from ..refusals import check_args
from ..values import Bound

__all__ = ["MOST", "from_list", "listed_rows", "series"]

MOST = 100_000
_MOST_DAYS = 400_000  # a thousand years
_WRITE = "write FROM generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL '1 day') AS g(day)"


def series(b: Binder, node: exp.ExplodingGenerateSeries | exp.GenerateSeries) -> Bound:
    """The series as a FROM item with the column ``n``; its bounds are constants or subqueries, its step a constant."""
    check_args(node, ("start", "end", "step"))
    ends = [node.args.get("start"), node.args.get("end")]
    if any(end is None for end in ends):
        raise InvalidQuery(f"generate_series takes a start and an end; {_WRITE}.")
    step = node.args.get("step")
    low, high = (b.bind(end) for end in ends if end is not None)
    if low.kind == "number" or high.kind == "number":
        return _numbers(b, low, high, step)
    length = _length(step)
    first, last = (_moment(b, end) for end in ends)
    if first and last and (last - first).total_seconds() / 86_400 / _days(length) > _most(length):
        raise TooComplex(f"A series may have at most {_most(length):,} values of this step.")
    return _times(b, low, high, length)


def _moment(b: Binder, node: Any) -> datetime | None:
    """The moment of a constant; None for what only the engine knows."""
    inner = node.this if isinstance(node, exp.Cast) else node
    value = b.to(b.bind(inner), "timestamp").literal if isinstance(inner, exp.Literal) else None
    if isinstance(value, datetime):
        return value
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None


def _days(step: Interval) -> float:
    # About: only to see whether a series is far too long.
    days = step.months * 30.4 + step.days + step.seconds / 86_400
    return -max(-days, 1e-6) if step.negative else max(days, 1e-6)


def _most(step: Interval) -> int:
    return max(1, int(min(MOST, _MOST_DAYS / abs(_days(step)))))


def _numbers(b: Binder, low: Bound, high: Bound, node: exp.Expr | None) -> Bound:
    bounds = [types.expect(b, bound, "number", "generate_series") for bound in (low, high)]
    step = b.bind(node).literal if node is not None else 1
    if not isinstance(step, int) or isinstance(step, bool) or step == 0:
        raise InvalidQuery("generate_series over numbers takes a whole number other than 0 as its step.")
    values = [bound.literal for bound in bounds if bound.is_literal]
    if any(not isinstance(value, int) or abs(value) >= 2**62 for value in values):
        raise InvalidQuery("generate_series over numbers counts in whole numbers; its bounds are such.")
    if len(values) == 2 and (values[1] - values[0]) // step >= MOST:
        raise TooComplex(f"A series may have at most {MOST:,} values.")
    ends = [say.safe_cast(bound.sql, say.WHOLE) for bound in bounds]
    return _rows(b, ends, word(str(step)), word(f"{step * MOST}"), step < 0, "number", *bounds)


def _times(b: Binder, low: Bound, high: Bound, step: Interval) -> Bound:
    bounds = [types.expect(b, bound, "time", "generate_series") for bound in (low, high)]
    most = _most(step)
    span = say.interval(Interval(step.months * most, step.days * most, step.seconds * most))
    ends = [say.cast(bound.sql, say.TIMESTAMP) for bound in bounds]
    return _rows(b, ends, say.interval(step), span, step.negative, "timestamp", *bounds)


def _length(node: exp.Expr | None) -> Interval:
    text = None
    if isinstance(node, exp.Cast):
        node = node.this
    if isinstance(node, exp.Literal) and node.is_string:
        text = node.this
    elif isinstance(node, exp.Interval) and isinstance(node.this, exp.Literal):
        unit = node.args.get("unit")
        text = f"{node.this.this} {unit.name}" if unit is not None else node.this.this
    try:
        step = parse_interval(str(text or "").lower())
    except IntervalError:
        raise InvalidQuery(f"generate_series over times takes a constant step; {_WRITE}.") from None
    if not step or (step.negative and -step != Interval(abs(step.months), abs(step.days), abs(step.seconds))):
        raise InvalidQuery("The step of generate_series goes forward or back, and is not 0.")
    return step


def _rows(b: Binder, ends: list[str], step: str, span: str, down: bool, kind: str, *bounds: Bound) -> Bound:
    if any(bound.row and bound.uses for bound in bounds):
        raise NotAllowed("The bounds of generate_series are constants or subqueries, not columns of other relations.")
    b.risky(*bounds)
    sql = say.bounded_rows(ends[0], ends[1], step, span, down=down)
    return Bound(sql, kind, zoned=False if kind == "timestamp" else None)


def listed_rows(node: exp.Expr) -> exp.Values | None:
    """``unnest(ARRAY[a, b])`` as VALUES."""
    inner = node.expressions[0] if isinstance(node, exp.Unnest) and len(node.expressions) == 1 else node.this
    if not isinstance(inner, exp.Array) or not inner.expressions:
        return None
    check_args(inner, ("expressions",))
    return exp.Values(expressions=[exp.Tuple(expressions=[value.copy()]) for value in inner.expressions])


def from_list(select: exp.Select) -> exp.Select:
    """``SELECT generate_series(1, 3) AS n`` without FROM, as the SELECT over that series which it means."""
    if select.args.get("from_") is not None:
        return select
    items = [(i, item.unalias()) for i, item in enumerate(select.expressions)]
    found = [(i, node) for i, node in items if isinstance(node, (exp.ExplodingGenerateSeries, exp.Explode))]
    if len(found) != 1:
        return select
    at, node = found[0]
    name = select.expressions[at].alias or ("unnest" if isinstance(node, exp.Explode) else "generate_series")
    alias = exp.TableAlias(this=exp.to_identifier("svc_rows"), columns=[exp.to_identifier(name, quoted=True)])
    item: exp.Expr
    if isinstance(node, exp.Explode):
        item = exp.Unnest(expressions=[node.this.copy()], alias=alias)
    else:
        item = exp.Table(this=node.copy(), alias=alias)
    changed = select.copy()
    changed.set("from_", exp.From(this=item))
    changed.expressions[at].replace(exp.alias_(exp.column(name, "svc_rows", quoted=True), name, quoted=True))
    return changed
