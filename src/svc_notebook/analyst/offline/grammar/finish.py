"""From clauses that were found to whole forms: what hangs together, what is assumed, what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ..forms import (
    Aggregate,
    Condition,
    Filter,
    Form,
    Member,
    Ratio,
    Role,
)
from ..forms.walking import parts
from ..schema.derivations import members_of
from ..schema.member_kinds import adjective_members, kind_of
from ..schema.metadata import Metadata
from .against import against
from .apart import is_impossible, is_vacuous
from .binding import bound, spans_of
from .both import both
from .clauses import Best, Grouped, Measured, Subject, Tested, Timed, With
from .conditions import joins_of, picked_condition, related_condition
from .drafts import Draft, drafts_of, relation_of
from .figures import with_figures
from .grouping import grouped
from .listing import listed, repeats, told_of
from .nesting import nested
from .partial import Features, Partial
from .situation import judgement

__all__ = ["finish"]


def finish(partial: Partial, metadata: Metadata) -> Iterator[tuple[Form, Features]]:
    """The forms that a complete partial reading may stand for."""
    # Sides first: what sets them apart is a form of its own beside the plain one.
    for whole, beside in (*against(partial, metadata), (partial, ())):
        waiting = (*beside, *_waiting(whole))
        for best, found in _bests(whole, metadata):
            for draft in drafts_of(whole, metadata, best):
                for form, more in _forms(draft):
                    lost: Features = (("lost:ratio", 1.0),) if whole.ratio and not _divides(form) else ()
                    if whole.versus and not _sets_against(form) and all(name != "lost:versus" for name, _ in more):
                        lost = (*lost, ("lost:versus", 1.0))
                    if _leaves(form, whole.claimed):
                        lost = (*lost, ("lost:operand", 1.0))
                    made = nested(form, metadata)
                    if made is None:
                        continue
                    yield with_figures(made, metadata), (*waiting, *found, *draft.features, *more, *lost)


def _leaves(form: Form, claimed: Sequence[str]) -> bool:
    """Whether a member was named that nothing came of: ``cities`` of *in how many cities do we have customers*, where
    customers are counted. A value of the same thing may stand for it (``airport JFK``).
    """
    if not claimed:
        return False
    used = {part.path for part in parts(form) if isinstance(part, Member)}
    tested = {part.relation for part in parts(form.where) if isinstance(part, Member)}
    return any(not used.issuperset(members_of(path)) and path.split(".", 1)[0] not in tested for path in claimed)


def _divides(form: Form) -> bool:
    return any(isinstance(part, Ratio) for part in parts((form.measures, form.columns)))


def _sets_against(form: Form) -> bool:
    """Whether a form shows more than one side: groups, several numbers, or one that is made of several; two columns."""
    if len(form.columns) > 1 and not form.where:
        return True
    if form.groups and form.measures or form.compare is not None or len(form.measures) > 1:
        return True
    return any(not isinstance(clause.expression, Aggregate) for clause in form.measures)


def _waiting(p: Partial) -> Features:
    """Operators that never met what they work on."""
    left = {
        "aggregate": bool(p.aggregates) and not _folded(p), "percent": p.percent and not _shared(p),
        "count": bool(p.counting), "best": p.best is not None and bool(p.best.hints), "compare": p.compare is not None,
        "number": p.number is not None, "order": bool(p.order), "negation": p.negated,
        "group": p.group in ("by", "per"), "each": p.group == "each", "text": bool(p.text),
        "quote": bool(p.quote),
        "rest": p.rest,
        "both": p.both and not any(isinstance(c, (Tested, Timed, With)) for c in p.clauses),
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
        # A size of its own decides, where there is one; how often it occurs would be something else.
        if not _sized(partial, metadata):
            yield (
                Best(m.start, m.argument != "asc", partial.limit, often=True, judged=judgement(m)),
                (("best:bare", 1.0),),
            )
        return
    if best is None or not best.hints or best.path:
        yield best, ()
        return
    named = list(dict.fromkeys(r for c in partial.clauses if (r := getattr(c, "relation", "") or relation_of(c))))
    found = adjective_members(metadata, named or list(metadata.catalog.relations), best.hints, best.turned)
    if not found and named and (facts := metadata.facts_of(named[0])) is not None:  # "the cheapest ward": by its visits
        found = adjective_members(metadata, [facts], best.hints, best.turned)
    # Three: more columns that an adjective measures are none that it was meant of.
    for number, (path, turned) in enumerate(found[:3]):
        descending = best.descending != turned
        yield (
            replace(best, path=path, descending=descending),
            (("best:adjective", 1.0), ("best:adjective:later", float(number > 0))),
        )
    if not found:
        yield best, (("best:adjective:unknown", 1.0),)


def _sized(partial: Partial, metadata: Metadata) -> bool:
    """Whether the largest of what is spoken of is so by a size of its own, not by how often it is there."""
    if partial.best is None or partial.best.text.lower() not in _SIZED:
        return False
    named = [c.relation for c in partial.clauses if isinstance(c, Subject)]
    return bool(named and adjective_members(metadata, named, _SIZES, frozenset()))


_SIZED = frozenset({"largest", "biggest", "smallest"})
_SIZES = frozenset({"area", "size", "population", "capacity", "acreage", "surface"})


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
            if d.partial.both:
                yield from _with(both(d, base), features)
            if d.best is not None and d.best.path is not None and repeats(d):
                yield from _with(
                    grouped(d, base, having), (*features, ("best:of-groups", 1.0), (f"best:groups:{told_of(d)}", 1.0))
                )


def _holds_twice(tests: Sequence[Tested]) -> bool:
    """Whether the same is looked for in two texts, and in both of them at once: either of them is meant."""
    found = [t for t in tests if t.operator == "contains" and not t.negated]
    return any(
        one.values == other.values and one.path != other.path and other.joined != "or" for one, other in pairwise(found)
    )


def _with(forms: Iterator[tuple[Form, Features]], features: Features) -> Iterator[tuple[Form, Features]]:
    for form, more in forms:
        yield form, (*features, *more)


def _based(d: Draft) -> Iterator[tuple[Form, Features]]:
    """Root, joins and conditions."""
    root = d.scope[0]
    outer = d.withs
    # Rows that others refer to may be had by the join itself, unless something more is said of them.
    for related in (True, False) if outer else (True,):
        where: list[Condition] = []
        features: Features = ()
        for w in outer if related else ():
            condition = related_condition(d.metadata, d.scope, w.relation, w.negated, d.inner)
            if condition is None:
                return
            where.append(condition)
        if outer and not related:
            if d.inner or any(w.negated for w in outer):
                continue
            features = (("related:joined", 1.0),)
        if d.top is not None:
            picked = picked_condition(d.metadata, d.scope, d.top)
            if picked is None:
                return
            where.append(picked)
        where.extend(d.apart)
        if is_vacuous((*d.tests, *d.timed)):
            features = (*features, ("lost:denial", 1.0))
        # What no row can meet lost something that was said.
        if (is_impossible((*d.tests, *d.timed)) or _holds_twice(d.tests)) and not d.partial.both:
            features = (*features, ("lost:other", 1.0))
        known = bound(d)
        where.extend(b.condition for b in known)
        if any(b.kind == "either" for b in known):
            features = (*features, ("or", 1.0))
        if len(spans_of(d)) > 1:
            features = (*features, ("periods", 1.0))
        joins = joins_of(d.metadata, d.scope)
        if joins is None:
            return
        yield Form(Role(root), joins=joins, where=tuple(Filter(c) for c in where)), features
