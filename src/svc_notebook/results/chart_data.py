"""The rows a chart carries: wire values as numbers and times, and no more of them than a notebook bears.

Decimals and integers beyond 2^53 arrive as strings and become numbers (a chart needs no seventeenth digit); dates
without a time are read as local midnight, not as UTC, so that no bar moves to the day before. Beyond the limit rows are
grouped beforehand where that gives the same picture, else sampled evenly, and a note says which.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .values import ColumnLike, is_numeric, numeric

__all__ = ["ChartRows", "chart_rows"]

# A notebook keeps every chart in its file, and sends it to the page in one message.
MAX_BYTES = 2_000_000
_DATE_ONLY = re.compile(r"\d{4}-\d\d-\d\d")
_ADDITIVE: dict[str, Callable[[list[Any]], Any]] = {"sum": sum, "count": len, "min": min, "max": max}


class ChartRows:
    """Records for ``data.values`` and the notes about what they leave out."""

    def __init__(self, values: list[dict[str, Any]], notes: list[str], spec: Mapping[str, Any]) -> None:
        self.values = values
        self.notes = notes
        self.spec = spec


def chart_rows(
    spec: Mapping[str, Any],
    columns: Sequence[ColumnLike],
    rows: Sequence[Sequence[Any]],
    *,
    keys: Mapping[str, str],
    temporal: set[str],
    nested: set[str],
    used: set[str] | None,
    limit: int,
) -> ChartRows:
    """Records for a safe spec.

    Parameters
    ----------
    spec : mapping
        The safe spec; grouping beforehand changes its aggregates.
    columns, rows
        The result.
    keys : mapping
        Key of each column in the records.
    temporal : set of str
        Keys that the chart reads as times.
    nested : set of str
        Keys that the chart reads into: their lists and objects stay what they are.
    used : set of str or None
        Keys to keep; None keeps all.
    limit : int
        Rows to carry.
    """
    kept = [
        (index, keys[column.name], column)
        for index, column in enumerate(columns)
        if used is None or keys[column.name] in used or len(rows) * len(columns) <= 2_000
    ]
    values = [
        {
            key: _value(row[i] if i < len(row) else None, column, key in temporal, key in nested)
            for i, key, column in kept
        }
        for row in (_cells(row) for row in rows)
    ]
    notes: list[str] = []
    if len(values) > limit:
        grouped = _grouped(spec, values)
        if grouped is not None and len(grouped[1]) <= limit:
            spec, values = grouped
            notes.append(f"{len(rows):,} rows were grouped before drawing")
        else:
            values = _evenly(values, limit)
            notes.append(
                f"drawn from {len(values):,} of {len(rows):,} rows, taken evenly: sums and counts are of these only"
            )
    # Of the first 200, since writing all of them to see how large they are costs as much as sending them.
    size = len(json.dumps(values[:200])) / max(1, len(values[:200]))
    if size * len(values) > MAX_BYTES:
        values = _evenly(values, max(1, int(MAX_BYTES / size)))
        notes.append(f"drawn from {len(values):,} of {len(rows):,} rows (size limit)")
    return ChartRows(values, notes, spec)


def _cells(row: Any) -> Sequence[Any]:
    """The cells of a row; one that is null, or no row, has none."""
    return row if isinstance(row, list | tuple) else ()


def _value(value: Any, column: ColumnLike, temporal: bool, nested: bool) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if nested and (found := _structure(value)) is not None:
        return found
    if is_numeric(column) and not temporal:
        number: Any = numeric(value)
        if number is None:
            return None
        # JavaScript's numbers hold whole ones exactly up to here.
        if isinstance(number, int) and abs(number) <= 2**53:
            return number
        if number == int(number) and abs(number) <= 2**53 and not isinstance(number, float):
            return int(number)
        return float(number)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):
        return value
    text = (
        value
        if isinstance(value, str)
        else json.dumps(value, default=str)
        if isinstance(value, dict | list)
        else str(value)
    )
    if temporal and _DATE_ONLY.fullmatch(text):
        # A date alone is midnight in Greenwich to JavaScript, and so the day before in America.
        return f"{text}T00:00:00"
    return text[:1_000]


def _structure(value: Any) -> Any:
    """A list or an object, perhaps written as JSON; None where it is neither."""
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            value = json.loads(value)
        except ValueError:
            return None
    return value if isinstance(value, dict | list) else None


def _evenly(values: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    step = len(values) / count
    return [values[int(i * step)] for i in range(count)]


def _grouped(
    spec: Mapping[str, Any], values: list[dict[str, Any]]
) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """Group a plain unit spec of simple aggregates by its other fields; None where the picture could change."""
    encoding = spec.get("encoding")
    if "mark" not in spec or spec.get("transform") or not isinstance(encoding, Mapping):
        return None
    channels = [c for c in encoding.values() if isinstance(c, Mapping)]
    if len(channels) != len(encoding) or any("bin" in c or "condition" in c for c in channels):
        return None
    measures = [c for c in channels if "aggregate" in c]
    if not measures or any(not isinstance(m["aggregate"], str) or m["aggregate"] not in _ADDITIVE for m in measures):
        return None
    plain = [re.sub(r"\\(.)", r"\1", c["field"]) for c in channels if "field" in c and "aggregate" not in c]
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in values:
        groups.setdefault(tuple(record.get(name) for name in plain), []).append(record)
    names = {(m["aggregate"], m.get("field", "")): f"__{m['aggregate']}_{i}" for i, m in enumerate(measures)}
    out = [
        dict(zip(plain, key, strict=True))
        | {made: _fold(op, [r.get(re.sub(r"\\(.)", r"\1", f)) for r in records]) for (op, f), made in names.items()}
        for key, records in groups.items()
    ]
    return {**spec, "encoding": {name: _regrouped(c, names) for name, c in encoding.items()}}, out


def _fold(op: str, items: list[Any]) -> Any:
    if op == "count":
        return len(items)
    numbers = [item for item in items if isinstance(item, int | float)]
    return _ADDITIVE[op](numbers) if numbers else None


def _regrouped(channel: Mapping[str, Any], names: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    op = channel.get("aggregate")
    if not isinstance(op, str):
        return dict(channel)
    field = str(channel.get("field", ""))
    title = channel.get("title", "Count of Records" if op == "count" else f"{op.capitalize()} of {field}")
    # The counts of groups are added up; sums, minima and maxima of groups are made again by the same word.
    again = "sum" if op == "count" else op
    return {**channel, "aggregate": again, "field": names[op, field], "type": "quantitative", "title": title}
