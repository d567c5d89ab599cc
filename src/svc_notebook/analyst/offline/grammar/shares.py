"""A condition's share of the rows or of a total, and each group's share of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..forms import (
    ROWS,
    Aggregate,
    And,
    Clause,
    Condition,
    Filter,
    Form,
    Over,
    Ratio,
)
from .binding import bound
from .drafts import Draft
from .ordering import ranked
from .partial import Features

__all__ = ["percent"]

_PARTED = ("rows", "count", "count_distinct", "sum")  # numbers of a whole that its parts have a share of


def percent(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    """A condition's share of the rows, of a total; or each group's share of all."""
    conditions = [f.condition for f in form.where]
    known = [b.condition for b in bound(d) if b.kind != "period"]
    periods = len(d.timed)
    plain = [m.expression for m in form.measures if isinstance(m.expression, Aggregate)]
    whole = plain[0] if plain else ROWS
    if whole.function == "measure":
        return
    beside = () if whole.function in _PARTED else form.measures
    if beside:  # an average has no parts: the share is one of the rows, and the average is asked for as well
        whole = ROWS
    options: list[tuple[list[Condition], list[Condition], str]] = []
    # Periods say which rows all of it is; what else is said is what there is a share of.
    tested = [c for c in conditions if c in known]
    kept = [c for c in conditions if c not in tested]
    if tested:
        options.append((tested, kept, "percent:conditions"))
        # One of several conditions may be the share, and the others of which rows.
        if len(tested) > 1:
            options.append((tested[:1], [*kept, *tested[1:]], "percent:first"))
            options.append((tested[-1:], [*kept, *tested[:-1]], "percent:last"))
    for above, outer, feature in options:
        condition = above[0] if len(above) == 1 else And(tuple(above))
        ratio = Ratio(replace(whole, where=condition), whole, True)
        made = form.with_(measures=(Clause(ratio), *beside), where=tuple(Filter(c) for c in outer))
        yield from ranked(d, made, (*features, (feature, 1.0), *([("percent:beside", 1.0)] if beside else [])))
        if d.measured and not beside:
            several = made.with_(measures=(Clause(ratio.above), Clause(ratio)))
            yield from ranked(d, several, (*features, (feature, 1.0), ("percent:beside", 1.0)))
    if form.groups and not beside and (not tested or periods):
        share = Over("share", whole)
        yield from ranked(d, form.with_(measures=(Clause(share),)), (*features, ("percent:share", 1.0)))
