"""Groups that meet two conditions, each in a row of its own: ``nations with both hosts over 45 and hosts under 35``."""

from __future__ import annotations

from collections.abc import Iterator

from ..forms import Aggregate, Clause, Compare, Filter, Form, Member, OneOf, Value
from ..schema.member_kinds import labels_of
from .binding import bound
from .drafts import Draft
from .partial import Features

__all__ = ["both"]


def both(d: Draft, base: Form) -> Iterator[tuple[Form, Features]]:
    """What is shown, where each of the conditions has a row."""
    first = d.subjects[0].place if d.subjects else None
    paths = list(dict.fromkeys(s.path for s in d.shown if first is None or s.place < first))
    if not paths and d.subjects:
        paths = list(labels_of(d.metadata, d.subjects[0].relation))
    terms = [b.condition for b in bound(d) if b.kind == "test"]
    # One list of values split into conditions that each need a row of their own.
    if len(terms) == 1 and isinstance(terms[0], OneOf) and not terms[0].negated:
        one = terms[0]
        split = [Compare(one.of, "=", value) for value in one.values]
        where = tuple(f for f in base.where if f.condition != one)
    elif len(terms) == 2:
        split = list(terms)  # type: ignore[arg-type]  # conditions of any kind
        where = tuple(f for f in base.where if f.condition not in terms)
    else:
        return
    if not paths:
        return
    # As conditions on the group: on rows, none meets both.
    having = tuple(Filter(Compare(Aggregate("rows", where=term), ">", Value(0))) for term in split)
    groups = tuple(Clause(Member(path)) for path in paths)
    yield base.with_(groups=groups, where=where, having=having), (("both", 1.0),)
