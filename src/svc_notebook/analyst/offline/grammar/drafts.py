"""Drafts: the clauses of a partial reading by kind, over relations that hang together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..metadata import Metadata
from .clauses import SOME_TIME, Best, Grouped, Measured, Shown, Sorted, Subject, Tested, Timed, With
from .partial import Features, Partial

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


def drafts_of(partial: Partial, metadata: Metadata, best: Best | None) -> Iterator[Draft]:
    clauses = tuple(c for c in partial.clauses if not isinstance(c, Best))
    if sum(isinstance(c, Best) for c in partial.clauses) > 1:
        return
    content = [
        r for c in clauses if not isinstance(c, (Subject, With)) and (r := getattr(c, "relation", "") or relation_of(c))
    ]
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


def relation_of(clause: object) -> str:
    path = getattr(clause, "path", None)
    return path.split(".", 1)[0] if path and path != SOME_TIME else ""
