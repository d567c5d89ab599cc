"""What is good and what is bad when there is much of it: the one place that knows where *best* and *worst* point."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..words.text import stem

if TYPE_CHECKING:
    from .metadata import Metadata

__all__ = ["BEST", "WORST", "are_breaches", "is_bad_when_high", "is_judging", "marks"]

BEST = frozenset({"best", "best performing"})
WORST = frozenset({"worst", "worst performing", "poorest performing"})

_BAD = frozenset(
    map(
        stem,
        "delay delayed late lateness tardy wait waiting queue latency lag downtime outage "
        "cancel cancelled cancellation cost costs expense price debt deficit loss lost penalty overdue unpaid arrears "
        "complaint complain return returned refund refunded chargeback dispute fraud theft crime "
        "error failure failed fault defect defective bug crash incident accident escalation escalated violation "
        "churn churned unsubscribe dropout abandoned abandonment bounce absence missed missing noshow "
        "damage damaged injury injured sick sickness illness death fatality casualty mortality infection "
        "unemployment pollution emission "
        "outages interruption disruption affected aff hurt fatal killed wounded fine breach infraction offence offense "
        "recall shortage spill leak breakdown rework scrap absentee eviction default arrest citation "
        "waste risk demerit reject rejected rejection refused refusal denied declined contamination rank "
        "ranking position duration time pace readmission readmitted died attrition backlog complication malfunction "
        "breakage breached broken stolen burglary collision spoilage spoiled expired unsold unanswered unresolved "
        "stockout vacancy relapse".split(),
    )
)
_MARKS = frozenset("rating score stars grade satisfaction nps".split())
_GOOD = (frozenset({"on", "time"}), frozenset({"in", "time"}))  # words that turn what one of them says alone
_PAIRS = (frozenset({"no", "show"}),)
_UNITS = frozenset("seconds minutes hours days weeks months".split())


def is_bad_when_high(words: Iterable[str]) -> bool:
    """Whether much of what ``words`` name is bad: ``arrival delay``, ``cancelled``, ``no show``."""
    said = {word.lower() for word in words}
    if any(pair <= said for pair in _PAIRS) or "to" in said and said & _UNITS:  # hours to resolve
        return True
    # "on time" holds "time", which alone is bad: taken out before words are looked at one by one.
    for pair in _GOOD:
        if pair <= said:
            said -= pair
    return any(stem(word) in _BAD for word in said)


def are_breaches(metadata: Metadata, relation: str) -> bool:
    """Whether each row of a table is a breach that is fined: a parking ticket, a citation."""
    members = [m for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    parts = {stem(part) for m in members for part in metadata.parts(m.path)}
    fined = metadata.relation(relation).kind == "cube" and bool(parts & _FINES)
    # How many breaches an inspection found is a number of it; of what code a breach was is what the row is.
    coded = {stem(p) for m in members if m.type == "string" for p in metadata.parts(m.path)}
    return fined and bool(coded & _BREACHES)


_FINES = frozenset(map(stem, ("fine", "penalty")))
_BREACHES = frozenset(map(stem, "violation viol offence offense infraction breach".split()))


def is_judging(words: str) -> bool:
    """Whether a superlative says what is good, not what is much."""
    return words.lower() in BEST | WORST


def marks(metadata: Metadata, relations: Iterable[str]) -> list[str]:
    """The numbers that say how good rows are: ratings, scores, stars."""
    found = [m.path for name in relations for m in metadata.relation(name).members.values()]
    numbers = [p for p in found if p in metadata.members and metadata.is_number(p) and not metadata.is_key(p)]
    return [p for p in numbers if set(metadata.parts(p)) & _MARKS]
