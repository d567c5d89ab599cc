"""The answer in words: two to five sentences whose every figure is in the result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pyarrow as pa

from .fiscal import fiscal_grain
from .metadata import Metadata
from .nouns import lowered, member_title, member_words, plural
from .phrases import MONTH_NAMES, WEEKDAY_NAMES, condition_words, dimension_words, join_words
from .picture import column_title
from .plan import Plan
from .statement import OutputColumn, Statement
from .units import floor, shift

__all__ = ["answer_sentences", "figure"]


@dataclass(frozen=True, slots=True)
class _Series:
    """One measured column with the labels of its rows."""

    title: str
    labels: list[str]
    numbers: list[float | None]
    column: OutputColumn


def answer_sentences(
    plan: Plan, statement: Statement, table: pa.Table, metadata: Metadata, notes: Sequence[str] = ()
) -> list[str]:
    """Sentences about the result, most important first."""
    if table.num_rows == 0:
        return _empty(plan, metadata, notes)
    if plan.shape != "aggregate":
        sentences = _list_sentences(plan, table, metadata)
    elif not plan.dimensions:
        sentences = _single_sentences(plan, statement, table, metadata)
        if all(value is None for value in table.to_pylist()[0].values()):
            sentences = _empty(plan, metadata, notes)
    else:
        sentences = _group_sentences(plan, statement, table, metadata)
    return [sentence for sentence in sentences if sentence]


def figure(value: Any, form: str | None = None, currency: str | None = None) -> str:
    """A number as people write it: ``336,776``, ``12.6``, ``2.5 %``, ``$1,200``."""
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return (
            value.strftime("%Y-%m-%d")
            if (value.hour, value.minute, value.second) == (0, 0, 0)
            else value.strftime("%Y-%m-%d %H:%M")
        )
    if isinstance(value, date):
        return value.isoformat()
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if math.isnan(number) or math.isinf(number):
        return "no value"
    if form and form.startswith("percent"):
        return f"{number * 100:.1f} %"
    if form == "id":
        return f"{number:.0f}"
    size = abs(number)
    if number.is_integer() and size < 1e15:
        text = f"{int(number):,}"
    elif size >= 1000:
        text = f"{number:,.0f}"
    elif size >= 1:
        text = f"{number:,.2f}".rstrip("0").rstrip(".")
    else:
        text = f"{number:.3g}"
    sign = {"USD": "$", "EUR": "€", "GBP": "£"}.get(currency or "", "")
    return f"{sign}{text}" if sign else f"{text} {currency}" if currency else text


def _label(value: Any, plan: Plan, place: int, metadata: Metadata) -> str:
    dimension = plan.dimensions[place]
    if value is None:
        return "(none)"
    if fiscal_grain(dimension.grain) is not None:
        return f"FY{value}" if isinstance(value, int) else str(value)
    if dimension.grain == "weekday" and _between(value, 1, 7):
        return WEEKDAY_NAMES[int(value)]
    if dimension.grain == "month_of_year" and _between(value, 1, 12):
        return MONTH_NAMES[int(value)]
    if dimension.grain == "hour_of_day":
        return f"{int(value)}:00"
    if dimension.bin is not None:
        return f"{figure(value)} to {figure(float(value) + dimension.bin)}"
    if isinstance(value, (datetime, date)):
        return {
            "year": value.strftime("%Y"),
            "month": value.strftime("%B %Y"),
            "quarter": f"Q{(value.month - 1) // 3 + 1} {value.year}",
        }.get(dimension.grain or "", figure(value))
    return (
        figure(value)
        if isinstance(value, (int, float))
        and not metadata.is_year(dimension.member)
        and not metadata.is_key(dimension.member)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def _between(value: Any, low: int, high: int) -> bool:
    return isinstance(value, (int, float)) and low <= value <= high


def _form(plan: Plan, column: OutputColumn, metadata: Metadata) -> tuple[str | None, str | None]:
    if column.role == "calculation":
        kind = plan.calculations[column.place].kind
        return ("percent", None) if kind in ("share", "growth", "year_ago_growth") else (None, None)
    measure = plan.measures[column.place]
    if measure.aggregate == "share_true":
        return (None if measure.percent else "percent"), None
    if measure.aggregate in ("count", "count_distinct", "count_values", "ratio", "span"):
        return None, None
    member = metadata.members.get(measure.member or "")
    return (member.format, member.currency) if member else (None, None)


def _unit(plan: Plan, column: OutputColumn, metadata: Metadata) -> str:
    if column.role == "measure" and plan.measures[column.place].percent:
        return " %"
    if column.role != "measure" or plan.measures[column.place].aggregate in (
        "count",
        "count_distinct",
        "count_values",
        "share_true",
        "ratio",
    ):
        return ""
    if plan.measures[column.place].aggregate == "span":
        return " days"
    member = metadata.members.get(plan.measures[column.place].member or "")
    unit = member.meta.get("unit") if member and member.meta else None
    return f" {unit}" if isinstance(unit, str) else ""


def _single_sentences(plan: Plan, statement: Statement, table: pa.Table, metadata: Metadata) -> list[str]:
    row = table.to_pylist()[0]
    said = []
    for column in statement.columns:
        form, currency = _form(plan, column, metadata)
        value = figure(row[column.name], form, currency) + (
            _unit(plan, column, metadata) if row[column.name] is not None else ""
        )
        said.append((column_title(plan, column, metadata), value))
    if len(said) == 1:
        title, value = said[0]
        return [f"**{title}: {value}**{_of_which(plan, metadata)}.", _span(plan, metadata)]
    return ["; ".join(f"**{title}: {value}**" for title, value in said) + "."]


def _of_which(plan: Plan, metadata: Metadata) -> str:
    """The rows a lone figure is about, where only some are."""
    rules = [condition_words(c, metadata) for c in plan.conditions]
    if plan.alternatives:
        either = [join_words([condition_words(c, metadata) for c in group]) for group in plan.alternatives]
        rules.append(join_words(either, "or"))
    return f", where {join_words(rules)}" if rules else ""


def _span(plan: Plan, metadata: Metadata) -> str:
    """The time the data cover, where no period was asked for."""
    times = metadata.times(plan.scope[:1])
    if not times or any(c.operator == "period" for c in plan.conditions):
        return ""
    profile = metadata.profile(times[0])
    if not isinstance(profile.low, (date, datetime)) or not isinstance(profile.high, (date, datetime)):
        return ""
    return f"{metadata.member(times[0]).title} runs from {profile.low:%Y-%m-%d} to {profile.high:%Y-%m-%d}."


def _list_sentences(plan: Plan, table: pa.Table, metadata: Metadata) -> list[str]:
    count = table.num_rows
    names = join_words([lowered(metadata.member(c).title) for c in plan.columns[:4]])
    if plan.shape == "distinct":
        values = [figure(v) if not isinstance(v, str) else v for v in table.column(0).to_pylist()]
        shown = join_words(values[:8]) if count <= 8 else ", ".join(values[:8]) + " and others"
        return [
            (
                f"There {'is' if count == 1 else 'are'} **{count:,}** different "
                f"{_noun(count, member_title(plan.columns[0], metadata))}: {shown}."
            )
        ]
    if count == 1:
        row = table.to_pylist()[0]
        return [
            "; ".join(
                f"{metadata.member(c).title}: **{figure(v) if not isinstance(v, str) else v}**"
                for c, v in zip(plan.columns, row.values(), strict=False)
            )
            + "."
        ]
    numbers = [c for c in plan.columns if metadata.is_number(c) and not metadata.is_key(c)]
    sentences = [f"**{count:,}** rows with {names}."]
    if len(numbers) >= 2 and len(plan.columns) <= 4 and plan.chart.mark in (None, "point") and count > 2:
        sentences.append(_correlation(plan, table, metadata, numbers[0], numbers[1]))
    return sentences


def _correlation(plan: Plan, table: pa.Table, metadata: Metadata, one: str, other: str) -> str:
    xs = table.column(plan.columns.index(one)).to_pylist()
    ys = table.column(plan.columns.index(other)).to_pylist()
    pairs = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True) if x is not None and y is not None]
    if len(pairs) < 3:
        return ""
    mean_x, mean_y = sum(x for x, _ in pairs) / len(pairs), sum(y for _, y in pairs) / len(pairs)
    spread_x, spread_y = (
        math.sqrt(sum((x - mean_x) ** 2 for x, _ in pairs)),
        math.sqrt(sum((y - mean_y) ** 2 for _, y in pairs)),
    )
    if not spread_x or not spread_y:
        return ""
    r = sum((x - mean_x) * (y - mean_y) for x, y in pairs) / (spread_x * spread_y)
    strength = (
        "hardly any" if abs(r) < 0.1 else "a weak" if abs(r) < 0.3 else "a moderate" if abs(r) < 0.6 else "a strong"
    )
    sign = "" if abs(r) < 0.1 else " positive" if r > 0 else " negative"
    names = f"{lowered(metadata.member(one).title)} and {lowered(metadata.member(other).title)}"
    return f"Between {names} there is {strength}{sign} linear relationship (correlation {r:.2f})."


def _group_sentences(plan: Plan, statement: Statement, table: pa.Table, metadata: Metadata) -> list[str]:
    rows = table.to_pylist()
    dims = [c for c in statement.columns if c.role == "dimension"]
    labels = [" / ".join(_label(row[c.name], plan, c.place, metadata) for c in dims) for row in rows]
    measured = [c for c in statement.columns if c.role != "dimension"]
    if not measured:
        shown = join_words(labels[:8]) if len(labels) <= 8 else ", ".join(labels[:8]) + " and others"
        return [(f"**{len(rows):,}** {_groups_noun(plan, metadata) if len(rows) > 1 else 'group'}: {shown}.")]
    column = next((c for c in measured if c.role == "measure"), measured[0])
    calculated = next((c for c in measured if c.role == "calculation"), None)
    numbers = [_number(row[column.name]) for row in rows]
    series = _Series(column_title(plan, column, metadata), labels, numbers, column)

    def said(value: float | None, which: OutputColumn = column) -> str:
        form, currency = _form(plan, which, metadata)
        return figure(value, form, currency) + (_unit(plan, which, metadata) if value is not None else "")

    sentences = []
    known = [(n, label) for n, label in zip(numbers, labels, strict=True) if n is not None]
    if not known:
        return [f"{series.title} has no value in any of the {len(rows):,} groups."]
    high, low = max(known, key=lambda k: k[0]), min(known, key=lambda k: k[0])
    if len(rows) == 1:
        sentences.append(f"**{labels[0]}**: {lowered(series.title)} **{said(numbers[0])}**.")
    elif plan.limit == 1 or len(known) == 1:
        sentences.append(f"**{labels[0]}**, with {lowered(series.title)} **{said(numbers[0])}**.")
    elif len(rows) == 2 and plan.limit is None:
        (a, la), (b, lb) = (numbers[0], labels[0]), (numbers[1], labels[1])
        if plan.claim and a is not None and b is not None and str(plan.claim[1]) in (la, lb):
            ahead = (a - b) if str(plan.claim[1]) == la else (b - a)
            sentences.append("**Yes**." if (ahead > 0 if plan.claim[0] == ">" else ahead < 0) else "**No**.")
        sentences.append(f"{series.title}: **{la}** {said(a)}, **{lb}** {said(b)}.")
        if a is not None and b is not None and b:
            sentences.append(f"The difference is {said(abs(a - b))}.")
    elif high[0] == low[0]:
        alike = f"the same in all {len(rows):,} {_groups_noun(plan, metadata)}"
        sentences.append(f"{series.title} {_is(series.title)} {alike}: **{said(high[0])}**.")
    else:
        sentences.append(
            f"{series.title} {_is(series.title)} highest for **{high[1]}** ({said(high[0])}) and lowest for "
            f"**{low[1]}** ({said(low[0])}) among {len(rows):,} {_groups_noun(plan, metadata)}."
        )
    sentences.extend(_trend_sentences(plan, series, said, metadata))
    sentences.extend(_total_sentences(plan, series, said, high, metadata))
    if calculated is not None:
        values = [(_number(row[calculated.name]), label) for row, label in zip(rows, labels, strict=True)]
        filled = [(n, label) for n, label in values if n is not None]
        if filled:
            best = max(filled, key=lambda k: k[0])
            sentences.append(
                f"{column_title(plan, calculated, metadata)}: highest {said(best[0], calculated)} ({best[1]}), "
                f"last {said(filled[-1][0], calculated)} ({filled[-1][1]})."
            )
    others = [c for c in measured if c.role == "measure" and c is not column]
    if others and len(rows) > 2:
        other = others[0]
        values = [
            (_number(row[other.name]), label)
            for row, label in zip(rows, labels, strict=True)
            if row[other.name] is not None
        ]
        if values:
            title = column_title(plan, other, metadata)
            top = max(values, key=lambda k: k[0] or 0.0)
            sentences.append(f"{title} {_is(title)} highest for **{top[1]}** ({said(top[0], other)}).")
    names = [dimension_words(plan.dimensions[c.place], metadata) for c in dims]
    missing = sum(label.startswith("(none)") or "/ (none)" in label for label in labels)
    if missing:
        sentences.append(f"Rows without {join_words(names, 'or')} are shown as (none).")
    if len(known) < len(rows):
        sentences.append(f"{len(rows) - len(known):,} of {len(rows):,} groups have no value.")
    return sentences[:5]


def _noun(count: int, title: str) -> str:
    return lowered(title) if count == 1 else plural(lowered(title))


def _is(title: str) -> str:
    return "are" if title.endswith("s") and not title.endswith("ss") else "is"


def _groups_noun(plan: Plan, metadata: Metadata) -> str:
    """``carriers``, ``months``: what the groups are."""
    if len(plan.dimensions) != 1:
        return "groups"
    dimension = plan.dimensions[0]
    if dimension.grain in ("year", "quarter", "month", "week", "day", "hour"):
        return f"{dimension.grain}s"
    title = member_words(dimension.member, metadata)
    if dimension.bin or dimension.grain or " " in title and title.split()[-1] in ("day", "of"):
        return "groups"
    return plural(title)


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(number) else number


def _trend_sentences(plan: Plan, series: _Series, said: Any, metadata: Metadata) -> list[str]:
    """First against last along time."""
    if len(plan.dimensions) != 1 or len(series.numbers) < 3 or plan.order and plan.order[0].by != "dimension":
        return []
    dimension = plan.dimensions[0]
    moving = (
        dimension.grain in ("year", "quarter", "month", "week", "day", "hour")
        or dimension.grain is None
        and metadata.is_year(dimension.member)
    )
    first, last = series.numbers[0], series.numbers[-1]
    if not moving or first is None or last is None:
        return []
    change = f", a change of {(last - first) / abs(first) * 100:+.0f} %" if first else ""
    note = [f"From {series.labels[0]} to {series.labels[-1]} it went from {said(first)} to {said(last)}{change}."]
    counted = _adds_up(plan, series.column, metadata)
    profile = metadata.profile(dimension.member) if metadata.is_time(dimension.member) else None
    if (
        counted
        and profile is not None
        and isinstance(profile.high, datetime)
        and dimension.grain in ("month", "quarter", "year", "week")
        and _unfinished(profile.high, dimension.grain)
    ):
        note.append(f"The last {dimension.grain} is not complete: the data end on {profile.high:%Y-%m-%d}.")
    return note


def _unfinished(moment: datetime, grain: str) -> bool:
    end = shift(floor(moment.replace(tzinfo=None), grain), grain, 1)
    return (end - moment.replace(tzinfo=None)).days >= 1


def _adds_up(plan: Plan, column: OutputColumn, metadata: Metadata) -> bool:
    """Whether the groups' numbers make a meaningful total."""
    if column.role != "measure" or plan.nested is not None:
        return False
    measure = plan.measures[column.place]
    member = metadata.members.get(measure.member or "")
    return (
        measure.aggregate in ("count", "sum", "count_values")
        or measure.aggregate == "measure"
        and bool(member and member.agg_type in ("count", "sum"))
    )


