"""What of a question no clause of a plan accounts for: quantities, ends, names and values."""

from __future__ import annotations

from ..plans.plan import Plan
from ..walk.draft import Draft
from .asked_otherwise import otherwise_answered
from .ends_said import ends_lost
from .heads_asked import heads_missed
from .heads_unsaid import heads_unsaid
from .quantified import quantities_lost
from .said_names import names_lost

__all__ = ["unaccounted"]


def unaccounted(plan: Plan, draft: Draft) -> tuple[str, ...]:
    """The words that say how many, which end or of what, and of which nothing came."""
    checks = (quantities_lost, ends_lost, names_lost, otherwise_answered, heads_unsaid, heads_missed)
    lost = [word for check in checks for word in check(plan, draft)]
    return tuple(dict.fromkeys(lost))
