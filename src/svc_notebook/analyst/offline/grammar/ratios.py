"""One number over another: of totals, row by row, and an average per entity or per day."""

from __future__ import annotations

from collections.abc import Iterator

from ..forms import (
    ROWS,
    Aggregate,
    Arithmetic,
    Clause,
    Difference,
    Expression,
    Form,
    Limit,
    Member,
    Order,
    Ratio,
    Truncated,
    Value,
)
from ..schema.derivations import expression_of
from ..schema.member_kinds import kind_of, labels_of
from .clauses import SOME_TIME
from .computed import rows_of
from .drafts import Draft
from .partial import Features

__all__ = ["best_per_each", "per_each", "quotients"]


def quotients(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """Two numbers of a form as one divided by the other."""
    found = list(dict.fromkeys(m.expression for m in form.measures))
    # Exactly two: of three nobody knows which divides.
    if len(found) != 2:
        return
    percent = d.partial.percent
    above, below = found
    rest = form.with_(order=())
    yield rest.with_(measures=(Clause(Ratio(above, below, percent)),)), (("ratio:totals", 1.0),)
    over, under = _plain(above), _plain(below)
    if over is not None and under is not None:
        each = Aggregate("avg", Ratio(over, under, percent))
        # The average of each row's quotient is another number than that of the totals: both are readings.
        yield rest.with_(measures=(Clause(each),)), (("ratio:rows", 1.0),)
        if not form.groups:
            listed = Clause(Ratio(over, under, percent))
            labels = tuple(Clause(Member(path)) for path in labels_of(d.metadata, d.scope[0]))
            yield rest.with_(measures=(), columns=(*labels, listed)), (("ratio:listed", 1.0),)


def per_each(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """``average spend per customer``: the total over the number of those it is taken per."""
    if len(form.measures) != 1 or not isinstance(form.measures[0].expression, Aggregate):
        return
    measure = form.measures[0].expression
    total = Aggregate("sum", measure.of) if measure.function in ("avg", "sum") else measure
    if total.function not in ("sum", "rows", "count_distinct"):
        return
    for clause in d.grouped:
        below = _entities(d, clause.relation) if clause.relation else _units(d, clause.path, clause.grain)
        if below is None:
            continue
        gone = {Member(p) for p in labels_of(d.metadata, clause.relation)} if clause.relation else set[Member]()
        kept = tuple(g for g in form.groups if g.expression not in gone and not g.hidden)
        kept = tuple(g for g in kept if not clause.grain or _grain_of(g.expression) != clause.grain)
        kind = "entity" if clause.relation else "unit"
        yield form.with_(groups=kept, measures=(Clause(Ratio(total, below)),), order=()), ((f"ratio:per:{kind}", 1.0),)


def best_per_each(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """``which town has most loans per borrower``: ranked by the number for each of those in a group."""
    best = d.best
    if best is None:
        return
    if best.relation:
        above = rows_of(d, best.relation)
    elif best.path is not None and kind_of(d.metadata, best.path) == "number" and not best.hints:
        above = Aggregate("sum", expression_of(best.path))
    elif form.measures and isinstance(form.measures[0].expression, Aggregate):
        above = form.measures[0].expression
    else:
        return
    if not isinstance(above, Aggregate) or above.function not in ("sum", "rows", "count_distinct"):
        return
    for clause in d.grouped:
        below = _entities(d, clause.relation) if clause.relation else None
        gone = {Member(p) for p in labels_of(d.metadata, clause.relation)} if clause.relation else set()
        kept = tuple(g for g in form.groups if g.expression not in gone and not g.hidden)
        if below is None or below == above or not kept:
            continue
        ratio = Ratio(above, below)
        made = form.with_(groups=kept, measures=(Clause(ratio),), order=(Order(ratio, best.descending),))
        yield made.with_(limit=Limit(best.limit or 1)), (("ratio:per:entity", 1.0), ("best:by:measure", 1.0))


def _entities(d: Draft, relation: str) -> Expression | None:
    found = rows_of(d, relation)
    return None if found == ROWS else found


def _units(d: Draft, path: str, grain: str) -> Expression | None:
    """How many days there are from the first to the last row, those without a row included."""
    time = d.time if path == SOME_TIME else path
    if time is None or grain not in ("day", "week", "month", "hour"):
        return None
    span = Difference(grain, Aggregate("min", Member(time)), Aggregate("max", Member(time)))  # type: ignore[arg-type]  # one of those
    # Both ends are days.
    return Arithmetic("+", span, Value(1))


def _grain_of(of: Expression) -> str:
    return of.grain if isinstance(of, Truncated) else ""


def _plain(of: Expression) -> Expression | None:
    """The number that is aggregated, where all rows are."""
    return of.of if isinstance(of, Aggregate) and of.function in ("sum", "avg") and of.where is None else None
