"""Drafts: the clauses of a partial reading by kind, over relations that hang together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....records import dataclass
from ..forms import Condition
from ..schema.derivations import relations_of
from ..schema.member_kinds import doers
from ..schema.metadata import Metadata
from ..schema.spans import span_in
from .apart import apart
from .clauses import SOME_TIME, Best, Grouped, Measured, Shown, Sorted, Subject, Tested, Timed, With
from .partial import Features, Partial
from .years import in_years

__all__ = ["Draft", "drafts_of", "relation_of"]


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
    inner: tuple[Tested | Timed, ...] = ()  # what the rows that are (not) had must meet
    top: Best | None = None  # picks rows of a relation that these refer to
    apart: tuple[Condition, ...] = ()  # on different rows of the same thing


def drafts_of(partial: Partial, metadata: Metadata, best: Best | None) -> Iterator[Draft]:
    """Every way in which the clauses hang together."""
    clauses = tuple(c for c in partial.clauses if not isinstance(c, Best))
    # Two superlatives would need two orders.
    if len(partial.clauses) - len(clauses) > 1:
        return
    timed = any(getattr(c, "path", "") == SOME_TIME for c in clauses)
    subjects = [c.relation for c in clauses if isinstance(c, Subject)]
    content = _content(clauses, best)
    everything = list(dict.fromkeys([*content, *subjects]))
    # With all that was named, with the first subject alone, and with what is asked for alone: nouns that only fill
    # would join tables for nothing.
    wanted = [everything or _default(metadata, clauses, timed)]
    wanted.append(list(dict.fromkeys([*content, *subjects[:1]] if content else subjects[:1])))
    wanted.append(list(dict.fromkeys(content)))
    seen: list[list[str]] = []
    for needed in wanted:
        if needed and needed not in seen:
            seen.append(needed)
            unused = float(len(everything) - len(needed)) if everything else 0.0
            more: Features = (("relation:unused", unused),) if unused > 0 else ()
            yield from _draft(partial, metadata, clauses, best, needed, more)
    if best is not None and not (best.path or best.relation) and not any(isinstance(c, Measured) for c in clauses):
        facts = next((name for r in everything if (name := metadata.facts_of(r))), None)
        if facts is not None and facts not in everything:
            yield from _draft(partial, metadata, clauses, best, [*everything, facts], (("best:facts", 1.0),))
    if partial.who and best is not None and everything and (doer := doers(metadata, everything)) is not None:
        yield from _draft(partial, metadata, clauses, best, [*everything, doer], (("who:elsewhere", 1.0),))
    yield from _nested(partial, metadata, clauses, best, subjects)
    for relation, conditions, rest in apart(partial, metadata, clauses):
        for draft in _draft(partial, metadata, rest, best, [relation], (("related:apart", 1.0),)):
            yield replace(draft, apart=conditions)


def _content(clauses: Sequence[object], best: Best | None) -> list[str]:
    """The relations of what is asked for."""
    telling = [c for c in clauses if not isinstance(c, (Subject, With))]
    found = [r for c in telling for r in _relations_of(c)]
    if best is not None:
        found += _relations_of(best)
    return found


def _relations_of(clause: object) -> tuple[str, ...]:
    """The relations that a clause speaks of: both, where a time goes from a row to one of another."""
    path, named = getattr(clause, "path", None), getattr(clause, "relation", "")
    own = relations_of(path) if path and path != SOME_TIME else ()
    if isinstance(clause, Best):
        return (*((named,) if named else ()), *own)
    return (named,) if named else own


def _nested(
    partial: Partial, metadata: Metadata, clauses: tuple[object, ...], best: Best | None, subjects: list[str]
) -> Iterator[Draft]:
    """Conditions on rows inside: of those that are (not) had, and of those that a superlative picks."""
    for place, inner, rest in _inner(clauses):
        needed = list(dict.fromkeys([*_content(rest, best), *subjects[:1]]))
        for draft in _draft(partial, metadata, rest, best, needed, (("related:inner", 1.0),)) if needed else ():
            if place.relation not in draft.scope:
                yield replace(draft, withs=(place,), inner=inner)
    if best is not None and best.path:
        parent = relation_of(best)
        needed = list(dict.fromkeys([*_content(clauses, None), *subjects]))
        without = [name for name in needed if name != parent]
        if any(metadata.joins.refers(name, parent) for name in without):
            kept = needed if parent in _content(clauses, None) else without
            for draft in _draft(partial, metadata, clauses, None, kept, (("best:inner", 1.0),)):
                yield replace(draft, top=best)


def _inner(clauses: tuple[object, ...]) -> Iterator[tuple[With, tuple[Tested | Timed, ...], tuple[object, ...]]]:
    """What rows that are had must meet: all that is said behind them; what is denied of them, as rows not had."""
    withs = [c for c in clauses if isinstance(c, With)]
    if len(withs) == 1:
        inner = tuple(
            c for c in clauses
            if (isinstance(c, Tested) and not c.function or isinstance(c, Timed)) and c.place > withs[0].place
        )  # fmt: skip
        if inner:
            yield withs[0], inner, tuple(c for c in clauses if c not in (*inner, withs[0]))
    denied = [c for c in clauses if isinstance(c, Tested) and c.negated and not c.function and c.operator != "missing"]
    if len(denied) == 1 and not withs:
        made = With(denied[0].place, relation_of(denied[0]), True)
        yield made, (replace(denied[0], negated=False),), tuple(c for c in clauses if c is not denied[0])


def _default(metadata: Metadata, clauses: tuple[object, ...], timed: bool) -> list[str]:
    """Where nothing was named: the relation whose rows lead to most others."""
    if not clauses:
        return []
    # Which rows were meant nobody said: those that lead to most others are what happened.
    names = [name for name in metadata.edges if not timed or metadata.times([name])] or list(metadata.edges)
    return [max(names, key=metadata.reached_from)] if names else []


def _draft(
    partial: Partial,
    metadata: Metadata,
    clauses: tuple[object, ...],
    best: Best | None,
    needed: list[str],
    more: Features,
) -> Iterator[Draft]:
    scope = metadata.scope(needed) if needed else None
    if scope is None:
        return
    timed = any(getattr(c, "path", "") == SOME_TIME for c in clauses)
    # The root's own times first: those of a joined table date other rows.
    times = metadata.times([scope[0]]) or metadata.times(scope)
    # From near to far: a year as a number, the time of what the rows belong to, that of rows that belong to them.
    if timed and not metadata.times([scope[0]]) and (kept := in_years(clauses, scope, metadata)) is not None:
        clauses, timed = kept, False
    if timed and (wider := metadata.dated(scope)) is not None:
        more = (*more, ("time:parent", 1.0)) if not times else more
        scope, times = wider, metadata.times(wider)
    if timed and not times:
        facts = next((n for r in needed if (n := metadata.facts_of(r)) and metadata.times([n])), None)
        scope = metadata.scope([facts, *needed]) if facts else None
        if scope is None:
            return
        times, more = metadata.times(scope), (*more, ("time:elsewhere", 1.0))
    extra = len(scope) - 1
    features: Features = (*more, ("joins", float(extra)), ("joins:between", float(len(set(scope) - set(needed)))))
    if metadata.is_bridged(scope):
        features = (*features, ("joins:bridged", 1.0))

    def of(kind: type) -> tuple:  # type: ignore[type-arg]  # each caller names the type
        return tuple(c for c in clauses if isinstance(c, kind))

    yield Draft(
        metadata, partial, scope, _time_of(of(Measured), times), of(Measured), of(Grouped), of(Shown), of(Subject),
        of(Tested), of(Timed), of(With), best, of(Sorted), features,
    )  # fmt: skip


def _time_of(measured: Sequence[Measured], times: Sequence[str]) -> str | None:
    """The time that dates rows: of how long they lasted when that began, and else their first."""
    lasted = [span for one in measured if one.path is not None and (span := span_in(one.path)) is not None]
    begun = [span.start.path for span in lasted if not span.is_folded and span.start.path in times]
    return next(iter([*begun, *times]), None)


def relation_of(clause: object) -> str:
    path = getattr(clause, "path", None)
    return path.split(".", 1)[0] if path and path != SOME_TIME else ""
