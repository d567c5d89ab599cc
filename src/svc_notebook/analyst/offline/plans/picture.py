"""From a plan to what the chart rules look at: the columns of its result by kind, with titles and formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...charts import ChartColumn, ChartRequest, choose_chart
from ..calendar.fiscal import fiscal_grain
from ..calendar.long_grains import LONG_GRAINS
from ..forms.partings import PARTINGS
from ..schema.metadata import Metadata
from ..schema.nouns import flag_words, lowered, member_title, plural, uncounted
from ..schema.scales import order_of
from ..words.period_words import period_words
from ..words.text import is_participle, singular
from .condition_words import condition_words
from .in_several import is_in_several
from .plan import Condition, Dimension, Measure, Plan
from .statement import OutputColumn, Statement

__all__ = ["CALCULATED", "chart_columns", "column_title", "draw", "measure_title", "nested_title"]

_AGGREGATE_WORDS = {
    "avg": "Average",
    "sum": "Total",
    "min": "Minimum",
    "max": "Maximum",
    "median": "Median",
    "stddev": "Standard deviation of",
}
CALCULATED = {
    "share": "Share of {}",
    "running_total": "Running total of {}",
    "moving_average": "Moving average of {}",
    "rank": "Rank by {}",
    "growth": "Growth of {}",
    "difference": "Change of {}",
    "previous": "{} before",
    "year_ago_growth": "Growth of {} over the year before",
}
_COLOURED = 60  # values of a member from which on colours are given by the result alone
_UNITLESS = ("count", "count_distinct", "count_values", "share_true", "ratio")
_GRAIN_WORDS = {
    "hour_of_day": "hour of day",
    "weekday": "weekday",
    "month_of_year": "month",
    "day_of_month": "day of month",
    **{unit: parting.title for unit, parting in PARTINGS.items()},
    **LONG_GRAINS,
    "quarter_of_year": "quarter",
}


def draw(
    plan: Plan, columns: Sequence[ChartColumn], title: str, description: str, subtitle: str = ""
) -> dict[str, Any] | None:
    """The spec of a plan's result, or None. Columns with cells are drawn by what they hold."""
    if plan.calculations:
        columns = [c for c in columns if not c.measured or c.computed] or columns
    return choose_chart(
        ChartRequest(
            columns=tuple(columns),
            title=title,
            description=description,
            mark=plan.chart.mark,
            stacked=plan.chart.stacked,
            horizontal=plan.chart.horizontal,
            table=plan.chart.table,
            ordered=bool(plan.order),
            rows=plan.shape != "aggregate",
            channels=plan.chart.channels,
            subtitle=subtitle,
            limited=plan.limit is not None,
            grouped=plan.chart.grouped,
            panels=plan.chart.facet,
        )
    )


def chart_columns(plan: Plan, statement: Statement, metadata: Metadata) -> list[ChartColumn]:
    """The columns of a plan's result by kind, with what they and their numbers are called."""
    return [_chart_column(plan, column, metadata) for column in statement.columns]


def _chart_column(plan: Plan, column: OutputColumn, metadata: Metadata) -> ChartColumn:
    member = metadata.members.get(column.member or "")
    form, currency = (member.format, member.currency) if member else (None, None)
    title = column_title(plan, column, metadata)
    if column.role == "dimension":
        dimension = plan.dimensions[column.place]
        return _grouping(dimension, column, title, metadata)
    if column.role == "column" and column.member is not None:
        if metadata.is_number(column.member) and not metadata.is_year(column.member):
            return ChartColumn(
                column.name, "number", title, measured=True, format=form, currency=currency, member=column.member,
                unit=_unit_of(column.member, metadata),
            )  # fmt: skip
        return _grouping(Dimension(column.member), column, title, metadata)
    if column.role == "calculation":
        calculation = plan.calculations[column.place]
        percent = calculation.kind in ("share", "growth", "year_ago_growth")
        inner = _measured(column.name, title, plan.measures[calculation.measure], metadata)
        if percent or calculation.kind == "rank":
            inner = replace(inner, format="percent" if percent else None, currency=None, unit="")
        running = calculation.kind == "running_total"
        return replace(
            inner, additive=calculation.kind == "share" and calculation.within is None, computed=True, running=running
        )
    measure = plan.measures[column.place]
    member = metadata.members.get(column.member or "")
    additive = plan.nested is None and (
        measure.aggregate in ("count", "count_values", "sum") or bool(member and member.agg_type in ("count", "sum"))
    )
    additive = additive and (measure.aggregate == "sum" or not is_in_several(measure, plan, metadata))
    return replace(_measured(column.name, title, measure, metadata), additive=additive, member=column.member)


