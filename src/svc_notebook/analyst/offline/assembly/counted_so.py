"""``how many flights to Boston were on time``: those that were, where a measure counts them, and not all as well."""

from __future__ import annotations

from itertools import pairwise

from ..schema.lexicon import Candidate
from .assembly import Assembly

__all__ = ["counted_so"]


def counted_so(state: Assembly) -> None:
    """Leave out the count of all rows where what is said of them is a measure that counts those."""
    counts = [m.member for m in state.measures if m.aggregate == "measure" and m.member is not None]
    known = state.meta.members
    if state.shape != "aggregate" or len(counts) != len(state.measures) or state.draft.compare or state.draft.mark:
        return
    if any(known[path].agg_type != "count" for path in counts):
        return
    for one, other in pairwise(counts):
        # What counts all rows is called as they are, with no word more.
        if len(known[one].title.split()) < len(known[other].title.split()) and _is_said_of(state, one, other):
            state.measures[:] = [measure for measure in state.measures if measure.member != one]


def _is_said_of(state: Assembly, one: str, other: str) -> bool:
    """Whether both are named in one clause: *how many rows … were so*, without an *and* between them."""
    draft = state.draft
    chosen = {c.member: place for place, c in draft.resolution.choice.items() if isinstance(c, Candidate)}
    first, last = chosen.get(one), chosen.get(other)
    if first is None or last is None or first > last or not draft.items[first].text.lower().startswith("how many"):
        return False
    return not any(item.is_cue("logic") or item.is_cue("group") for item in draft.items[first + 1 : last])
