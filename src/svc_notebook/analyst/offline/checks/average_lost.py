"""``average seats by airline``: no seats of all flights added up, and no number of them."""

from __future__ import annotations

from ..plans.plan import Measure, Plan
from ..schema.metadata import Metadata
from ..walk.draft import Draft

__all__ = ["is_average_lost"]

_AVERAGE = frozenset({"average", "avg", "mean"})
_OPENING = 4  # words
_ADDED = frozenset({"sum", "count", "count_distinct", "count_values"})


def is_average_lost(plan: Plan, draft: Draft) -> bool:
    """Whether a question opens with an average, and all numbers of a plan are added up or counted."""
    words = [token.lower for token in draft.tokens if token.kind == "word"]
    if plan.shape != "aggregate" or plan.nested is not None or plan.parts or plan.calculations or not plan.measures:
        return False
    opens = not _AVERAGE.isdisjoint(words[:_OPENING]) and not {"and", "with", "beside"} & set(words)
    return opens and all(_is_added(measure, draft.metadata) for measure in plan.measures)


def _is_added(measure: Measure, metadata: Metadata) -> bool:
    plain, known = metadata.plain(measure), metadata.members.get(measure.member or "")
    own = known.agg_type if plain.aggregate == "measure" and known is not None else plain.aggregate
    if own not in _ADDED or plain.divided_by is not None:
        return False
    named = metadata.parts(measure.member) if measure.member is not None and measure.aggregate == "measure" else ()
    return _AVERAGE.isdisjoint(named)
