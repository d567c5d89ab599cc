"""``customers who bought butter and cheddar``: those with both, and not with either, where each may have several."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..plans.plan import Condition, Exists, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..understood import Understood
from .asked import AskedTurn

__all__ = ["of_both"]

_BOTH = "Only those with all of them are shown; say “or” for those with any."
_ANY = "Those with any of them are shown; say “both” for those with all."
_SAID = re.compile(
    r"\b(?:or|either|any|each|both|all|respectively|vs|versus|compared?|against|neither|nor)\b", re.IGNORECASE
)
_WHO = re.compile(r"^\W*(?:which|what|who|how many)\b|\b(?:who|that|which)\b", re.IGNORECASE)
_COUNTS = frozenset({"count", "count_distinct"})


def of_both(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, of those that have all that was named, or with a word that it is of any of them."""
    plan = found.plan
    if plan is None or found.followed is not None or found.analysis is not None or plan.alternatives or plan.exists:
        return found
    listed = _listed(plan, asked.metadata)
    either = [c for c in plan.conditions if c.operator == "in" and len(c.values) > 1 and c.part is None]
    if listed is None or len(either) != 1 or not _joined_by_and(either[0], asked.turn.asked):
        return found
    relation = either[0].member.split(".", 1)[0]
    if asked.metadata.leads_to(listed, relation):
        return found
    both = _with_all(plan, either[0], listed, asked) or plan.with_(notes=(*plan.notes, _ANY))
    return replace(found, plan=both, statement=write_sql(both, asked.metadata), form=None, options=())


def _listed(plan: Plan, metadata: Metadata) -> str | None:
    """The relation whose rows are named, or counted."""
    if plan.shape == "distinct" and plan.limit is None:
        owners = {path.split(".", 1)[0] for path in plan.columns}
        return owners.pop() if len(owners) == 1 else None
    if plan.shape != "aggregate" or plan.dimensions or len(plan.measures) != 1 or plan.nested is not None or plan.parts:
        return None
    plain = metadata.plain(plan.measures[0])
    if plain.aggregate not in _COUNTS or plain.conditions:
        return None
    return plain.entity or (plain.member or "").split(".", 1)[0] or None


def _joined_by_and(condition: Condition, question: str) -> bool:
    said = [word.strip() for word in condition.words.split(",")]
    if len(said) < 2 or _SAID.search(question):
        return False
    return (
        re.search(rf"{re.escape(said[-2])}\W+and\s+(?:\w+\s+)?{re.escape(said[-1])}", question, re.IGNORECASE)
        is not None
    )


def _with_all(plan: Plan, either: Condition, listed: str, asked: AskedTurn) -> Plan | None:
    meta, rest = asked.metadata, tuple(c for c in plan.conditions if c is not either)
    first = asked.turn.asked.lower().find(either.words.split(",")[0].strip().lower())
    if not _WHO.search(asked.turn.asked[: max(first, 0)]):
        return None
    if not all(meta.leads_to(listed, c.member.split(".", 1)[0]) for c in rest):
        return None
    relation = either.member.split(".", 1)[0]
    exists = tuple(Exists(relation, False, (replace(either, values=(value,)),)) for value in either.values)
    scope = meta.scope([listed, *(c.member.split(".", 1)[0] for c in rest)])
    if scope is None or scope[0] != listed:
        return None
    counted = tuple(replace(m, entity=listed, member=None, aggregate="count") if m.member is None or m.aggregate
                    == "count_distinct" else m for m in plan.measures)  # fmt: skip
    return plan.with_(
        scope=scope, conditions=rest, exists=exists, measures=counted, notes=(*plan.notes, _BOTH), order=plan.order
    )
