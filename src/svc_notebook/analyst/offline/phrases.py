"""The plan in words: what is computed, by what, of which rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .fiscal import fiscal_grain
from .forms.partings import PARTINGS
from .long_grains import LONG_GRAINS
from .metadata import Metadata
from .nouns import lowered, member_words, plural, uncounted
from .picture import CALCULATED, measure_title, nested_title
from .plan import Condition, Dimension, Exists, Order, Plan

__all__ = [
    "MONTH_NAMES",
    "WEEKDAY_NAMES",
    "condition_words",
    "describe",
    "dimension_words",
    "join_words",
    "rules_words",
    "title_of",
]

_OPERATORS = {
    ">": "more than",
    ">=": "at least",
    "<": "less than",
    "<=": "at most",
    "=": "is",
    "!=": "is not",
    "contains": "contains",
    "starts": "starts with",
    "ends": "ends with",
    "not contains": "does not contain",
    "not starts": "does not start with",
    "not ends": "does not end with",
}
WEEKDAY_NAMES = ("", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    "",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_PARTS = {
    "hour_of_day": "hour of day",
    "weekday": "weekday",
    "month_of_year": "month of the year",
    "day_of_month": "day of the month",
    "quarter_of_year": "quarter of the year",
    **{unit: parting.title for unit, parting in PARTINGS.items()},
    **LONG_GRAINS,
}


def join_words(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" {last} " + words[-1] if words else ""


def dimension_words(dimension: Dimension, metadata: Metadata) -> str:
    """``month of scheduled departure``, ``weight in steps of 500``."""
    title = member_words(dimension.member, metadata)
    if dimension.bin:
        return f"{title} in steps of {dimension.bin:g}"
    if dimension.grain is None:
        return title
    fiscal = fiscal_grain(dimension.grain)
    part = f"fiscal {fiscal[0]}" if fiscal else _PARTS.get(dimension.grain, dimension.grain)
    return f"{part} of {title}"


def condition_words(condition: Condition, metadata: Metadata) -> str:
    """``origin is JFK or LGA``, ``departure delay more than 120``, ``in December 2013``."""
    title = member_words(condition.member, metadata)
    operator, values = condition.operator, condition.values
    if condition.part == "hour_of_day" and len(values) > 1 and _in_a_row(values):
        return f"{title} from {values[0]}:00 to {(int(values[-1]) + 1) % 24 or 24}:00"
    if condition.part is not None:
        names = [
            str(WEEKDAY_NAMES[v])
            if condition.part == "weekday"
            else MONTH_NAMES[v]
            if condition.part == "month_of_year"
            else str(v)
            for v in values
        ]
        return f"{title} on {join_words(names, 'or')}"
    if condition.other is not None:
        return f"{title} {_OPERATORS.get(operator, operator)} {lowered(metadata.member(condition.other).title)}"
    if operator in ("period", "not period"):
        return f"{title} {'not ' if operator.startswith('not') else ''}{_period_words(values)}"
    if operator in ("in", "not in"):
        return f"{title} is {'not ' if operator == 'not in' else ''}{join_words([str(v) for v in values], 'or')}"
    if operator == "between":
        return f"{title} between {_figure(values[0])} and {_figure(values[1])}"
    if operator in ("true", "false") and title.split()[-1].endswith("ed"):
        return title if operator == "true" else f"not {title}"
    simple = {
        "null": "is missing",
        "not null": "is known",
        "true": "is true",
        "false": "is false",
        "above_average": "above its average",
        "below_average": "below its average",
    }.get(operator)
    if simple:
        return f"{title} {simple}"
    return f"{title} {_OPERATORS[operator]} {join_words([_figure(v) for v in values], 'or')}"


def _in_a_row(values: Sequence[int]) -> bool:
    """Whether hours follow each other, also over midnight."""
    return all((later - earlier) % 24 == 1 for earlier, later in pairwise(values))


def _figure(value: object) -> str:
    return (
        f"{value:,}"
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 10000
        else str(value)
    )


def _period_words(values: Sequence[str | None]) -> str:
    from datetime import datetime, timedelta

    low = datetime.fromisoformat(values[0]) if values[0] else None
    high = datetime.fromisoformat(values[1]) if values[1] else None
    if low and high:
        if low.day == 1 and high.day == 1 and low.hour == high.hour == 0:
            if (low.month, high.month) == (1, 1) and high.year == low.year + 1:
                return f"in {low.year}"
            if (high.year * 12 + high.month) - (low.year * 12 + low.month) == 1:
                return f"in {MONTH_NAMES[low.month]} {low.year}"
        last = high - timedelta(days=1) if (high.hour, high.minute) == (0, 0) else high
        return f"on {_day(low)}" if last == low else f"from {_day(low)} to {_day(last)}"
    if low:
        return f"from {_day(low)} on"
    return f"before {_day(high)}" if high else ""


def _day(moment: object) -> str:
    return str(moment).removesuffix(" 00:00:00")


def describe(plan: Plan, metadata: Metadata) -> str:
    """One sentence without its full stop: ``average arrival delay by carrier, where origin is JFK, highest first, the
    first 10``.
    """
    parts = [_subject(plan, metadata)]
    if rules := rules_words(plan, metadata):
        parts.append("where " + rules)
    for having in plan.having:
        title = lowered(measure_title(plan.measures[having.measure], metadata))
        figures = " and ".join(f"{value:g}" for value in having.values) or "over all rows"
        compared = "exactly" if having.operator == "=" else _OPERATORS.get(having.operator, having.operator)
        parts.append(f"keeping groups whose {title} is {compared} {figures}")
    if plan.order and (plan.dimensions or plan.columns):
        parts.append(_order_words(plan, plan.order[0], metadata))
    if plan.limit is not None:
        each = (
            f" per {dimension_words(plan.dimensions[plan.limit_per], metadata)}" if plan.limit_per is not None else ""
        )
        parts.append(f"the first {plan.limit}{each}" if plan.limit > 1 else f"only the first{each}")
    return ", ".join(parts)


def rules_words(plan: Plan, metadata: Metadata) -> str:
    """The conditions on a plan's rows: ``origin is JFK and departure delay more than 120``; empty without any."""
    rules = [condition_words(c, metadata) for c in plan.conditions]
    if plan.alternatives:
        groups = [join_words([condition_words(c, metadata) for c in group]) for group in plan.alternatives]
        rules.append(join_words(groups, "or"))
    return join_words([*rules, *(_exists_words(e, metadata) for e in plan.exists)])


