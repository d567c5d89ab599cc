"""From clauses that were found to whole forms: what hangs together, what is assumed, what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..forms import (
    Condition,
    Filter,
    Form,
    Join,
    Member,
    Or,
    Role,
)
from ..metadata import Metadata
from .clauses import SOME_TIME, Best, Grouped, Measured, Tested, Timed
from .conditions import condition_of, related_condition, time_condition
from .drafts import Draft, drafts_of, relation_of
from .grouping import grouped
from .kinds import adjective_members, kind_of
from .listing import listed, repeats
from .partial import Features, Partial

__all__ = ["finish"]


def finish(partial: Partial, metadata: Metadata) -> Iterator[tuple[Form, Features]]:
    """The forms that a complete partial reading may stand for."""
    waiting = _waiting(partial)
    for best, found in _bests(partial, metadata):
        for draft in drafts_of(partial, metadata, best):
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
    named = list(dict.fromkeys(r for c in partial.clauses if (r := getattr(c, "relation", "") or relation_of(c))))
    found = adjective_members(metadata, named or list(metadata.catalog.relations), best.hints, best.turned)
    for number, (path, turned) in enumerate(found[:3]):
        descending = best.descending != turned
        yield (
            replace(best, path=path, descending=descending),
            (("best:adjective", 1.0), ("best:adjective:later", float(number > 0))),
        )
    if not found:
        yield best, (("best:adjective:unknown", 1.0),)


def _forms(d: Draft) -> Iterator[tuple[Form, Features]]:
    having = tuple(t for t in d.tests if t.function)
    ranks = d.best is not None and (
        d.best.path is None or bool(d.measured) or kind_of(d.metadata, d.best.path) == "measure"
    )
    for base, features in _based(d):
        if d.measured or having or d.grouped or ranks:
            yield from _with(grouped(d, base, having), features)
        else:
            yield from _with(listed(d, base), features)
            if d.best is not None and d.best.path is not None and repeats(d):
                yield from _with(grouped(d, base, having), (*features, ("best:of-groups", 1.0)))


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
