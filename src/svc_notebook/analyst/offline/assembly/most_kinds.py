"""``which airline has the most destinations``: the one with most of them, and not the one with most rows of one."""

from __future__ import annotations

from ..plans.plan import Measure, Plan
from ..schema.counted import counts_values_of
from ..schema.lexicon import Candidate
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..walk.draft import Draft
from ..words.text import singular

__all__ = ["by_most_kinds", "ranked_by"]

_MOST = frozenset({"most", "the most", "fewest", "the fewest", "least", "the least"})
_DIFFERENT = frozenset({"different", "distinct", "unique", "of the", "of", "the"})
_TWO = 2


def by_most_kinds(plan: Plan, draft: Draft) -> Plan:
    """A ranking of two kinds by their rows, as that of the one by how many of the other it has, where that was said."""
    kinds = [one for one in plan.dimensions if one.grain is None and one.bin is None]
    if plan.shape != "aggregate" or len(plan.measures) != 1 or len(kinds) != _TWO or len(plan.dimensions) != _TWO:
        return plan
    path = ranked_by(draft)
    left = tuple(one for one in kinds if one.member != path)
    if path is None or len(left) != 1 or not _counts(plan.measures[0], path, draft.metadata):
        return plan
    if plan.limit is None or plan.having or plan.parts or plan.nested is not None or plan.calculations:
        return plan
    order = tuple(one for one in plan.order if one.by == "measure")
    return plan.with_(dimensions=left, measures=(Measure(path, "count_distinct"),), order=order, limit_of=None)


def _counts(measure: Measure, path: str, metadata: Metadata) -> bool:
    """Whether a number counts rows, or how many of a kind there are."""
    plain = metadata.plain(measure)
    if plain.conditions or measure.conditions:
        return False
    if plain.aggregate == "count" and plain.member is None or plain.aggregate == "count_distinct":
        return plain.member in (None, path)
    return measure.member in metadata.members and counts_values_of(metadata, str(measure.member), path)


def ranked_by(draft: Draft) -> str | None:
    """The kind in the plural that stands right behind *the most*."""
    place = next((at for at, item in enumerate(draft.items) if item.is_cue("top")), None)
    if place is None or draft.items[place].text.lower() not in _MOST:
        return None
    place += 1
    while place < len(draft.items) and draft.items[place].text.lower() in _DIFFERENT:
        place += 1
    said = draft.resolution.choice.get(place)
    path = said.member if isinstance(said, Candidate) else None
    if path is None or path not in draft.metadata.members or kind_of(draft.metadata, path) not in ("text", "key"):
        return None
    noun = draft.tokens[draft.items[place].end - 1].lower
    return path if singular(noun) != noun else None
