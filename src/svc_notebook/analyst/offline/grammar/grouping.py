"""Numbers, by group or over all."""

from __future__ import annotations

from collections.abc import Iterator

from ..forms import (
    ROWS,
    Clause,
    Expression,
    Filter,
    Form,
    Member,
    Output,
    Over,
    Truncated,
)
from ..schema.derivations import expression_of
from ..schema.member_kinds import labels_of, people
from .binding import spans_of
from .changes import changes, grain_between, running
from .clauses import Tested
from .computed import aggregated, groups_of, having_of, measure_of
from .drafts import Draft
from .ordering import ranked
from .partial import Features
from .ratios import best_per_each, per_each, quotients
from .shares import percent

__all__ = ["grouped"]


def grouped(d: Draft, base: Form, having: tuple[Tested, ...]) -> Iterator[tuple[Form, Features]]:
    """Numbers, by group or over all."""
    if any(clause.relation and d.metadata.is_nameless(clause.relation) for clause in d.grouped):
        return  # "per trip" of rows that nothing tells apart
    groups, features = _groups(d, having)
    several = [t for t in d.tests if t.operator == "in" and len(t.values) > 1 and not t.shared]
    split = [t.path for t in several if not t.negated and t.path]
    apart = bool(split) and d.partial.versus and all(g.expression != Member(split[0]) for g in groups)
    lost: Features = (("lost:versus", 1.0),) if apart else ()  # set against each other, and shown as one
    yield from _measured(d, base, having, groups, (*features, *lost))
    if split and not any(g.expression == Member(split[0]) for g in groups):
        cue = "versus" if d.partial.versus else "values"
        yield from _measured(d, base, having, [Clause(Member(split[0])), *groups], (*features, (f"group:{cue}", 1.0)))


def _groups(d: Draft, having: tuple[Tested, ...]) -> tuple[list[Clause], Features]:
    """What is grouped by: what is said, or the label of what is ranked or counted."""
    groups = [g for clause in d.grouped for g in groups_of(d, clause)]
    features: Features = ()
    if d.shown:
        features = (("group:shown", float(len(d.shown))),)
        groups = [*(Clause(expression_of(s.path)) for s in d.shown), *groups]
    # What is shown beside a number is what the number is of.
    best = d.best
    subjects = [s.relation for s in d.subjects if s.relation in d.scope]
    subject = None
    if best is not None and not groups:
        subject = next((name for name in subjects if name != best.relation), None)
    if having and not groups:
        subject = next((name for name in subjects if all(name != t.relation for t in having)), None)
    if best is not None and not groups and d.partial.who and (named := people(d.metadata, d.scope)):
        groups = [Clause(Member(path)) for path in named[0]]
        features = (*features, ("group:who", 1.0), ("group:who:one-of", float(len(named) > 1)))
    elif subject is not None:
        groups = [Clause(Member(path)) for path in labels_of(d.metadata, subject)]
        features = (*features, ("group:label", 1.0))
    return groups, features


def _measured(
    d: Draft, base: Form, having: tuple[Tested, ...], groups: list[Clause], said: Features
) -> Iterator[tuple[Form, Features]]:
    """The numbers of groups."""
    features = list(said)
    best = d.best
    groups = list(dict.fromkeys(groups))
    measures = [measure_of(d, m) for m in d.measured]
    # A number without its column (no time in scope) makes the whole reading none.
    if any(kind is None for kind in measures):
        return
    shown = list(dict.fromkeys(Clause(m) for m in measures if m is not None))
    tests = [having_of(d, t) for t in having]
    if not shown and not having and best is None:
        shown = [Clause(ROWS)]
        cued = bool(d.grouped and d.subjects) and d.subjects[0].place < d.grouped[0].place  # "tickets by team"
        features.append(("measure:rows:of-subject" if cued else "measure:rows-assumed", 1.0))
    if len(d.measured) and not groups and len(d.scope) > 1:
        features.append(("total:joined", 1.0))
    # A superlative or a bound with nothing to rank or bound is no form.
    if (best is not None or having) and not groups:
        return
    features.append(("groups", float(max(0, len(groups) - 1))))
    if best is None and not having and any(_is_long(d, g.expression) for g in groups):
        features.append(("groups:long", 1.0))
    if len(shown) > 1:
        features.append(("measures:more", float(len(shown) - 1)))
    form = base.with_(groups=tuple(groups), measures=tuple(shown), having=tuple(Filter(t) for t in tests))
    # Lost unless one of the forms runs; taken back there.
    if d.partial.running:
        features.append(("lost:running", 1.0))
    for kept, feature in (*_identified(d, form), *_by_period(d, form)):
        yield from _aggregated(d, kept, (*features, *feature))
        for made, more in _compared(d, kept):
            yield made, (*(f for f in features if f[0] != "lost:running" or not _runs(made)), *feature, *more)


