"""Which questions are about who comes back, or how far they get; and whose rows, by when, over which steps."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from .... import patterns as re
from ....records import dataclass
from ..plans.plan import Plan
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title, plural
from ..walk.times import default_time
from .journeys import cohorts, funnel, whoever

__all__ = ["Journey", "journey_of"]

Reader = Callable[[str], Plan | None]

_COHORTS = re.compile(
    r"\bcohorts?\b( analys[ie]s| table| chart)?|\bretention( rates?| curve| table)?\b"
    r"|\b(come|came|comes|coming) (back|again)\b",
    re.IGNORECASE,
)
_FUNNEL = re.compile(
    r"\bfunnel( analysis| chart)?\b|\bconversions?( rates?)?\b|\b(get|gets|got|go|goes|went|make it|made it) from\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"\b(show|me|give|draw|make|a|an|the|of|our|my|for|how|many|much|do|does|did|is|was|what|which|by|per|their|first|"
    r"share|percentage|percent|rate|month(ly|s)?|week(ly|s)?|quarter(ly|s)?|year(ly|s)?|again|analysis|to|then|from|and"
    r"|after|that|who|next|later|time|all|steps?|stages?|through|between)\b|[?.,!>→-]+",
    re.IGNORECASE,
)
_GRAIN = re.compile(r"\b(week|month|quarter|year)(ly|s)?\b", re.IGNORECASE)
_WEEKS = 120  # days of data up to which weeks say more than months


@dataclass(frozen=True)
class Journey:
    """What is followed: the rows, in words, and how it is made."""

    plan: Plan
    words: str
    recipe: Callable[[], Any]


def journey_of(question: str, metadata: Metadata, read: Reader) -> Journey | None:
    """Who comes back, or how far they get, where a question asks for either and nothing of it is left unread."""
    if _COHORTS.search(question):
        return _cohorts(question, metadata, read)
    return _funnel(question, metadata, read) if _FUNNEL.search(question) else None


def _cohorts(question: str, metadata: Metadata, read: Reader) -> Journey | None:
    rest = " ".join(_SMALL.sub(" ", _COHORTS.sub(" ", question)).split())
    found = _events(rest, metadata, read)
    if found is None:
        return None
    plan, who, time = found
    said = _GRAIN.search(question)
    grain = said[1].lower() if said else _usual(time, metadata)
    name = _called(who, metadata)
    words = f"Which {name} came again, by their first {grain}"
    return Journey(plan, words, partial(cohorts, plan, who, time, grain, metadata))


def _funnel(question: str, metadata: Metadata, read: Reader) -> Journey | None:
    steps = _steps(question, metadata)
    if steps is None:
        return None
    # What was said with the question's own words and the steps must leave nothing but the rows.
    member, values = steps
    rest = _FUNNEL.sub(" ", question)
    for value in values:
        rest = re.sub(rf"\b{re.escape(value)}\b", " ", rest, flags=re.IGNORECASE)
    left = " ".join(_SMALL.sub(" ", rest).split())
    found = _events(left, metadata, read, member.split(".", 1)[0])
    if found is None:
        return None
    plan, who, time = found
    words = f"How many {_called(who, metadata)} get from {values[0]} to {values[-1]}"
    return Journey(plan, words, partial(funnel, plan, who, time, member, values, metadata))


def _called(who: str, metadata: Metadata) -> str:
    return plural(lowered(member_title(who, metadata)).removesuffix(" id"))


def _steps(question: str, metadata: Metadata) -> tuple[str, list[str]] | None:
    """The values of one member that a question names one after another; of two members, that which names more."""
    found: list[tuple[int, str, list[str]]] = []
    for member, values in metadata.values.members.items():
        if member not in metadata.members:
            continue
        places = [
            (at.start(), value) for value in values
            if isinstance(value, str) and len(value) > 1
            # Not within a longer word; `\b` would not do beside a value that begins or ends with a sign.
            and (at := re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question, re.IGNORECASE)) is not None
        ]  # fmt: skip
        if len(places) > 1:
            found.append((len(places), member, [value for _, value in sorted(places)]))
    if not found:
        return None
    _, member, named = max(found, key=lambda one: one[0])
    return member, named


def _events(rest: str, metadata: Metadata, read: Reader, relation: str | None = None) -> tuple[Plan, str, str] | None:
    """Rows that have a time and say whom they are about, with the conditions that the rest of a question names."""
    names = [relation] if relation is not None else [n for n in metadata.catalog.relations if metadata.times([n])]
    for name in names:
        bare = Plan((name,))
        time, who = default_time(metadata, bare.scope), whoever(bare, rest, metadata)
        if time is None or who is None:
            continue
        words = {part.rstrip("s") for part in (*metadata.parts(who), *name.split("_"), name)}
        left = " ".join(word for word in rest.split() if word.lower().rstrip("s") not in words)
        # The noun of whoever it is about says no condition.
        if not left:
            return bare, who, time
        # Asked as a count, so that any condition is read as one; with its own noun, or with a noun for any rows.
        plan = read(f"how many {rest}") or read(f"number of rows {left}")
        if plan is not None and plan.scope[:1] == bare.scope and not plan.dimensions and plan.limit is None:
            return bare.with_(scope=plan.scope, conditions=plan.conditions, alternatives=plan.alternatives), who, time
    return None


def _usual(time: str, metadata: Metadata) -> str:
    low, high = metadata.profile(time).low, metadata.profile(time).high
    short = isinstance(low, datetime) and isinstance(high, datetime) and (high - low).days <= _WEEKS
    return "week" if short else "month"
