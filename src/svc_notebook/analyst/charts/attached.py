"""What is known of a result put to the query it shows: heads of its columns; its chart, chosen once rows are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ...protocol.tools import Column, SqlInput, SqlResult, dump
from .columns import ChartColumn

__all__ = ["drawn", "headed"]

_NAMES = {"weekday": "weekday", "month_of_year": "month"}  # numbers that are shown by name
_PERIODS = ("year", "quarter", "month")  # moments that are shown as what they begin


def drawn(request: SqlInput, result: SqlResult, spec: dict[str, Any] | None) -> tuple[SqlInput, SqlResult]:
    """A tool call with the specification of its chart, or as it is where there is none."""
    if spec is None:
        return request, result
    text = dump(spec)
    return replace(request, vega_spec=text), replace(result, vega_spec=text)


def headed(result: SqlResult, columns: Sequence[ChartColumn], language: str | None = None) -> SqlResult:
    """A result whose columns are called, and whose cells are shown, by what is known of them.

    ``language``: what its titles are in, and its cells are to be written in, where that is not English.
    """
    known = {column.name: column for column in columns}
    heads = [_head(c, known[c.name]) if c.name in known else c for c in result.schema]
    return replace(result, schema=[replace(head, language=language) for head in heads] if language else heads)


def _head(column: Column, known: ChartColumn) -> Column:
    title, currency, unit = known.title, column.currency or known.currency, known.unit
    if known.width:
        steps = known.steps or "{title} (from, steps of {width})"
        title, unit = steps.format(title=title, width=f"{known.width:g} {unit}".rstrip()), ""
    form = _named(known) or column.format or known.format
    return replace(column, title=title, format=form, currency=currency, unit=None if currency else unit or None)


def _named(known: ChartColumn) -> str | None:
    """The format of a period: a number or a moment shown by its name."""
    if known.measured:
        return None
    if known.kind == "time":
        return known.grain if known.grain in _PERIODS else None
    return _NAMES.get(known.grain or "") if known.kind == "ordinal" else None
