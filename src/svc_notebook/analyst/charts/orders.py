"""In which order groups stand, how a missing one is called, and which colour each keeps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from ..scales import along_scale
from .columns import ChartColumn

__all__ = [
    "NO_COLOUR",
    "colours",
    "label_expression",
    "longest",
    "missing",
    "ordered_values",
    "ranked_values",
    "without",
]

NO_COLOUR = "#9a9a9a"
NO_NAME = "#cfcfcf"  # beside all others together
_MOST = 60
_SHORT_NAME = 4  # letters of a weekday or month below an axis
_NAMED_PARTS = ("weekday", "month_of_year")


def missing(column: ChartColumn) -> bool:
    """Whether some rows have no value of a grouping."""
    return column.cells is not None and any(cell is None for cell in column.cells)


def ordered_values(column: ChartColumn) -> list[str] | None:
    """The order a column is said to have, or that of the calendar; None where it has none of its own."""
    if column.order:
        present = set(column.cells or column.order)
        return [name for name in column.order if name in present]
    return along_scale(list(dict.fromkeys(cell for cell in column.cells or () if cell is not None)))


def ranked_values(axis: ChartColumn, value: ChartColumn) -> list[str] | None:
    """Groups by their totals, the largest first; missing ones are left out and so stand last."""
    if axis.cells is None or value.cells is None or not 0 < axis.cardinality <= _MOST:
        return None
    sums: dict[str, float] = {}
    for cell, number in zip(axis.cells, value.cells, strict=True):
        if isinstance(number, date):  # the first or last time of each group adds up to nothing
            return None
        if isinstance(cell, str):
            sums[cell] = sums.get(cell, 0.0) + (float(number) if number is not None else 0.0)
    return sorted(sums, key=lambda name: -sums[name]) or None


def longest(column: ChartColumn) -> int:
    """Characters of the longest group, as it is written below an axis."""
    named = _SHORT_NAME if column.kind == "ordinal" and (column.names or column.grain in _NAMED_PARTS) else 0
    most = max((len(str(cell)) for cell in column.cells or () if cell is not None), default=0)
    return max(most, named, len(without(column)) if missing(column) else 0)


def label_expression(column: ChartColumn, names: Sequence[str] = ()) -> str | None:
    """How groups are written below an axis or in a legend: numbered ones by name, missing ones in words."""
    text = "datum.label"
    if any(isinstance(cell, bool) for cell in column.cells or ()):
        yes, no = column.truth
        said = "toString(datum.value)"
        text = f"{said} == 'true' ? '{_quoted(yes)}' : {said} == 'false' ? '{_quoted(no)}' : {text}"
    for place, name in reversed(list(enumerate(column.names or names, 1))):
        text = f"datum.value == {place} ? '{name}' : {text}"
    if missing(column):
        text = f"isValid(datum.value) ? ({text}) : '{_quoted(without(column))}'"
    return None if text == "datum.label" else text


def without(column: ChartColumn) -> str:
    """What rows without a value are called."""
    return column.without or f"no {column.title[:1].lower()}{column.title[1:]}"


def _quoted(text: str) -> str:
    return "".join(char for char in text if char.isalnum() or char in " -_(),")[:40]


def colours(column: ChartColumn, palette: Sequence[str]) -> dict[str, Any] | None:
    """A scale in which each group keeps the colour that it has among all values of its member."""
    found = {cell for cell in column.cells or () if isinstance(cell, str)}
    present = [name for name in column.order if name in found] or sorted(found)
    known = column.known or tuple(present)
    if column.cells is None or not present or len(present) > len(palette):
        return None
    taken: dict[str, str] = {}
    for name in present:
        place = known.index(name) if name in known else len(known)
        free = [palette[(place + step) % len(palette)] for step in range(len(palette))]
        taken[name] = next(colour for colour in free if colour not in taken.values())
    order = list(ordered_values(column) or present)
    if column.rest in taken and column.rest in known:
        taken[column.rest] = NO_COLOUR
        order = [*(name for name in order if name != column.rest), column.rest]
    scale: dict[str, Any] = {"domain": order, "range": [taken[name] for name in order]}
    if missing(column):
        nameless = NO_NAME if NO_COLOUR in taken.values() else NO_COLOUR
        scale = {"domain": [*scale["domain"], None], "range": [*scale["range"], nameless]}
    return scale
