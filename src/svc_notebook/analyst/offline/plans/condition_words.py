"""The rules on rows in words: *650 orders in March 2023, where status is delivered*."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_words
from ..words.period_words import period_words
from ..words.text import is_participle, stem
from .plan import Condition, Plan

__all__ = [
    "COMPARED",
    "MONTH_NAMES",
    "WEEKDAY_NAMES",
    "condition_words",
    "either_words",
    "join_words",
    "where_words",
]

COMPARED = {
    ">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "=": "is", "!=": "is not",
    "contains": "contains", "starts": "starts with", "ends": "ends with", "not contains": "does not contain",
    "not starts": "does not start with", "not ends": "does not end with",
}  # fmt: skip
_SIMPLE = {
    "null": "is missing", "not null": "is known", "true": "is true", "false": "is false",
    "above_average": "is above its average", "below_average": "is below its average",
}  # fmt: skip
WEEKDAY_NAMES = ("", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    "", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def join_words(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" {last} " + words[-1] if words else ""


def where_words(
    conditions: Sequence[Condition],
    metadata: Metadata,
    scope: Sequence[str],
    *rules: str,
    link: str = ", where ",
    named: Collection[str] = (),
) -> str:
    """The rules on rows, to be said behind them: `` in March 2023, where status is delivered``.

    A time needs no name where the rows that are spoken of (the first of ``scope``) have only one; ``rules`` are said
    beside the conditions already, and the members in ``named`` in front of them.
    """
    timed = [c for c in conditions if _is_when(c, metadata, scope)]
    others = [condition_words(c, metadata) for c in conditions if c not in timed]
    when = "".join(f" {'' if c.member in named else _done(c.member, metadata)}{_when(c)}" for c in timed)
    told = join_words([*others, *rules])
    return f"{when}{link}{told}" if told else when


def either_words(plan: Plan, metadata: Metadata) -> list[str]:
    """Rules of which one is enough."""
    groups = [join_words([condition_words(c, metadata) for c in group]) for group in plan.alternatives]
    return [join_words(groups, "or")] if groups else []


def condition_words(condition: Condition, metadata: Metadata) -> str:
    """``origin is JFK or LGA``, ``departure delay is more than 120 minutes``, ``departure is in December 2013``."""
    title = member_words(condition.member, metadata)
    operator, values = condition.operator, condition.values
    if _is_time(condition):
        return f"{title} is {_when(condition)}"
    if condition.other is not None:
        return f"{title} {_compared(operator)} {lowered(metadata.member(condition.other).title)}"
    if operator in ("in", "not in"):
        return f"{title} is {'not ' if operator == 'not in' else ''}{join_words([str(v) for v in values], 'or')}"
    if operator == "between":
        return f"{title} is between {_figure(values[0])} and {_measured(condition, metadata, values[1])}"
    if operator in ("true", "false") and is_participle(title.split()[-1]):
        return title if operator == "true" else f"not {title}"
    if operator in _SIMPLE:
        return f"{title} {_SIMPLE[operator]}"
    said = [*map(_figure, values[:-1]), _measured(condition, metadata, values[-1])]
    return f"{title} {_compared(operator)} {join_words(said, 'or')}"


def _compared(operator: str) -> str:
    return f"is {COMPARED[operator]}" if operator[0] in "<>" else COMPARED.get(operator, operator)


def _is_time(condition: Condition) -> bool:
    return condition.part is not None or condition.operator in ("period", "not period")


def _is_when(condition: Condition, metadata: Metadata, scope: Sequence[str]) -> bool:
    """Whether a condition says when the rows that are spoken of were: no other time could be meant."""
    return _is_time(condition) and metadata.times(list(scope[:1])) == [condition.member]


def _done(path: str, metadata: Metadata) -> str:
    """What was done to the rows at a time, where that says more than their name: restaurants *opened* in 2019."""
    words = [word for word in member_words(path, metadata).split() if word not in ("at", "on", "date", "time")]
    rows = {stem(word) for word in metadata.words_of(path.split(".", 1)[0])}
    said = len(words) == 1 and is_participle(words[0]) and stem(words[0]) not in rows
    return f"{words[0]} " if said else ""


def _when(condition: Condition) -> str:
    """``in March 2023``, ``on Monday or Friday``, ``from 8:00 to 10:00``."""
    values, part = condition.values, condition.part
    if part is None:
        return f"{'not ' if condition.operator.startswith('not') else ''}{period_words(values)}"
    if part == "hour_of_day":
        if len(values) > 1 and _in_a_row(values):
            return f"from {values[0]}:00 to {(int(values[-1]) + 1) % 24 or 24}:00"
        return f"at {join_words([f'{value}:00' for value in values], 'or')}"
    if part == "month_of_year":
        return f"in {join_words([MONTH_NAMES[value] for value in values], 'or')}"
    if part == "quarter_of_year":
        return f"in {join_words([f'Q{value}' for value in values], 'or')}"
    named = part == "weekday"
    return f"on {join_words([f'{WEEKDAY_NAMES[v]}s' if named else str(v) for v in values], 'or')}"


def _in_a_row(values: Sequence[int]) -> bool:
    """Whether hours follow each other, also over midnight."""
    return all((later - earlier) % 24 == 1 for earlier, later in pairwise(values))


def _figure(value: object) -> str:
    large = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 10000
    return f"{value:,}" if large else str(value)


def _measured(condition: Condition, metadata: Metadata, value: object) -> str:
    """A number with the unit that the member has."""
    member = metadata.members.get(condition.member)
    unit = member.meta.get("unit") if member is not None and member.meta and not member.currency else None
    shown = isinstance(unit, str) and isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"{_figure(value)} {unit}" if shown else _figure(value)
