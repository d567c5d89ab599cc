"""Two values set against each other by an adjective alone: ``are urgent tickets answered faster than low ones``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..schema.metadata import Metadata
from .clauses import Measured, Tested
from .kinds import adjective_members
from .partial import Features, Partial

__all__ = ["against"]


def against(partial: Partial, metadata: Metadata) -> Iterator[tuple[Partial, Features]]:
    """The reading in which what the adjective measures is averaged for each of the values."""
    compare = partial.compare
    if compare is None or not compare.hints or partial.number is not None:
        return
    tested = [c for c in partial.clauses if isinstance(c, Tested) and c.operator == "in" and c.path]
    paths = {c.path for c in tested}
    values = tuple(dict.fromkeys(v for c in tested for v in c.values))
    if len(paths) != 1 or len(values) < 2 or any(isinstance(c, Measured) for c in partial.clauses):
        return
    merged = replace(tested[0], values=values)
    rest = tuple(merged if c is tested[0] else c for c in partial.clauses if c not in tested[1:])
    relations = list(dict.fromkeys([tested[0].path.split(".", 1)[0], *metadata.catalog.relations]))  # type: ignore[union-attr]  # tested above
    for later, (path, _) in enumerate(adjective_members(metadata, relations, compare.hints, compare.turned)[:2]):
        measured = Measured(compare.start, "avg", path)
        found: Features = (("against:adjective", 1.0), *((("best:adjective:later", 1.0),) if later else ()))
        yield partial._replace(clauses=(*rest, measured), compare=None, versus=True), found