def _exists_words(exists: Exists, metadata: Metadata) -> str:
    """``there are no treatments``, ``there is a claim where status is open``."""
    title = lowered(metadata.relation(exists.relation).title)
    rules = [condition_words(c, metadata) for c in exists.conditions]
    words = f"there are {'no ' if exists.negated else ''}{title}"
    if exists.operator is not None:
        figures = " and ".join(f"{value:g}" for value in exists.values)
        compared = "exactly" if exists.operator == "=" else _OPERATORS.get(exists.operator, exists.operator)
        words = f"the number of {title} is {compared} {figures}"
    return f"{words} whose {join_words(rules)}" if rules else words


def _own_rules(part: Plan, plan: Plan, metadata: Metadata) -> str:
    """What holds for one part of a ratio only."""
    rules = [condition_words(c, metadata) for c in part.conditions if c not in plan.conditions]
    rules += [_exists_words(e, metadata) for e in part.exists]
    return f" where {join_words(rules)}" if rules else ""


def _subject(plan: Plan, metadata: Metadata) -> str:
    if plan.shape == "aggregate":
        if plan.parts:
            said = [lowered(_subject(part.with_(dimensions=()), metadata)) for part in plan.parts]
            rules = [_own_rules(part, plan, metadata) for part in plan.parts]
            words = " to ".join(f"{one}{rule}" for one, rule in zip(said, rules, strict=True))
            words = f"ratio of {words}"
            return words + (
                " by " + join_words([dimension_words(d, metadata) for d in plan.dimensions]) if plan.dimensions else ""
            )
        shown = [m for i, m in enumerate(plan.measures) if i not in plan.hidden]
        words = join_words([lowered(measure_title(m, metadata)) for m in shown])
        if plan.nested is not None:
            words = lowered(nested_title(plan, words, metadata))
        for calculation in plan.calculations:
            words = lowered(CALCULATED[calculation.kind].format(uncounted(words)))
        if plan.dimensions:
            words += " by " + join_words([dimension_words(d, metadata) for d in plan.dimensions])
        return words
    names = join_words([member_words(c, metadata) for c in plan.columns])
    return f"the different values of {names}" if plan.shape == "distinct" else f"a list of {names}"


def _order_words(plan: Plan, order: Order, metadata: Metadata) -> str:
    if order.measure is not None:
        name = lowered(measure_title(order.measure, metadata))
    elif order.by == "measure":
        name = lowered(measure_title(plan.measures[order.place], metadata))
    elif order.by == "dimension":
        name = dimension_words(plan.dimensions[order.place], metadata)
    elif order.by == "column":
        name = lowered(metadata.member(plan.columns[order.place]).title)
    else:
        name = lowered(metadata.member(order.member or "").title)
    first = "highest" if order.descending else "lowest"
    return f"{first} first" if name.startswith(("highest ", "lowest ")) else f"{first} {name} first"


def _ranked_title(plan: Plan, text: str, metadata: Metadata) -> str:
    """``top 5 carriers by flights``, ``carrier with the lowest average delay``."""
    order, high = plan.order[0], plan.order[0].descending
    ranked = [d for i, d in enumerate(plan.dimensions) if i != plan.limit_per]
    if order.by != "measure" or len(ranked) != 1 or plan.calculations or plan.nested is not None:
        return f"{'top' if high else 'bottom'} {plan.limit}: {text}"
    noun, by = dimension_words(ranked[0], metadata), order.measure or plan.measures[order.place]
    per = f" per {dimension_words(plan.dimensions[plan.limit_per], metadata)}" if plan.limit_per is not None else ""
    if plan.limit == 1:
        title, most = lowered(measure_title(by, metadata)), "highest" if high else "lowest"
        return f"{noun} with the {title if title.startswith(most) else f'{most} {title}'}{per}"
    return f"{'top' if high else 'bottom'} {plan.limit} {plural(noun)}{per} by {lowered(measure_title(by, metadata))}"


def title_of(plan: Plan, metadata: Metadata) -> str:
    """A short title for the result."""
    text = _subject(plan, metadata)
    rules = [condition_words(c, metadata) for c in plan.conditions]
    rules += [_exists_words(e, metadata) for e in plan.exists]
    if plan.limit is not None and plan.order and plan.dimensions:
        text = _ranked_title(plan, text, metadata)
    if rules:
        text += ", " + join_words(rules)
    return text[:1].upper() + text[1:]
