"""From clauses that were found to whole forms: what hangs together, what is assumed, what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..forms import (
    ROWS,
    Aggregate,
    And,
    Arithmetic,
    Case,
    Clause,
    Compare,
    Condition,
    Expression,
    Filter,
    Form,
    Join,
    Limit,
    Member,
    OneOf,
    Or,
    Order,
    Output,
    Over,
    Part,
    Range,
    Ratio,
    Role,
    Truncated,
    Value,
)
from ..forms.vocabulary import AggregateName
from ..metadata import Metadata
from .clauses import SOME_TIME, Best, Grouped, Measured, Shown, Sorted, Subject, Tested, Timed, With
from .conditions import condition_of, related_condition, time_condition
from .kinds import adjective_members, kind_of, labels_of
from .partial import Features, Partial

__all__ = ["finish"]

_PARTS = {
    "weekday": "isoweekday", "hour_of_day": "hour", "month_of_year": "month", "day_of_month": "day",
    "quarter_of_year": "quarter",
}  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """The clauses of a partial by kind, over relations that hang together."""

    metadata: Metadata
    partial: Partial
    scope: tuple[str, ...]
    time: str | None
    measured: tuple[Measured, ...]
    grouped: tuple[Grouped, ...]
    shown: tuple[Shown, ...]
    subjects: tuple[Subject, ...]
    tests: tuple[Tested, ...]
    timed: tuple[Timed, ...]
    withs: tuple[With, ...]
    best: Best | None
    sorted: tuple[Sorted, ...]
    features: Features = ()


def finish(partial: Partial, metadata: Metadata) -> Iterator[tuple[Form, Features]]:
    """The forms that a complete partial reading may stand for."""
    waiting = _waiting(partial)
    for best, found in _bests(partial, metadata):
        for draft in _drafts(partial, metadata, best):
            for form, more in _forms(draft):
                yield form, (*waiting, *found, *draft.features, *more)


def _waiting(p: Partial) -> Features:
    """Operators that never met what they work on."""
    left = {
        "aggregate": bool(p.aggregates) and not _folded(p), "percent": p.percent and not _shared(p),
        "count": bool(p.counting), "best": p.best is not None and bool(p.best.hints), "compare": p.compare is not None,
        "number": p.number is not None, "order": bool(p.order), "negation": p.negated,
        "group": p.group in ("by", "per"), "each": p.group == "each", "text": bool(p.text),
    }  # fmt: skip
    return tuple((f"waits:{name}", 1.0) for name, there in left.items() if there)


def _folded(p: Partial) -> bool:
    """Whether the aggregate that was said last stands in a clause."""
    last = p.aggregates[-1]
    return any(isinstance(c, Measured) and last in (c.function, c.outer) for c in p.clauses)


def _shared(p: Partial) -> bool:
    """Whether there is something to take a percentage of."""
    return any(isinstance(c, (Grouped, Timed)) or (isinstance(c, Tested) and not c.function) for c in p.clauses)


def _bests(partial: Partial, metadata: Metadata) -> Iterator[tuple[Best | None, Features]]:
    """The superlative, with what its adjective measures where the question does not name it."""
    best = next((c for c in partial.clauses if isinstance(c, Best)), None)
    if best is None and partial.best is not None and partial.best.hints:  # "the oldest": nothing named behind it
        m = partial.best
        best = Best(m.start, m.argument == "desc", partial.limit, hints=m.hints, turned=m.turned)
    elif best is None and partial.best is not None:  # "which airport is the busiest", "the destinations we fly to most"
        m = partial.best
        yield Best(m.start, m.argument != "asc", partial.limit, often=True), (("best:bare", 1.0),)
        return
    if best is None or not best.hints or best.path:
        yield best, ()
        return
    named = list(dict.fromkeys(r for c in partial.clauses if (r := getattr(c, "relation", "") or _of(c))))
    found = adjective_members(metadata, named or list(metadata.catalog.relations), best.hints, best.turned)
    for number, (path, turned) in enumerate(found[:3]):
        descending = best.descending != turned
        yield (
            replace(best, path=path, descending=descending),
            (("best:adjective", 1.0), ("best:adjective:later", float(number > 0))),
        )
    if not found:
        yield best, (("best:adjective:unknown", 1.0),)


def _of(clause: object) -> str:
    path = getattr(clause, "path", None)
    return path.split(".", 1)[0] if path and path != SOME_TIME else ""


def _drafts(partial: Partial, metadata: Metadata, best: Best | None) -> Iterator[Draft]:
    clauses = tuple(c for c in partial.clauses if not isinstance(c, Best))
    if sum(isinstance(c, Best) for c in partial.clauses) > 1:
        return
    content = [r for c in clauses if not isinstance(c, (Subject, With)) and (r := getattr(c, "relation", "") or _of(c))]
    if best is not None:
        content += [r for r in (best.relation, best.path.split(".", 1)[0] if best.path else "") if r]
    subjects = [c.relation for c in clauses if isinstance(c, Subject)]
    timed = any(getattr(c, "path", "") == SOME_TIME for c in clauses)
    needed = list(dict.fromkeys([*content, *subjects]))
    first = _draft(partial, metadata, clauses, best, needed or _default(metadata, clauses, timed), ())
    if first is not None:
        yield first
    fewer = list(dict.fromkeys([*content, *subjects[:1]] if content else subjects[:1]))
    if fewer != needed and fewer:
        less = _draft(partial, metadata, clauses, best, fewer, (("relation:unused", float(len(needed) - len(fewer))),))
        if less is not None:
            yield less
    least = list(dict.fromkeys(content))
    if least and least not in (needed, fewer):
        less = _draft(partial, metadata, clauses, best, least, (("relation:unused", float(len(needed) - len(least))),))
        if less is not None:
            yield less


def _default(metadata: Metadata, clauses: tuple[object, ...], timed: bool) -> list[str]:
    """Where nothing was named: the relation that points to most others."""
    if not clauses:
        return []
    ranked = sorted(metadata.edges.items(), key=lambda item: (timed and not metadata.times([item[0]]), -len(item[1])))
    return [ranked[0][0]] if ranked else []


def _draft(
    partial: Partial,
    metadata: Metadata,
    clauses: tuple[object, ...],
    best: Best | None,
    needed: list[str],
    more: Features,
) -> Draft | None:
    if not needed:
        return None
    scope = metadata.scope(needed)
    if scope is None:
        return None
    timed = any(getattr(c, "path", "") == SOME_TIME for c in clauses)
    times = metadata.times([scope[0]]) or metadata.times(scope)
    if timed and not times:
        facts = next((n for r in needed if (n := metadata.facts_of(r)) and metadata.times([n])), None)
        scope = metadata.scope([facts, *needed]) if facts else None
        if scope is None:
            return None
        times, more = metadata.times(scope), (*more, ("time:elsewhere", 1.0))
    extra = len(scope) - 1
    features: Features = (*more, ("joins", float(extra)), ("joins:between", float(len(set(scope) - set(needed)))))
    if metadata.is_bridged(scope):
        features = (*features, ("joins:bridged", 1.0))

    def of(kind: type) -> tuple:  # type: ignore[type-arg]  # each caller names the type
        return tuple(c for c in clauses if isinstance(c, kind))

    return Draft(
        metadata, partial, scope, times[0] if times else None, of(Measured), of(Grouped), of(Shown), of(Subject),
        of(Tested), of(Timed), of(With), best, of(Sorted), features,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------- forms
def _forms(d: Draft) -> Iterator[tuple[Form, Features]]:
    having = tuple(t for t in d.tests if t.function)
    ranks = d.best is not None and (
        d.best.path is None or bool(d.measured) or kind_of(d.metadata, d.best.path) == "measure"
    )
    for base, features in _based(d):
        if d.measured or having or d.grouped or ranks:
            yield from _with(_grouped(d, base, having), features)
        else:
            yield from _with(_listed(d, base), features)
            if d.best is not None and d.best.path is not None and _repeats(d):
                yield from _with(_grouped(d, base, having), (*features, ("best:of-groups", 1.0)))


def _repeats(d: Draft) -> bool:
    """Whether what is shown names groups of rows rather than single ones: ``which airline has the worst delay``."""
    known = [s.path for s in d.shown]
    own = [path for path in known if path.split(".", 1)[0] == d.scope[0]]
    if not known or any(kind_of(d.metadata, path) not in ("text", "year", "flag") for path in known):
        return False
    return not any(d.metadata.profile(path).unique or path in labels_of(d.metadata, d.scope[0]) for path in own)


def _with(forms: Iterator[tuple[Form, Features]], features: Features) -> Iterator[tuple[Form, Features]]:
    for form, more in forms:
        yield form, (*features, *more)


def _based(d: Draft) -> Iterator[tuple[Form, Features]]:
    """Root, joins and conditions."""
    root = d.scope[0]
    outer = d.withs
    for related in (True, False) if outer else (True,):
        where: list[Condition] = []
        features: Features = ()
        for w in outer if related else ():
            condition = related_condition(d.metadata, d.scope, w.relation, w.negated)
            if condition is None:
                return
            where.append(condition)
        if outer and not related:
            if any(w.negated for w in outer):
                continue
            features = (("related:joined", 1.0),)
        conditions, joined_or = _conditions(d)
        where.extend(conditions)
        if joined_or:
            features = (*features, ("or", 1.0))
        joins = _joins(d.metadata, d.scope)
        if joins is None:
            return
        yield Form(Role(root), joins=joins, where=tuple(Filter(c) for c in where)), features


def _conditions(d: Draft) -> tuple[list[Condition], bool]:
    """Conditions on rows, bound by and, or by or where it was said between two of them."""
    found: list[Condition] = []
    joined = False
    clauses: list[Tested | Timed] = sorted([*d.tests, *d.timed], key=lambda c: c.place)
    for clause in clauses:
        if isinstance(clause, Timed):
            path = d.time if clause.path == SOME_TIME else clause.path
            if path is not None:
                found.extend(time_condition(clause, path))
            continue
        if clause.function:
            continue
        condition = condition_of(clause, d.metadata)
        if clause.joined == "or" and found:
            joined = True
            found[-1] = Or((found[-1], condition))
        else:
            found.append(condition)
    return found, joined


def _joins(metadata: Metadata, scope: tuple[str, ...]) -> tuple[Join, ...] | None:
    joins, known = [], [scope[0]]
    for relation in scope[1:]:
        near = next((k for k in known if metadata.joins.between(k, relation)), None)
        if near is None:
            return None
        pairs = tuple((Member(a), Member(b)) for a, b in metadata.joins.between(near, relation))
        joins.append(Join(Role(relation), pairs))
        known.append(relation)
    return tuple(joins)


def _grouped(d: Draft, base: Form, having: tuple[Tested, ...]) -> Iterator[tuple[Form, Features]]:
    """Numbers, by group or over all."""
    features: list[tuple[str, float]] = []
    groups = [g for clause in d.grouped for g in _group(d, clause)]
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
    measures = [_measure(d, m) for m in d.measured]
    if any(kind is None for kind in measures):
        return
    shown = list(dict.fromkeys(Clause(m) for m in measures if m is not None))
    tests = [_having(d, t) for t in having]
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
        yield from _percent(d, form, tuple(features))
        return
    yield from _ranked(d, form, tuple(features))


def _percent(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    """A condition's share of the rows, of a total; or each group's share of all."""
    conditions = [f.condition for f in form.where]
    periods = len(d.timed)
    plain = [m.expression for m in form.measures if isinstance(m.expression, Aggregate)]
    whole = plain[0] if plain else ROWS
    if whole.function == "measure":
        return
    options: list[tuple[list[Condition], list[Condition], str]] = []
    tested = [
        c for c, clause in zip(conditions[-len(_ordered(d)) :], _ordered(d), strict=False) if isinstance(clause, Tested)
    ]
    kept = [c for c in conditions if c not in tested]
    if tested:
        options.append((tested, kept, "percent:conditions"))
        if len(tested) > 1:
            options.append((tested[:1], [*kept, *tested[1:]], "percent:first"))
            options.append((tested[-1:], [*kept, *tested[:-1]], "percent:last"))
    for above, outer, feature in options:
        condition = above[0] if len(above) == 1 else And(tuple(above))
        ratio = Ratio(replace(whole, where=condition), whole, True)
        made = form.with_(measures=(Clause(ratio),), where=tuple(Filter(c) for c in outer))
        yield from _ranked(d, made, (*features, (feature, 1.0)))
    if form.groups and (not tested or periods):
        share = Over("share", whole)
        yield from _ranked(d, form.with_(measures=(Clause(share),)), (*features, ("percent:share", 1.0)))


def _ordered(d: Draft) -> list[Tested | Timed]:
    return sorted([*(t for t in d.tests if not t.function), *d.timed], key=lambda c: c.place)


def _ranked(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    """The order, and how many rows of it."""
    best = d.best
    if best is None:
        yield from _sorted(d, form, features)
        return
    keys: list[tuple[Expression, str]] = []
    if best.relation:
        keys.append((_rows(d, best.relation), "rows"))
    elif best.path is not None and kind_of(d.metadata, best.path) == "measure":
        keys.append((Aggregate("measure", Member(best.path)), "model"))
    elif best.path is not None:
        own = [m.expression for m in form.measures if _mentions(m.expression, best.path)]
        keys.extend((e, "measure") for e in own)
        if not own:
            keys.extend(_ranked_by(d, best.path, best.descending))
    elif form.measures:
        keys.append((form.measures[0].expression, "measure"))
    else:
        keys.append((ROWS, "rows-assumed"))
    descending = best.descending
    for key, kind in keys:
        for limit in _limits(best):
            order = (Order(key, descending),)
            feature: Features = (*features, (f"best:by:{kind}", 1.0))
            each = _each(d, form)
            if each is not None and limit is not None:
                measures = (
                    form.measures if any(m.expression == key for m in form.measures) else (*form.measures, Clause(key))
                )
                per = form.with_(order=order, limit=replace(limit, per=(each,)), measures=measures)
                yield per, (*feature, ("best:per-group", 1.0))
            shown = any(m.expression == key for m in form.measures)
            ranked = form.with_(order=order, limit=limit)
            if shown:
                yield ranked, feature
            else:  # who is told the first wants to see by how much
                yield ranked.with_(measures=(*form.measures, Clause(key))), (*feature, ("best:shown", 1.0))


def _ranked_by(d: Draft, path: str, descending: bool) -> list[tuple[Expression, str]]:
    """The numbers of groups that a member may be ranked by: its usual aggregate, the other one, its extreme."""
    functions: list[AggregateName] = ["sum", "avg", "max" if descending else "min"]
    if "*" not in path and kind_of(d.metadata, path) == "time":
        return [(Aggregate(functions[2], Member(path)), "assumed:extreme")]
    if not ("*" in path or d.metadata.is_flow(path)):
        functions[:2] = ["avg", "sum"]
    kinds = ("usual", "unusual", "extreme")
    return [(Aggregate(f, _member(path)), f"assumed:{kind}") for f, kind in zip(functions, kinds, strict=True)]


def _each(d: Draft, form: Form) -> Expression | None:
    """The group that ranks are taken within: ``top 3 destinations for each airline``."""
    if len(d.grouped) < 2 or d.best is None:
        return None
    last = max(d.grouped, key=lambda g: g.place)
    found = _group(d, last)
    return found[0].expression if last.place > d.best.place and len(found) == 1 else None


def _limits(best: Best) -> list[Limit | None]:
    return [Limit(best.limit if best.limit is not None else 1)]


def _mentions(expression: Expression, path: str) -> bool:
    return isinstance(expression, Aggregate) and expression.of == _member(path)


def _sorted(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    orders: list[Order] = []
    listed = not form.groups and not form.measures
    for clause in d.sorted:
        key = _sort_key(d, form, clause)
        if key is None:
            return
        orders.append(Order(key, clause.descending))
    if not listed and not form.groups and orders:
        return
    yield form.with_(order=tuple(orders)), features


def _sort_key(d: Draft, form: Form, clause: Sorted) -> Expression | None:
    listed = not form.groups and not form.measures
    if clause.relation:
        return _rows(d, clause.relation)
    if clause.path == "":  # a bare "in descending order": by the number shown, else by what is shown first
        if form.measures:
            return form.measures[0].expression
        first = (*form.columns, *form.groups)
        return first[0].expression if first else None
    if clause.path is None:
        return form.measures[0].expression if form.measures else None
    if listed or any(g.expression == Member(clause.path) for g in form.groups):
        return Member(clause.path)
    own = [m.expression for m in form.measures if _mentions(m.expression, clause.path)]
    if own:
        return own[0]
    if kind_of(d.metadata, clause.path) == "measure":
        return Aggregate("measure", Member(clause.path))
    return None if form.measures else Member(clause.path)


def _listed(d: Draft, base: Form) -> Iterator[tuple[Form, Features]]:
    """Rows as they are."""
    features: list[tuple[str, float]] = []
    paths = list(dict.fromkeys(s.path for s in d.shown))
    best = d.best
    if d.partial.whole or not paths:
        relation = d.subjects[0].relation if d.subjects else d.scope[0]
        if relation not in d.scope:
            return
        whole = [
            m.path for m in d.metadata.relation(relation).members.values() if m.kind == "dimension" and not m.masked
        ]
        if d.partial.whole:
            paths = whole
            features.append(("rows:whole", 1.0))
        else:
            if not d.subjects and not d.tests and best is None:
                return
            features.append(("rows:label", 1.0))
            paths = list(labels_of(d.metadata, relation))
            if d.partial.counting or d.partial.percent:
                yield from _counted(d, base)
    if d.partial.percent and d.tests:
        return
    columns = tuple(Clause(Member(path)) for path in paths)
    form = base.with_(columns=columns)
    features.append(("columns", float(max(0, len(columns) - 1)) if not d.partial.whole else 0.0))
    if best is not None and best.path is not None:
        order = (Order(_member(best.path), best.descending),)
        if best.path not in paths:
            form = form.with_(columns=(*columns, Clause(_member(best.path))))
        of_rows = "best:row:of-groups" if _repeats(d) else "best:row"
        for limit in _limits(best):
            yield form.with_(order=order, limit=limit), (*features, (of_rows, 1.0))
        return
    said = d.partial.distinct
    for made, found in _sorted(d, form, tuple(features)):
        cue = "cued" if said else "uncued"
        yield made, (*found, ("rows:all:" + cue, 1.0))
        many = "many" if len(d.scope) > 1 else "one"
        distinct = made.with_(groups=made.columns, columns=())
        if all(any(o.by == c.expression for c in made.columns) for o in made.order):
            yield distinct, (*found, (f"rows:distinct:{cue}:{many}", 1.0))


def _counted(d: Draft, base: Form) -> Iterator[tuple[Form, Features]]:
    """How many rows there are, where only conditions follow the question."""
    form = base.with_(measures=(Clause(ROWS),))
    if d.partial.percent:
        yield from _percent(d, form, ())
    else:
        yield form, (("measure:rows-of-conditions", 1.0),)


def _group(d: Draft, clause: Grouped) -> list[Clause]:
    if clause.relation:
        return [Clause(Member(path)) for path in labels_of(d.metadata, clause.relation)]
    path = d.time if clause.path == SOME_TIME else clause.path
    if path is None:
        return []
    return [Clause(_grain(Member(path), clause.grain))]


def _grain(member: Member, grain: str) -> Expression:
    if not grain:
        return _member(member.path)
    if grain == "weekend":
        ends = OneOf(Part(member, "isoweekday"), (Value(6), Value(7)))
        return Case(((ends, Value("weekend")),), Value("weekday"))
    if grain in _PARTS:
        return Part(member, _PARTS[grain])  # type: ignore[arg-type]  # parts by name
    if grain in ("hour", "day", "week", "month", "quarter", "year", "minute", "second"):
        return Truncated(member, grain)  # type: ignore[arg-type]  # grains by name
    return member


def _measure(d: Draft, clause: Measured) -> Expression | None:
    if clause.function == "rows":
        return _rows(d, clause.relation)
    if clause.path is None:
        return None
    if clause.function.startswith("quantile:"):
        return Aggregate("quantile", _member(clause.path), at=float(clause.function.split(":")[1]))
    return Aggregate(clause.function, _member(clause.path))  # type: ignore[arg-type]  # one of the aggregates


def _member(path: str) -> Expression:
    """A member, or a product of two."""
    relation, _, name = path.partition(".")
    if "*" not in name:
        return Member(path)
    left, _, right = name.partition("*")
    return Arithmetic("*", Member(f"{relation}.{left}"), Member(f"{relation}.{right}"))


def _rows(d: Draft, relation: str) -> Expression:
    """How many rows of a relation: all rows where it is the root, else its different keys."""
    if relation == d.scope[0] or relation not in d.scope:
        return ROWS
    key = d.metadata.key_of(relation)
    if key is None:
        pairs = next((p for other in d.scope if (p := d.metadata.joins.between(relation, other))), ())
        key = pairs[0][0] if len(pairs) == 1 else None
    return Aggregate("count_distinct", Member(key)) if key else ROWS


def _having(d: Draft, test: Tested) -> Condition:
    if test.function == "rows":
        number = _rows(d, test.relation)
    elif test.path is not None:
        number = Aggregate(test.function, _member(test.path))  # type: ignore[arg-type]  # one of the aggregates
    else:
        number = ROWS
    if test.operator == "between":
        return Range(number, Value(test.values[0]), Value(test.values[1]), closed=True)
    return Compare(number, test.operator, Value(test.values[0]))  # type: ignore[arg-type]  # a comparison by name
