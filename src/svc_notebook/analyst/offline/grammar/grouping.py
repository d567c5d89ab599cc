"""Numbers, by group or over all."""

from __future__ import annotations

from collections.abc import Iterator

from ..forms import (
    ROWS,
    Aggregate,
    Clause,
    Filter,
    Form,
    Member,
    Output,
)
from .clauses import Tested
from .computed import groups_of, having_of, measure_of
from .drafts import Draft
from .kinds import labels_of
from .ordering import ranked
from .partial import Features
from .shares import percent

__all__ = ["grouped"]


def grouped(d: Draft, base: Form, having: tuple[Tested, ...]) -> Iterator[tuple[Form, Features]]:
    """Numbers, by group or over all."""
    features: list[tuple[str, float]] = []
    groups = [g for clause in d.grouped for g in groups_of(d, clause)]
    if d.shown:
        features.append(("group:shown", float(len(d.shown))))
        groups = [*(Clause(Member(s.path)) for s in d.shown), *groups]
    best = d.best
    if best is not None and not groups and d.subjects:
        subject = next((s.relation for s in d.subjects if s.relation != best.relation and s.relation in d.scope), None)
        if subject is not None:
            groups = [Clause(Member(path)) for path in labels_of(d.metadata, subject)]
            features.append(("group:label", 1.0))
    if having and not groups and d.subjects:
        subject = next(
            (s.relation for s in d.subjects if s.relation in d.scope and all(s.relation != t.relation for t in having)),
            None,
        )
        if subject is not None:
            groups = [Clause(Member(path)) for path in labels_of(d.metadata, subject)]
            features.append(("group:label", 1.0))
    split = [t.path for t in d.tests if t.operator == "in" and len(t.values) > 1 and not t.negated and t.path]
    if split and d.partial.versus and not groups:
        groups = [Clause(Member(split[0]))]
        features.append(("group:versus", 1.0))
    groups = list(dict.fromkeys(groups))
    measures = [measure_of(d, m) for m in d.measured]
    if any(kind is None for kind in measures):
        return
    shown = list(dict.fromkeys(Clause(m) for m in measures if m is not None))
    tests = [having_of(d, t) for t in having]
    if not shown and not having and best is None:
        shown = [Clause(ROWS)]
        features.append(("measure:rows-assumed", 1.0))
    if len(d.measured) and not groups and len(d.scope) > 1:
        features.append(("total:joined", 1.0))
    if (best is not None or having) and not groups:
        return
    features.append(("groups", float(max(0, len(groups) - 1))))
    if len(shown) > 1:
        features.append(("measures:more", float(len(shown) - 1)))
    form = base.with_(groups=tuple(groups), measures=tuple(shown), having=tuple(Filter(t) for t in tests))
    outer = next((m.outer for m in d.measured if m.outer), "")
    if outer and groups and len(shown) == 1 and best is None and not d.partial.percent:
        over = Form(form.with_(order=()), measures=(Clause(Aggregate(outer, Output(shown[0].expression))),))  # type: ignore[arg-type]  # an aggregate
        yield over, (*features, ("nested:made", 1.0))
    elif outer:
        features.append(("nested:lost", 1.0))
    if d.partial.percent:
        yield from percent(d, form, tuple(features))
        return
    yield from ranked(d, form, tuple(features))
