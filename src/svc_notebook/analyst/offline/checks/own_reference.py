"""A reference to the same table is no answer to who it was: *guests and who referred them* are named."""

from __future__ import annotations

from ..plans.plan import Plan
from ..schema.superiors import superior_of
from ..walk.draft import Draft

__all__ = ["is_bare_reference"]

_WHO = frozenset({"who", "whom"})


def is_bare_reference(plan: Plan, draft: Draft) -> bool:
    """Whether keys are listed where it is asked who somebody is."""
    if plan.shape == "aggregate" or len(plan.columns) != 1 or _WHO.isdisjoint(token.lower for token in draft.tokens):
        return False
    relation = plan.columns[0].split(".", 1)[0]
    superior = superior_of(draft.metadata, relation)
    keys = draft.metadata.join_keys(relation, superior) if superior is not None else None
    return keys is not None and keys[0] == plan.columns[0]
