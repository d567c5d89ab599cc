"""The picture of a form's result, by the rules that every chart is chosen by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....semantic.catalog import Catalog
from ...charts import ChartColumn, ChartRequest, choose_chart
from ..forms import Aggregate, Bin, Clause, Expression, Form, Member, Over, Part, Ratio, Truncated
from ..forms.lasting import told_span
from ..forms.names import column_names
from ..forms.other_units import SCALES, as_kept, shown_unit, told_unit
from ..forms.reading.kinds import kind_of
from ..forms.reading.names import Names
from ..forms.words import Words
from ..plans.plan import ChartWish
from ..schema.nouns import lowered, plural

__all__ = ["MARKS", "columns_of", "picture"]

_PARTS = {"isoweekday": "weekday", "month": "month_of_year", "hour": "hour_of_day", "year": "year"}
_KEEPING = ("avg", "min", "max", "median", "sum", "quantile", "stddev")  # what they are of is counted in
MARKS = ("bar", "line", "area", "point", "arc", "rect")


def columns_of(form: Form, catalog: Catalog) -> list[ChartColumn]:
    """The columns of a form's result by kind, with what they and their numbers are called."""
    names, words = Names(catalog), Words(catalog).of_rows(form)
    measured = {id(clause) for clause in form.measures}
    return [
        _column(clause, name, id(clause) in measured, names, words)
        for clause, name in zip(form.shown, column_names(form.shown), strict=True)
    ]


def picture(
    form: Form, columns: Sequence[ChartColumn], mark: str | None, title: str, subtitle: str = ""
) -> dict[str, Any] | None:
    """A Vega-Lite spec without data; ``mark`` is the one that is wished for, ``table`` for none."""
    wish = ChartWish.of_words(mark or "")
    return choose_chart(ChartRequest(
        tuple(columns), title, f"{title}.", wish.mark if wish.mark in MARKS else None, table=wish.table,
        ordered=bool(form.order), rows=bool(form.columns), subtitle=subtitle, limited=form.limit is not None,
        stacked=wish.stacked, grouped=wish.grouped, horizontal=wish.horizontal, panels=wish.facet,
    ))  # fmt: skip


def _column(clause: Clause, name: str, measured: bool, names: Names, words: Words) -> ChartColumn:
    of = clause.expression
    grain = of.grain if isinstance(of, Truncated) else _PARTS.get(of.part) if isinstance(of, Part) else None
    width = of.width if isinstance(of, Bin) else None
    inner = as_kept(of)
    other = shown_unit(of, names.catalog) if inner is not of else None
    known = _member(inner if other else of, names.catalog)
    title = _title(words.heading(of))
    counted = isinstance(of, Aggregate) and of.function.startswith(("rows", "count", "correlation"))
    form, currency = (known.format, known.currency) if known and not counted else (None, None)
    share = isinstance(of, Over) and of.function == "share" or _is_part_of_rows(of)
    unit = "" if counted else _told(other) if other else _unit(known) or _span(of)
    unit = "%" if isinstance(of, Ratio) and of.percent else unit
    return ChartColumn(
        name, _kind(of, measured, names), title, measured, grain, width, "percent" if share else form, currency,
        additive=_additive(inner if other else of, known), computed=isinstance(of, Over), unit=unit,
        running=isinstance(of, Over) and of.function == "sum" and bool(of.order),
        member=of.path if isinstance(of, Member) else None,
        noun=_noun(of, grain, title),
    )  # fmt: skip


def _is_part_of_rows(of: Expression) -> bool:
    """Whether a number is a part of all rows, from nought to one."""
    if not isinstance(of, Ratio) or of.percent:
        return False
    above, below = of.above, of.below
    rows = isinstance(above, Aggregate) and isinstance(below, Aggregate) and above.function == below.function == "rows"
    return rows and above.where is not None and below.where is None  # type: ignore[union-attr]  # aggregates


def _noun(of: Expression, grain: str | None, title: str) -> str:
    if isinstance(of, Truncated):
        return f"{grain}s"
    return plural(lowered(title)) if isinstance(of, Member) else "groups"


def _unit(member: Any) -> str:
    unit = member.meta.get("unit") if member is not None and member.meta else None
    return unit if isinstance(unit, str) else ""


def _span(of: Expression) -> str:
    """What a time between two times is counted in."""
    told = told_span(of.of if isinstance(of, Aggregate) and of.function in _KEEPING and of.of is not None else of)
    return f"{told.unit}s" if told is not None else ""


def _kind(of: Expression, measured: bool, names: Names) -> Any:
    if isinstance(of, Bin):
        return "bin"
    if isinstance(of, Part):
        return "ordinal"
    kind = kind_of(of, names)
    if kind == "time":
        return "time"
    return "number" if kind == "number" or measured else "category"


def _member(of: Expression, catalog: Catalog) -> Any:
    inner = of.of if isinstance(of, Aggregate) else of
    if not isinstance(inner, Member):
        return None
    relation = catalog.relations.get(inner.relation)
    return relation.members.get(inner.name) if relation is not None else None


def _additive(of: Expression, known: Any) -> bool:
    """Whether the numbers of groups make that of all of them together: an average of the model does not."""
    if isinstance(of, Over):
        return of.function == "share"
    if isinstance(of, Aggregate) and of.function == "measure":
        return known is not None and known.agg_type in ("sum", "count")
    return isinstance(of, Aggregate) and of.function in ("rows", "count", "sum")


def _told(unit: str) -> str:
    """A unit as it stands behind a number: ``3.5 million``."""
    return unit if unit in SCALES.values() else told_unit(unit)


def _title(words: str) -> str:
    return words[:1].upper() + words[1:]