def _is_long(d: Draft, of: Expression) -> bool:
    """Whether a group has more values than anybody reads: each order by its number."""
    return isinstance(of, Member) and of.path in d.metadata.members and d.metadata.profile(of.path).distinct > _LONG


_LONG = 200


def _runs(form: Form) -> bool:
    return any(isinstance(m.expression, Over) for m in form.measures)


def _by_period(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """Several periods as groups: ``2024 against 2025``."""
    spans = spans_of(d)
    if len(spans) > 1 and d.time is not None:
        grain = Truncated(Member(d.time), grain_between(spans[0].period))
        if all(g.expression != grain for g in form.groups):
            cue = "versus" if d.partial.versus else "said"
            yield form.with_(groups=(Clause(grain), *form.groups)), ((f"group:periods:{cue}", 1.0),)


def _compared(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """Numbers over numbers, over time and beside each other."""
    p = d.partial
    if p.change:
        yield from changes(d, form)
    if p.running:
        yield from running(form)
    if p.ratio or p.percent:
        yield from quotients(d, form)
    yield from best_per_each(d, form)
    if "avg" in (*p.aggregates, *(m.outer or m.function for m in d.measured)):
        for made, features in per_each(d, form):
            yield from ranked(d, made, features)


def _identified(d: Draft, form: Form) -> Iterator[tuple[Form, Features]]:
    """The form grouped by the rows that its labels name, where names repeat: two people of one name are two.

    Where the name itself was asked for, it may also be meant as it is.
    """
    keys, named = [], {s.path for s in d.shown} | {g.path for g in d.grouped}
    meant = True
    for clause in form.groups:
        if not isinstance(clause.expression, Member):
            continue
        relation = clause.expression.relation
        key = d.metadata.key_of(relation)
        labels, path = labels_of(d.metadata, relation), clause.expression.path
        if key is None or key not in d.metadata.members or path not in labels:
            continue
        # Nothing to tell apart where the label is the row.
        if len(labels) == 1 and d.metadata.profile(path).unique:
            continue
        keys.append(key)
        meant = meant and path in named
    more = [key for key in dict.fromkeys(keys) if all(g.expression != Member(key) for g in form.groups)]
    if meant or not more:
        yield form, ()
    if more:
        hidden = tuple(Clause(Member(key), hidden=True) for key in more)
        yield form.with_(groups=(*form.groups, *hidden)), (("group:by-key", 1.0),)


def _aggregated(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    """Aggregates over the groups, percentages, or the groups in an order."""
    groups, shown, best = form.groups, form.measures, d.best
    outer = next((m.outer for m in d.measured if m.outer), "")
    if outer and groups and len(shown) == 1 and best is None and not d.partial.percent:
        over = Form(form.with_(order=()), measures=(Clause(aggregated(outer, Output(shown[0].expression))),))
        yield over, (*features, ("nested:made", 1.0))
    elif outer:
        features = (*features, ("nested:lost", 1.0))
    if d.partial.percent:
        yield from percent(d, form, features)
        return
    yield from ranked(d, form, features)