def _total_sentences(plan: Plan, series: _Series, said: Any, high: tuple[float, str], metadata: Metadata) -> list[str]:
    measure = plan.measures[series.column.place] if series.column.role == "measure" else None
    if (
        measure is None
        or not _adds_up(plan, series.column, metadata)
        or len(series.numbers) < 3
        or plan.limit is not None
        or plan.calculations
    ):
        return []
    total = sum(n for n in series.numbers if n is not None)
    if not total or any(n is not None and n < 0 for n in series.numbers):
        return []
    return [f"Together {said(total)}; {high[1]} alone is {high[0] / total * 100:.1f} %."]


def _empty(plan: Plan, metadata: Metadata, notes: Sequence[str]) -> list[str]:
    missing = [note for note in notes if "not set" in note or "attribute" in note]
    if missing:
        return [f"No rows: {missing[0]}."] if not missing[0].endswith(".") else [f"No rows: {missing[0]}"]
    sentences = ["There are no rows for this question."]
    times = [c for c in plan.conditions if c.operator == "period"]
    for condition in times:
        profile = metadata.profile(condition.member)
        if profile.low is not None and profile.high is not None:
            sentences.append(
                f"{metadata.member(condition.member).title} runs from {figure(profile.low)} to {figure(profile.high)}."
            )
    return sentences
