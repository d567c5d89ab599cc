"""Row filters in words: as the policy has them for whoever runs the service, and as an asker may be told of them."""

from __future__ import annotations

from ..context import SecurityContext
from ..model import View
from ..policy import RowRule, visible_members
from ..row_filters import FilterOutcome
from .applied import AppliedFilter
from .index import ModelIndex
from .steps import Path

__all__ = ["applied", "sees"]


def applied(
    rule: RowRule, outcomes: list[FilterOutcome], relation: str, shown: str, groups: frozenset[str]
) -> AppliedFilter:
    """The rule in words; ``shown`` is the relation to name to the asker."""
    words = " or ".join(o.words for o in outcomes) or "no rows"
    told = " or ".join(dict.fromkeys(o.told for o in outcomes)) or "no rows"
    known = AppliedFilter(shown, told, rule.reason or _reason(rule, shown, groups))
    return AppliedFilter(relation, words, rule.reason or _reason(rule, relation, groups), known)


def sees(index: ModelIndex, ctx: SecurityContext, view: View | None, path: Path, member: str) -> bool:
    """Whether the asker may see a cube's member, in the view that is asked or in the cube itself."""
    if member in visible_members(index.model, path[-1], ctx):
        return True
    if view is None:
        return False
    seen = visible_members(index.model, view.name, ctx)
    return any(m.name in seen and (m.cube, m.member) == (path[-1], member) for m in view.members)


def _reason(rule: RowRule, relation: str, groups: frozenset[str]) -> str:
    who: list[str] = []
    for grant in rule.alternatives:
        matched = (
            ["everyone"] if "*" in grant.policy.groups else [f"group '{g}'" for g in grant.policy.groups if g in groups]
        )
        who += [m for m in matched if m not in who]
    return f"access policy of {relation} for {', '.join(who) or 'this asker'}"
