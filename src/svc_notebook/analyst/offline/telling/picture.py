"""The picture of a form's result, by the rules that every chart is chosen by."""

from __future__ import annotations

from typing import Any

from ....semantic.catalog import Catalog
from ...charts import ChartColumn, ChartRequest, choose_chart
from ..forms import Aggregate, Bin, Clause, Expression, Form, Member, Over, Part, Truncated
from ..forms.names import column_names
from ..forms.reading.kinds import kind_of
from ..forms.reading.names import Names
from ..forms.words import Words

__all__ = ["MARKS", "picture"]

MARKS = ("bar", "line", "area", "point", "arc", "rect")


def picture(form: Form, catalog: Catalog, mark: str | None, title: str) -> dict[str, Any] | None:
    """A Vega-Lite spec without data; ``mark`` is the one that is wished for, ``table`` for none."""
    names, words = Names(catalog), Words(catalog)
    measured = {id(clause) for clause in form.measures}
    columns = [
        _column(clause, name, id(clause) in measured, names, words)
        for clause, name in zip(form.shown, column_names(form.shown), strict=True)
    ]
    wished = mark if mark in MARKS else None
    return choose_chart(ChartRequest(
        tuple(columns), title, f"{title}.", wished, table=mark == "table", ordered=bool(form.order),
        rows=bool(form.columns),
    ))  # fmt: skip


def _column(clause: Clause, name: str, measured: bool, names: Names, words: Words) -> ChartColumn:
    of = clause.expression
    grain = of.grain if isinstance(of, Truncated) else of.part if isinstance(of, Part) else None
    width = of.width if isinstance(of, Bin) else None
    known = _member(of, names.catalog)
    return ChartColumn(
        name, _kind(of, measured, names), _title(words.of(of)), measured, grain, width,
        known.format if known else None, known.currency if known else None, additive=_additive(of),
        member=of.path if isinstance(of, Member) else None,
    )  # fmt: skip


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


def _additive(of: Expression) -> bool:
    if isinstance(of, Over):
        return of.function == "share"
    return isinstance(of, Aggregate) and of.function in ("rows", "count", "sum", "measure")


def _title(words: str) -> str:
    return words[:1].upper() + words[1:]
