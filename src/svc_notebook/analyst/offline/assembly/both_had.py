"""Who has rows of both of two kinds: *pupils who took both French and History*, *sensors with both a repair and …*."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Condition, Exists, Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.member_kinds import labels_of
from ..walk.draft import Draft

__all__ = ["both_had"]

_TWO = 2
# Below it a word is only like the name of a relation, and would be taken for whoever has the rows.
_SURE = 0.8
_HAVING = frozenset("in with had has have took take at from for used bought visited played got on of did".split())


def both_had(plan: Plan, draft: Draft) -> Plan | None:
    """A plan of rows that are of either kind as one of those that have rows of both; None where that is not said.

    What is spoken of first has the rows; one way alone leads from them to what they are to be of.
    """
    words = [token.lower for token in draft.tokens]
    # "both" twice is said of two things: of which of them these values are is not known.
    if words.count("both") != 1 or plan.parts or plan.nested or plan.having or plan.alternatives:
        return None
    at = words.index("both")
    either = [c for c in plan.conditions if c.operator == "in" and len(c.values) == _TWO]
    subject = _subject(draft, at)
    if len(either) != 1 or subject is None or not at or words[at - 1] not in _HAVING:
        return None
    held = either[0].member.split(".", 1)[0]
    # A group by anything else is told of each row of either kind.
    if any(dimension.member != either[0].member for dimension in plan.dimensions):
        return None
    rest = tuple(c for c in plan.conditions if c is not either[0])
    # A condition on other rows would hold for one of the two rows, or for both: that is not said.
    if held == subject or not _one_way(draft, subject, held) or any(_home(c) != subject for c in rest):
        return None
    counted = all(draft.metadata.plain(m).aggregate in ("count", "count_distinct") for m in plan.measures)
    if not counted or plan.limit is not None or plan.calculations:
        return None
    kinds = tuple(Exists(held, conditions=(replace(either[0], values=(value,)),)) for value in either[0].values)
    plain = plan.with_(scope=(subject,), order=(), columns=(), measures=(), dimensions=())
    made = plain.with_(conditions=rest, exists=(*plan.exists, *kinds))
    if draft.counting or draft.counted_entities:
        return made.with_(shape="aggregate", measures=(Measure(None, "count", entity=subject),))
    return made.with_(shape="distinct", columns=tuple(labels_of(draft.metadata, subject)))


def _subject(draft: Draft, before: int) -> str | None:
    """The relation whose rows are spoken of first."""
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        if item.kind == "name" and isinstance(said, Candidate):
            rows = said.member is None and said.quality >= _SURE and item.start < before
            return said.relation if rows else None
    return None


def _home(condition: Condition) -> str:
    return condition.member.split(".", 1)[0]


def _one_way(draft: Draft, subject: str, held: str) -> bool:
    """Whether rows of one relation alone belong to both, or what is held belongs to the subject itself."""
    meta = draft.metadata
    if meta.joins.refers(held, subject):
        return True
    between = [r for r in meta.edges if meta.joins.refers(r, subject) and meta.joins.refers(r, held)]
    return len(between) == 1
