"""Rows that are measurements: a number for each series and moment, which speaks for them where none is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from ..schema.lexicon import Candidate

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from ..schema.values import ValueMatch
    from .segments import Item

__all__ = ["is_panel", "measured_in", "measured_scope"]

# A few gaps, and a few that came twice, make no panel another table.
_FULL = (0.9, 1.02)  # rows for each series and moment that there might be
_NOT_MEASURED = frozenset({"price", "rate", "flag", "id", "year"})
_COUNTED = frozenset("how many number count often common popular frequent busiest quietest rarest".split())


def measured_in(metadata: Metadata, relation: str) -> str | None:
    """The one number that the rows of ``relation`` are measurements of.

    They are where each series (a meter, a station) has one row at each moment: such rows nobody counts.
    """
    known = metadata.relation(relation)
    if known.kind == "view" or not is_panel(metadata, relation):
        return None
    dimensions = [m for m in known.members.values() if m.kind == "dimension" and m.path in metadata.members]
    numbers = [
        m.path
        for m in dimensions
        if metadata.is_number(m.path)
        and not (metadata.is_key(m.path) or metadata.is_year(m.path) or m.meta.get("computed"))
        and m.meta.get("kind") not in _NOT_MEASURED
    ]
    adding = [path for path in numbers if metadata.adds_up(path)] or numbers
    if len(adding) == 1:
        return adding[0]
    spoken = metadata.headline_number(relation)
    return spoken if spoken in adding else None


def is_panel(metadata: Metadata, relation: str) -> bool:
    """Whether each series has a row at each moment."""
    times = metadata.times([relation])
    moments = metadata.profile(times[0]) if times else None
    if moments is None or moments.rows < 2 or moments.missing:
        return False
    series = [
        metadata.profile(m.path).distinct
        for m in metadata.relation(relation).members.values()
        if m.kind == "dimension" and m.path in metadata.members and not m.primary_key
        if m.type == "string" or metadata.is_key(m.path)
    ]
    if _is_of_visitors(relation, metadata, moments.distinct):
        return False
    # One series or two (a meter in a building): more would fit by chance.
    found = (prod(some) * moments.distinct for size in (1, 2) for some in combinations(series, size))
    return any(_FULL[0] <= moments.rows / whole <= _FULL[1] for whole in found if whole)


def _is_of_visitors(relation: str, metadata: Metadata, moments: int) -> bool:
    """Whether more come in than there are moments, some of them again: patients who are admitted are no series."""
    known = [m for m in metadata.relation(relation).members.values() if m.kind == "dimension" and not m.primary_key]
    named = [metadata.profile(m.path) for m in known if m.path in metadata.members and metadata.is_key(m.path)]
    return any(moments < profile.distinct < profile.rows for profile in named)


def measured_scope(
    chosen: Iterable[tuple[int, Candidate | ValueMatch]], items: Sequence[Item], metadata: Metadata
) -> tuple[str, ...] | None:
    """``gas vs electricity``, ``water by site``: values of a series and groups alone speak of what is measured of it.

    The relations of the query that adds it up; None where rows are spoken of, or numbers, or what is listed.
    """
    places = dict(chosen)
    valued = {c.member.split(".", 1)[0] for c in places.values() if not isinstance(c, Candidate)}
    if not valued or any(_counts_or_lists(item) for item in items):
        return None
    named = [(place, c) for place, c in places.items() if isinstance(c, Candidate)]
    if any(_is_number(c, metadata) for _, c in named):
        return None
    spoken = {c.relation for place, c in named if c.member is None and not _groups(place, items)}
    ranked = any(item.is_cue("top") for item in items)
    others = [c.relation if isinstance(c, Candidate) else c.member.split(".", 1)[0] for c in places.values()]
    scopes = []
    for fact in metadata.catalog.relations:
        series = {fact, *metadata.edges.get(fact, ())}
        # Rows of other tables only say which series, unless these are what was asked for.
        passed = not spoken or not spoken & series and bool(valued & series) or ranked and not spoken & valued
        if passed and measured_in(metadata, fact) is not None:
            scope = metadata.scope(tuple(dict.fromkeys((fact, *others))), (fact,))
            scopes += [scope] if scope is not None and scope[0] == fact else []
    return scopes[0] if len(scopes) == 1 else None


def _counts_or_lists(item: Item) -> bool:
    return item.is_cue("count") or item.is_cue("ask", "list") or bool(_COUNTED & set(item.text.lower().split()))


def _is_number(named: Candidate, metadata: Metadata) -> bool:
    path = named.member
    return path is not None and (metadata.is_measure(path) or metadata.is_number(path) and not metadata.is_key(path))


def _groups(place: int, items: Sequence[Item]) -> bool:
    return place > 0 and items[place - 1].is_cue("group")
