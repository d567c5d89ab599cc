"""What a form's result says: the figure, the groups that stand out, the rows. Every number is in the result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from ....semantic.catalog import Catalog, Member
from ..forms import Aggregate, Clause, Expression, Form, Over, Part, Ratio, Truncated
from ..forms import Member as MemberOf
from ..forms.names import column_names
from ..forms.words import Words
from ..nouns import plural
from ..phrases import MONTH_NAMES, WEEKDAY_NAMES, join_words
from ..words import figure

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["sentences_of"]

_SHOWN = 8


@dataclass(frozen=True)
class _Column:
    """A column of the result: what it is called, what it shows, and its cells."""

    title: str
    expression: Expression
    member: Member | None
    cells: Sequence[Any]

    def said(self, value: Any) -> str:
        """A cell as people write it."""
        of = self.expression
        if value is None:
            return "(none)"
        if isinstance(value, str):
            return value
        if isinstance(of, Part) and isinstance(value, (int, float)):
            return _part(of.part, int(value))
        if isinstance(of, Truncated) and isinstance(value, (date, datetime)):
            return _moment(of.grain, value)
        if isinstance(of, MemberOf):
            plain = isinstance(value, (int, float)) and not isinstance(value, bool) and not self._is_amount()
            return f"{value:g}" if isinstance(value, float) and plain else str(value) if plain else figure(value)
        if isinstance(of, Ratio) and of.percent:
            return f"{figure(value)} %"
        if isinstance(of, Over) and of.function == "share":
            return figure(value, "percent")
        counted = isinstance(of, Aggregate) and (of.function == "rows" or of.function.startswith("count"))
        known = None if counted or not isinstance(of, Aggregate) else self.member
        unit = known.meta.get("unit") if known is not None and known.meta else None
        ending = f" {unit}" if isinstance(unit, str) else ""
        return figure(value, known.format, known.currency) + ending if known is not None else figure(value)

    def _is_amount(self) -> bool:
        return self.member is not None and (self.member.kind == "measure" or self.member.currency is not None)

    @property
    def numbers(self) -> list[float | None]:
        return [_number(cell) for cell in self.cells]


def sentences_of(form: Form, catalog: Catalog, table: pa.Table) -> list[str]:
    """Sentences about the rows a form gave, most important first."""
    if not table.num_rows:
        return ["There are no rows for this question."]
    words = Words(catalog)
    measured = {id(clause) for clause in form.measures}
    columns = {
        name: _column(clause, words, catalog, table.column(place).to_pylist())
        for place, (clause, name) in enumerate(zip(form.shown, column_names(form.shown), strict=True))
    }
    shown = list(zip(form.shown, columns.values(), strict=True))
    groups = [column for clause, column in shown if id(clause) not in measured]
    numbers = [column for clause, column in shown if id(clause) in measured]
    if not numbers:
        return _rows(form, groups, table.num_rows)
    if not groups:
        return _figures(form, words, numbers)
    return _groups(form, groups, numbers)


def _column(clause: Clause, words: Words, catalog: Catalog, cells: Sequence[Any]) -> _Column:
    of = clause.expression
    inner = of.of if isinstance(of, Aggregate) else of
    relation = catalog.relations.get(inner.relation) if isinstance(inner, MemberOf) else None
    member = relation.members.get(inner.name) if relation is not None and isinstance(inner, MemberOf) else None
    title = words.of(of)
    return _Column(title[:1].upper() + title[1:], of, member, cells)


def _rows(form: Form, columns: Sequence[_Column], count: int) -> list[str]:
    """Rows, or different values."""
    if count == 1:
        return ["; ".join(f"{column.title}: **{column.said(column.cells[0])}**" for column in columns) + "."]
    titles = join_words([column.title[:1].lower() + column.title[1:] for column in columns[:4]])
    if form.columns or len(columns) > 1:
        return [f"**{count:,}** rows with {titles}."]
    return [f"There are **{count:,}** different {plural(titles)}: {_listed(columns[0])}."]


def _listed(column: _Column) -> str:
    values = [column.said(cell) for cell in column.cells[:_SHOWN]]
    return join_words(values) if len(column.cells) <= _SHOWN else ", ".join(values) + " and others"


def _figures(form: Form, words: Words, columns: Sequence[_Column]) -> list[str]:
    """Numbers of all rows."""
    values = "; ".join(f"**{column.title}: {column.said(column.cells[0])}**" for column in columns)
    rules = [words.condition(item.condition) for item in form.where]
    return [f"{values}{f', where {join_words(rules)}' if rules else ''}."]


def _groups(form: Form, groups: Sequence[_Column], columns: Sequence[_Column]) -> list[str]:
    """Numbers of groups: the first, or the ends of the first number, and the best group of the others."""
    first, count = columns[0], len(columns[0].cells)
    labels = [" / ".join(column.said(column.cells[row]) for column in groups) for row in range(count)]
    known = [(number, row) for row, number in enumerate(first.numbers) if number is not None]
    if count == 1 or (form.limit is not None and form.limit.count == 1 and not form.limit.per):
        values = ", ".join(f"{_low(column.title)} **{column.said(column.cells[0])}**" for column in columns)
        return [f"**{labels[0]}**: {values}."]
    if not known:
        return [f"{first.title}: none of the {count:,} groups has a value."]
    if count == 2:
        both = ", ".join(f"**{label}** {first.said(cell)}" for label, cell in zip(labels, first.cells, strict=True))
        told = [f"{first.title}: {both}."]
        if len(known) == 2:
            told.append(f"The difference is {first.said(abs(known[0][0] - known[1][0]))}.")
        return [*told, *(_best(column, labels) for column in columns[1:])]
    (high, at), (low, least) = max(known, key=lambda k: k[0]), min(known, key=lambda k: k[0])
    if high == low:
        return [f"{first.title}: **{first.said(first.cells[at])}** in each of the {count:,} groups."]
    ends = (
        f"{first.title}: highest for **{labels[at]}** ({first.said(first.cells[at])}), lowest for **{labels[least]}** "
        f"({first.said(first.cells[least])}), of {count:,} groups."
    )
    return [ends, *(_best(column, labels) for column in columns[1:3])]


def _best(column: _Column, labels: Sequence[str]) -> str:
    known = [(number, row) for row, number in enumerate(column.numbers) if number is not None]
    if not known:
        return f"{column.title} has no value in any group."
    _, row = max(known, key=lambda k: k[0])
    return f"{column.title}: highest for **{labels[row]}** ({column.said(column.cells[row])})."


def _low(title: str) -> str:
    return title[:1].lower() + title[1:]


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(number) else number


def _part(part: str, value: int) -> str:
    if part == "isoweekday" and 1 <= value <= len(WEEKDAY_NAMES) - 1:
        return str(WEEKDAY_NAMES[value])
    if part == "month" and 1 <= value <= len(MONTH_NAMES) - 1:
        return str(MONTH_NAMES[value])
    return f"{value}:00" if part == "hour" else str(value)


def _moment(grain: str, value: date) -> str:
    known = {"year": f"{value:%Y}", "month": f"{value:%B %Y}", "quarter": f"Q{(value.month - 1) // 3 + 1} {value.year}"}
    return known.get(grain) or figure(value)
