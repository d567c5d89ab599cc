"""Shares of rows that are all so already: of those that were cancelled, a hundred in a hundred were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..plans.plan import Condition, Measure, Plan
from ..schema.rates import rate_of, rated

if TYPE_CHECKING:
    from ..schema.metadata import Metadata
    from ..walk.draft import Draft

__all__ = ["is_share_of_itself", "tells_itself"]


def is_share_of_itself(plan: Plan, draft: Draft) -> bool:
    """Whether what a share tells of rows is what these were picked by."""
    return any(tells_itself(one, plan.conditions, draft.metadata) for one in plan.measures)


def tells_itself(share: Measure, conditions: Sequence[Condition], metadata: Metadata) -> bool:
    """Whether a share is of what all rows are that meet some conditions."""
    if share.aggregate == "share_true":
        return bool(share.conditions) and {_said(c) for c in share.conditions} <= {_said(c) for c in conditions}
    known = metadata.members.get(share.member or "") if share.aggregate == "measure" else None
    if known is None or not str(known.format or "").startswith("percent"):
        return False
    return any(_picks(condition, known.path, metadata) for condition in conditions)


def _picks(condition: Condition, rate: str, metadata: Metadata) -> bool:
    """Whether a condition is what a rate of the model is of: by a flag, or by the value that is called so."""
    if condition.operator == "true":
        return rate_of(condition.member, metadata) == rate
    values = {word for value in condition.values for word in str(value).lower().split()}
    return condition.operator == "in" and len(condition.values) == 1 and values == rated(rate, metadata)


def _said(condition: Condition) -> tuple[object, ...]:
    return condition.member, condition.operator, condition.values, condition.part, condition.other
