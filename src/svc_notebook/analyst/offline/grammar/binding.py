"""Conditions on rows as a reader binds them: and between clauses, or where it was said, either of several periods."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from ..forms import Condition, Or
from .clauses import SOME_TIME, Tested, Timed
from .conditions import condition_of, time_condition
from .drafts import Draft

__all__ = ["Bound", "bound", "spans_of"]


class Bound(Struct, frozen=True):
    """A condition with what said it: ``kind`` is ``test``, ``period`` or ``either`` (of two or more)."""

    condition: Condition
    kind: str


def bound(d: Draft) -> list[Bound]:
    """The conditions on rows in the order they were said."""
    found: list[Bound] = []
    spans = spans_of(d) if len(spans_of(d)) > 1 else ()
    clauses: list[Tested | Timed] = [*d.tests, *d.timed]
    for clause in sorted(clauses, key=lambda c: c.place):
        if isinstance(clause, Timed):
            path = _path(d, clause)
            if path is not None and clause not in spans:
                found.extend(Bound(c, "period") for c in time_condition(clause, path))
            # Said together at the last of them, where the others are passed over.
            elif path is not None and clause is spans[-1]:
                terms = [c for span in spans for c in time_condition(span, path)]
                found.append(Bound(Or(tuple(terms)), "period"))
        elif not clause.function:
            condition = condition_of(clause)
            if clause.joined == "or" and found:
                found[-1] = Bound(Or((found[-1].condition, condition)), "either")
            else:
                found.append(Bound(condition, "test"))
    return found


def spans_of(d: Draft) -> Sequence[Timed]:
    """Periods of one time that no moment lies in together: either of them is meant."""
    spans = [
        (low, high, t) for t in d.timed
        if not t.negated and (low := t.period.low) is not None and (high := t.period.high) is not None
    ]  # fmt: skip
    # Of one time only: two periods of two times are both meant.
    if len({_path(d, t) for _, _, t in spans}) != 1:
        return ()
    apart = all(high <= low for (_, high), (low, _) in pairwise(sorted((low, high) for low, high, _ in spans)))
    return sorted((t for _, _, t in spans), key=lambda t: t.place) if apart else ()


def _path(d: Draft, clause: Timed) -> str | None:
    return d.time if clause.path == SOME_TIME else clause.path