def _measured(name: str, title: str, measure: Measure, metadata: Metadata) -> ChartColumn:
    """A number of a measure, written as the measure is."""
    member = metadata.members.get(measure.member or "")
    form, currency = (member.format, member.currency) if member else (None, None)
    if measure.aggregate == "share_true":
        form = None if measure.percent else "percent"
    elif measure.aggregate in ("count", "count_distinct", "count_values"):
        form, currency = None, None
    unit = _unit(measure, metadata)
    return ChartColumn(name, "number", title, measured=True, format=form, currency=currency, unit=unit)


def _unit(measure: Measure, metadata: Metadata) -> str:
    """What a number of a measure is counted in."""
    if measure.percent:
        return "%"
    if measure.aggregate == "span":
        return f"{measure.unit}s"
    return "" if measure.aggregate in _UNITLESS else _unit_of(measure.member, metadata)


def _unit_of(path: str | None, metadata: Metadata) -> str:
    member = metadata.members.get(path or "")
    unit = member.meta.get("unit") if member and member.meta and not member.currency else None  # $ is said already
    return unit if isinstance(unit, str) else ""


def _groups_noun(dimension: Dimension, metadata: Metadata) -> str:
    """``carriers``, ``months``: what the groups are."""
    if dimension.grain in ("year", "quarter", "month", "week", "day", "hour"):
        return f"{dimension.grain}s"
    title = lowered(member_title(dimension.member, metadata))
    if dimension.bin or dimension.grain or " " in title and title.split()[-1] in ("day", "of"):
        return {"weekday": "weekdays", "hour_of_day": "hours", "month_of_year": "months"}.get(
            dimension.grain or "", "groups"
        )
    return plural(title)


def _grouping(dimension: Dimension, column: OutputColumn, title: str, metadata: Metadata) -> ChartColumn:
    member = dimension.member
    kind: Any = "category"
    grain, size = dimension.grain, 0
    if dimension.bin:
        return ChartColumn(
            column.name, "bin", title, width=dimension.bin, member=member, unit=_unit_of(member, metadata),
            format="id" if metadata.is_year(member) else None,
        )  # fmt: skip
    if metadata.is_time(member):
        fiscal = fiscal_grain(grain)
        kind = "ordinal" if grain in _GRAIN_WORDS or fiscal else "time"
        grain = "year" if fiscal else grain
        size = {"weekday": 7, "hour_of_day": 24, "month_of_year": 12}.get(grain or "", 0)
        size = len(PARTINGS[grain].names) if grain in PARTINGS else size
        grain = grain or "day"
    elif metadata.is_year(member):
        kind, grain = "ordinal", "year"
        size = metadata.cardinality(member)
    else:
        size = metadata.cardinality(member)
        grain = "hour_of_day" if metadata.is_number(member) and metadata.parts(member)[:1] == ("hour",) else grain
        kind = "ordinal" if metadata.is_number(member) and not metadata.is_key(member) else "category"
    noun = _groups_noun(dimension, metadata)
    return ChartColumn(
        column.name,
        kind,
        title,
        grain=grain,
        cardinality=size,
        member=member,
        noun=noun,
        known=_known(member, metadata),
        order=_order(dimension, kind, metadata),
    )


def _order(dimension: Dimension, kind: str, metadata: Metadata) -> tuple[str, ...]:
    """The order that the groups have by themselves, where they are called by texts."""
    if dimension.grain in PARTINGS:
        return PARTINGS[dimension.grain].in_order
    return order_of(dimension.member, metadata) if kind == "category" else ()


def _known(path: str, metadata: Metadata) -> tuple[str, ...]:
    """All texts of a member that the asker may see, where these are few: each keeps its colour."""
    values = metadata.values.members.get(path, ()) if path in metadata.values.complete else ()
    return tuple(sorted(map(str, values))) if len(values) <= _COLOURED else ()


def column_title(plan: Plan, column: OutputColumn, metadata: Metadata) -> str:
    """A title for a result column in words."""
    if column.role == "dimension":
        dimension = plan.dimensions[column.place]
        title = member_title(dimension.member, metadata)
        if dimension.grain is None:
            return title
        fiscal = fiscal_grain(dimension.grain)
        if fiscal is not None:
            return f"{title} (fiscal {fiscal[0]})"
        return f"{title} ({_GRAIN_WORDS.get(dimension.grain, dimension.grain)})"
    if column.role == "column" and column.member is not None:
        return member_title(column.member, metadata)
    if column.role == "calculation":
        calculation = plan.calculations[column.place]
        words = lowered(measure_title(plan.measures[calculation.measure], metadata))
        return CALCULATED[calculation.kind].format(uncounted(words))
    if plan.parts:
        above, below = (lowered(measure_title(part.measures[0], metadata)) for part in plan.parts)
        return f"Ratio of {above} to {below}"
    title = measure_title(plan.measures[column.place], metadata)
    return nested_title(plan, title, metadata) if plan.nested is not None else title


