"""Sides set against each other: two values, a flag and its denial, what meets a condition and the rest.

``are urgent tickets answered faster than low ones``, ``insured parcels against uninsured ones``, ``cash and the rest``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..schema.member_kinds import adjective_members
from ..schema.metadata import Metadata
from .clauses import Clause, Grouped, Measured, Tested
from .partial import Features, Partial

__all__ = ["against"]


def against(partial: Partial, metadata: Metadata) -> Iterator[tuple[Partial, Features]]:
    """The readings in which sides are groups; what an adjective measures is averaged for each of them."""
    sided = _sided(partial)
    if sided is None:
        return
    path, clauses = sided
    compare = partial.compare if partial.number is None else None
    whole = partial._replace(clauses=clauses, compare=None if compare else partial.compare, versus=True, rest=False)
    measured = any(isinstance(c, Measured) for c in clauses)
    if compare is None or measured:
        if clauses != partial.clauses or compare is not None:
            yield whole, (("against:sides", 1.0),)
        return
    if not compare.hints:
        return
    relations = list(dict.fromkeys([path.split(".", 1)[0], *metadata.catalog.relations]))
    # Two at most: an adjective that measures more is no comparison of one thing.
    for later, (of, _) in enumerate(adjective_members(metadata, relations, compare.hints, compare.turned)[:2]):
        average = Measured(compare.start, "avg", of)
        found: Features = (("against:adjective", 1.0), *((("best:adjective:later", 1.0),) if later else ()))
        yield whole._replace(clauses=(*clauses, average)), found


def _sided(partial: Partial) -> tuple[str, tuple[Clause, ...]] | None:
    """The member that tells the sides apart, and the clauses with them as one."""
    tests = [c for c in partial.clauses if isinstance(c, Tested) and c.path and not (c.function or c.average)]
    if partial.rest:
        return _instead(partial, tests[-1:], test=tests[-1]) if tests else None
    # A flag said with its denial: both sides are in its values already.
    flags = [c for c in tests if c.operator == "holds"]
    both = [c for c in flags if any(o.path == c.path and o.values != c.values for o in flags)]
    if len(both) == 2:
        return _instead(partial, both)
    tested = [c for c in tests if c.operator == "in"]
    values = tuple(dict.fromkeys(v for c in tested for v in c.values))
    if len({c.path for c in tested}) != 1 or len(values) < 2 or partial.compare is None:
        return None
    merged = replace(tested[0], values=values)
    rest = tuple(merged if c is tested[0] else c for c in partial.clauses if c not in tested[1:])
    return str(tested[0].path), rest


def _instead(partial: Partial, tests: list[Tested], test: Tested | None = None) -> tuple[str, tuple[Clause, ...]]:
    """Groups in the place of conditions: a flag parts its rows by itself."""
    path = str(tests[0].path)
    group = Grouped(tests[0].place, path, test=None if tests[0].operator == "holds" else test)
    return path, tuple(group if c is tests[0] else c for c in partial.clauses if c not in tests[1:])
