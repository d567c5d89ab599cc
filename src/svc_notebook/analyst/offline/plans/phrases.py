"""The plan in words: what is computed, by what, of which rows."""

from __future__ import annotations

from ..calendar.fiscal import fiscal_grain
from ..calendar.long_grains import LONG_GRAINS
from ..forms.partings import PARTINGS
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_words, plural, uncounted
from ..words.text import few
from .condition_words import (
    COMPARED,
    MONTH_NAMES,
    WEEKDAY_NAMES,
    condition_words,
    either_words,
    join_words,
    where_words,
)
from .picture import CALCULATED, measure_title, nested_title
from .plan import Condition, Dimension, Exists, Measure, Order, Plan

__all__ = [
    "MONTH_NAMES",
    "WEEKDAY_NAMES",
    "condition_words",
    "describe",
    "dimension_words",
    "join_words",
    "rules_words",
    "title_of",
    "where_words",
]

_PARTS = {
    "hour_of_day": "hour of day",
    "weekday": "weekday",
    "month_of_year": "month of the year",
    "day_of_month": "day of the month",
    "quarter_of_year": "quarter of the year",
    **{unit: parting.title for unit, parting in PARTINGS.items()},
    **LONG_GRAINS,
}


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


def describe(plan: Plan, metadata: Metadata) -> str:
    """One sentence without its full stop: ``average arrival delay by carrier, where origin is JFK, highest first, the
    first 10``.
    """
    parts = [_subject(plan, metadata)]
    named = {dimension.member for dimension in plan.dimensions}
    parts[0] += where_words(plan.conditions, metadata, plan.scope, *_other_rules(plan, metadata), named=named)
    for having in plan.having:
        title = lowered(measure_title(plan.measures[having.measure], metadata))
        figures = " and ".join(f"{value:g}" for value in having.values) or "over all rows"
        compared = "exactly" if having.operator == "=" else COMPARED.get(having.operator, having.operator)
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
    """The conditions on a plan's rows: ``origin is JFK and departure delay is more than 120``; empty without any."""
    rules = [condition_words(c, metadata) for c in plan.conditions]
    return join_words([*rules, *_other_rules(plan, metadata)])


def _other_rules(plan: Plan, metadata: Metadata) -> list[str]:
    """What else rows have to meet: one rule of several, and what there is of them elsewhere."""
    return [*either_words(plan, metadata), *(_exists_words(e, metadata) for e in plan.exists)]


def _exists_words(exists: Exists, metadata: Metadata) -> str:
    """``there are no treatments``, ``there is a claim where status is open``."""
    title = lowered(metadata.relation(exists.relation).title)
    rules = [condition_words(c, metadata) for c in exists.conditions]
    words = f"there are {'no ' if exists.negated else ''}{title}"
    if exists.operator is not None:
        figures = " and ".join(f"{value:g}" for value in exists.values)
        compared = "exactly" if exists.operator == "=" else COMPARED.get(exists.operator, exists.operator)
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
        shown = shown or [plan.measures[c.measure] for c in plan.calculations]  # a share stands without its number
        words = join_words([lowered(measure_title(m, metadata)) for m in shown])
        if plan.nested is not None:
            words = lowered(nested_title(plan, words, metadata))
        for calculation in plan.calculations:
            words = lowered(CALCULATED[calculation.kind].format(uncounted(words)))
        if plan.dimensions:
            words += " by " + join_words([dimension_words(d, metadata) for d in plan.dimensions])
        return words
    names = join_words(few([member_words(c, metadata) for c in plan.columns], "more columns"))
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
        return f"{noun} with the {_most(by, lowered(measure_title(by, metadata)), metadata, high)}{per}"
    return f"{'top' if high else 'bottom'} {plan.limit} {plural(noun)}{per} by {lowered(measure_title(by, metadata))}"


def _most(measure: Measure, title: str, metadata: Metadata, high: bool) -> str:
    """``most delayed flights``, ``highest average delay``."""
    member = metadata.members.get(measure.member or "")
    counts = measure.aggregate in ("count", "count_distinct", "count_values") or (member and member.agg_type == "count")
    if title.startswith("number of ") or counts and title.split()[-1].endswith("s"):
        return f"{'most' if high else 'fewest'} {uncounted(title)}"
    most = "highest" if high else "lowest"
    return title if title.startswith(most) else f"{most} {title}"


def _named_by_parts(condition: Condition, plan: Plan) -> bool:
    """Whether the groups say themselves which months or days they are: *summer* needs no June, July or August."""
    return condition.operator == "in" and any(
        condition.member == d.member and condition.part == PARTINGS[d.grain].condition
        for d in plan.dimensions
        if d.grain in PARTINGS
    )


def title_of(plan: Plan, metadata: Metadata) -> str:
    """A short title for the result."""
    text = _subject(plan, metadata)
    if plan.limit is not None and plan.order and plan.dimensions:
        text = _ranked_title(plan, text, metadata)
    exists = [_exists_words(e, metadata) for e in plan.exists]
    rules = [c for c in plan.conditions if not _named_by_parts(c, plan)]
    named = {dimension.member for dimension in plan.dimensions}
    text += where_words(rules, metadata, plan.scope, *exists, link=", ", named=named)
    return text[:1].upper() + text[1:]