def nested_title(plan: Plan, title: str, metadata: Metadata) -> str:
    """``Average flights per day``."""
    assert plan.nested is not None
    inner = plan.nested.dimension
    owner = metadata.member(inner.member)
    names_rows = (
        owner.primary_key or inner.member == metadata.label_of(owner.relation) != f"{plan.scope[0]}.{owner.name}"
    )
    named = singular(lowered(metadata.relation(owner.relation).title)) if names_rows else lowered(owner.title)
    per = inner.grain or named
    return f"{_AGGREGATE_WORDS[plan.nested.aggregate]} {lowered(title)} per {_GRAIN_WORDS.get(per, per)}"


def _share_words(condition: Condition, metadata: Metadata) -> str:
    """What a share is of: ``no-show``, ``wait above 30``."""
    title = lowered(metadata.member(condition.member).title)
    if condition.other is not None:
        return condition_words(condition, metadata)
    compared = {">": "above", ">=": "of at least", "<": "below", "<=": "of at most"}.get(condition.operator)
    if compared is not None:
        unit = _unit_of(condition.member, metadata)
        return f"{title} {compared} {condition.values[0]:g}{f' {unit}' if unit else ''}"
    words = condition.words.replace(" - ", "-") or title
    if condition.operator in ("null", "not null"):
        had = title if words.startswith(("with ", "without ")) or condition.operator == "null" else words
        return f"{'without' if condition.operator == 'null' else 'with'} {had}"
    if condition.operator not in ("true", "false"):
        return words
    return flag_words(words, condition.operator == "true")


def measure_title(measure: Measure, metadata: Metadata) -> str:
    """``Average weight``, ``Number of flights``, or the title of the model's measure; with a period of its own."""
    title = _measure_title(measure, metadata)
    whens = [period_words(c.values) for c in measure.conditions if c.operator == "period"]
    return f"{title} {' and '.join(whens)}" if whens and measure.aggregate not in ("share_true", "ratio") else title


def _is_deed(condition: Condition, metadata: Metadata) -> bool:
    """Whether a flag is one word that stands before what it is said of."""
    words = condition_words(condition, metadata)
    return " " not in words and is_participle(words)


def _measure_title(measure: Measure, metadata: Metadata) -> str:
    if measure.aggregate == "share_true":
        named = " and ".join(_share_words(c, metadata) for c in measure.conditions)
        of = "" if named.startswith(("with ", "without ")) else "of "
        return f"{'Percentage' if measure.percent else 'Share'} {of}{named}"
    if measure.aggregate == "ratio":
        both = [metadata.member(path).title for path in (measure.member, measure.other) if path is not None]
        return " per ".join((both[0], lowered(both[1]))) if len(both) > 1 else "Ratio"
    if measure.exists:
        marks = [lowered(metadata.relation(e.relation).title) for e in measure.exists]
        return f"{metadata.member(measure.member or '').title} of {' and '.join(marks)}"
    if measure.aggregate == "span":
        ends = " to ".join(lowered(metadata.member(path or "").title) for path in (measure.member, measure.other))
        return f"{_AGGREGATE_WORDS[measure.fold]} {measure.unit}s from {ends}"
    if measure.member is None:
        entity = lowered(metadata.relation(measure.entity).title) if measure.entity else "rows"
        others = [condition for condition in measure.conditions if condition.operator != "period"]
        kinds = [condition for condition in others if condition.operator == "true" and _is_deed(condition, metadata)]
        so = " and ".join(condition_words(condition, metadata) for condition in kinds)  # cancelled flights
        some = " and ".join(condition_words(condition, metadata) for condition in others if condition not in kinds)
        entity = f"{so} {entity}" if so else entity
        return f"Number of {entity} where {some}" if some else f"Number of {entity}"
    known = metadata.member(measure.member)
    title = known.title
    if measure.aggregate == "measure":
        plain = known.agg_type == "count" and title.lower() == "count"
        return f"Number of {lowered(metadata.relation(known.relation).title)}" if plain else title
    if measure.aggregate == "count_distinct":
        return f"Number of different {plural(lowered(title))}"
    if measure.aggregate == "count_values":
        return f"Number of {lowered(title)}"
    if measure.aggregate == "sum" and "total" in lowered(title).split():
        return f"Sum of {lowered(title)}"
    return f"{_AGGREGATE_WORDS[measure.aggregate]} {lowered(title)}"
