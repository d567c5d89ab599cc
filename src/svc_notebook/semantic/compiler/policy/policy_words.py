"""Row filters in words: as the policy has them for whoever runs the service, and as an asker may be told of them."""

from __future__ import annotations

from ...policies.policy import RowRule
from ...policies.row_filters import FilterOutcome
from ..applied import AppliedFilter

__all__ = ["applied"]


def applied(
    rule: RowRule, outcomes: list[FilterOutcome], relation: str, shown: str, groups: frozenset[str]
) -> AppliedFilter:
    """The rule in words; ``shown`` is the relation to name to the asker."""
    words = " or ".join(o.words for o in outcomes) or "no rows"
    told = " or ".join(dict.fromkeys(o.told for o in outcomes)) or "no rows"
    known = AppliedFilter(shown, told, rule.reason or _reason(rule, shown, groups))
    return AppliedFilter(relation, words, rule.reason or _reason(rule, relation, groups), known)


def _reason(rule: RowRule, relation: str, groups: frozenset[str]) -> str:
    who: list[str] = []
    for grant in rule.alternatives:
        matched = (
            ["everyone"] if "*" in grant.policy.groups else [f"group '{g}'" for g in grant.policy.groups if g in groups]
        )
        who += [m for m in matched if m not in who]
    return f"access policy of {relation} for {', '.join(who) or 'this asker'}"
