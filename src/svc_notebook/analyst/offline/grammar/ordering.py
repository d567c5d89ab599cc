"""The order of a form, and how many rows of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..forms import (
    ROWS,
    Aggregate,
    Clause,
    Expression,
    Form,
    Limit,
    Member,
    Order,
    Value,
)
from ..forms.vocabulary import AggregateName
from ..forms.walking import parts
from ..schema.derivations import expression_of
from ..schema.member_kinds import kind_of
from ..schema.money import amounts, goes_out
from ..schema.polarity import marks
from ..words.text import name_parts
from .clauses import Best, Sorted
from .computed import groups_of, rows_of
from .drafts import Draft
from .partial import Features
from .situation import turned_by

__all__ = ["limit_of", "ordered", "ranked"]


def ranked(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    """The order, and how many rows of it."""
    best = d.best
    if best is None:
        yield from ordered(d, form, features)
        return
    keys = _keys(d, form, best)
    # What is good of it depends on what it is; of rows that are counted, on what they are.
    if best.judged and best.path is None:
        best = turned_by(best, _judged_words(d, form, keys[0][0]) if keys else ())
    if best.hints and best.path and kind_of(d.metadata, best.path) == "time" and _after(d, best):
        moment = Aggregate("max" if best.descending else "min", Member(best.path))  # "the first visit of each member"
        yield form.with_(measures=(Clause(moment),)), (*features, ("best:each:moment", 1.0))
    each = each_of(d)
    for key, kind in keys:
        cut = form.with_(order=(Order(key, best.descending),), limit=limit_of(best))
        yield from _cut_by(cut, key, each, (*features, (f"best:by:{kind}", 1.0)))


def _keys(d: Draft, form: Form, best: Best) -> list[tuple[Expression, str]]:
    """What a superlative may go by, and what each is."""
    keys: list[tuple[Expression, str]] = []
    if best.relation:
        keys.append((rows_of(d, best.relation), "rows"))
    elif best.path is not None and kind_of(d.metadata, best.path) == "measure":
        keys.append((Aggregate("measure", Member(best.path)), "model"))
    elif best.path is not None:
        own = [m.expression for m in form.measures if _mentions(m.expression, best.path)]
        keys.extend([(e, "measure") for e in own] or _ranked_by(d, best))
    elif form.measures:
        keys.append((form.measures[0].expression, "measure"))
    elif not best.hints:  # "the heaviest", where nothing has a weight, is not the one with most of something else
        keys.append((ROWS, "rows-assumed"))
        keys.extend((key, "amount-assumed") for key in (() if best.often else _speaks_for_rows(d, best)))
    if _is_single(d, form):  # each group is one row: none has more of them
        keys = [(key, kind) for key, kind in keys if key != ROWS]
    return keys


def _cut_by(
    form: Form, key: Expression, each: Expression | None, features: Features
) -> Iterator[tuple[Form, Features]]:
    """A form cut within each group as well as over all; who is told the first wants to see by how much."""
    shown = any(m.expression == key for m in form.measures)
    measures = form.measures if shown else (*form.measures, Clause(key))
    if each is not None and form.limit is not None:
        limit = replace(form.limit, per=(each,))
        yield form.with_(limit=limit, measures=measures), (*features, ("best:per-group", 1.0))
    yield form.with_(measures=measures), features if shown else (*features, ("best:shown", 1.0))


def _speaks_for_rows(d: Draft, best: Best) -> list[Expression]:
    """What rows are ranked by where no number is named: amounts; what is good, by those they bring or by marks."""
    known = [path for path in amounts(d.metadata) if path.split(".", 1)[0] in d.scope]
    if best.judged:
        brought = [path for path in known if not goes_out(d.metadata, path)]
        given = [] if brought else marks(d.metadata, d.scope)
        if given:
            return [Aggregate("avg", Member(given[0]))]
        known = brought or known
    return [Aggregate("sum", expression_of(path)) for path in known[:2]]


def _judged_words(d: Draft, form: Form, key: Expression) -> list[str]:
    """What a number is of, in words: its members, or the rows that are counted."""
    of: list[object] = [key] if key != ROWS else [form.where]
    paths = [part.path for part in parts(tuple(of)) if isinstance(part, Member)]
    words = [word for path in paths if path in d.metadata.members for word in d.metadata.parts(path)]
    values = [str(part.value) for part in parts(tuple(of)) if isinstance(part, Value)]
    if key == ROWS:
        words += d.metadata.words_of(d.scope[0])
    return [*words, *(word for value in values for word in name_parts(value))]


def _ranked_by(d: Draft, best: Best) -> list[tuple[Expression, str]]:
    """The numbers of groups that a member may be ranked by: its usual aggregate, the other one, its extreme.

    Adjectives speak of single rows: the slowest team is the one whose replies take longest, not most time together.
    """
    path = best.path or ""
    functions: list[AggregateName] = ["sum", "avg", "max" if best.descending else "min"]
    if kind_of(d.metadata, path) == "time":
        return [(Aggregate(functions[2], Member(path)), "assumed:extreme")]
    if best.hints or not d.metadata.adds_up(path):
        functions[:2] = ["avg", "sum"]
    kinds = ("usual", "unusual", "extreme")
    return [(Aggregate(f, expression_of(path)), f"assumed:{kind}") for f, kind in zip(functions, kinds, strict=True)]


def _is_single(d: Draft, form: Form) -> bool:
    """Whether every group is a row of the root."""
    key = d.metadata.key_of(d.scope[0])
    paths = [g.expression.path for g in form.groups if isinstance(g.expression, Member)]
    own = [path for path in paths if path.split(".", 1)[0] == d.scope[0] and path in d.metadata.members]
    return any(path == key or d.metadata.profile(path).unique for path in own)


def _after(d: Draft, best: Best) -> bool:
    """Whether groups are named behind the superlative."""
    behind = [g for g in d.grouped if g.place > best.place and not g.grain]
    return best.limit is None and any(g.relation or kind_of(d.metadata, g.path) != "key" for g in behind)


def each_of(d: Draft) -> Expression | None:
    """The group that ranks are taken within: ``top 3 destinations for each airline``."""
    if len(d.grouped) < 2 or d.best is None:
        return None
    # The last group that was said behind is what it is within.
    last = max(d.grouped, key=lambda g: g.place)
    found = groups_of(d, last)
    return found[0].expression if last.place > d.best.place and len(found) == 1 else None


def limit_of(best: Best) -> Limit:
    return Limit(best.limit if best.limit is not None else 1)


def _mentions(expression: Expression, path: str) -> bool:
    return isinstance(expression, Aggregate) and expression.of == expression_of(path)


def ordered(d: Draft, form: Form, features: Features) -> Iterator[tuple[Form, Features]]:
    orders: list[Order] = []
    listed = not form.groups and not form.measures
    for clause in d.sorted:
        key = _sort_key(d, form, clause)
        if key is None:
            return
        orders.append(Order(key, clause.descending))
    # One number has no order.
    if not listed and not form.groups and orders:
        return
    yield form.with_(order=tuple(orders)), features


def _sort_key(d: Draft, form: Form, clause: Sorted) -> Expression | None:
    listed = not form.groups and not form.measures
    if clause.relation:
        return rows_of(d, clause.relation)
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
