"""What an asker sees of a query, and whether two askers saw the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.json_queries.json_load import annotation, load
from svc_notebook.semantic.layer import SemanticLayer


@dataclass(frozen=True)
class Outcome:
    """Rows with their schema, or a refusal: class, words and suggestions."""

    schema: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    error: str = ""
    message: str = ""
    suggestions: tuple[str, ...] = ()


def ask(layer: SemanticLayer, ctx: SecurityContext, sql: str, timezone: str = "UTC") -> Outcome:
    """Ask, and keep everything that can be seen. Anything but a documented error propagates."""
    try:
        result = layer.query(ctx, sql, timezone=timezone)
    except QueryError as problem:
        return Outcome(error=type(problem).__name__, message=problem.message, suggestions=problem.suggestions)
    schema = tuple((field.name, str(field.type)) for field in result.table.schema)
    columns = [column.to_pylist() for column in result.table.columns]
    rows = tuple(zip(*columns, strict=True)) if columns else ()
    return Outcome(schema=schema, rows=rows)


def ask_json(layer: SemanticLayer, ctx: SecurityContext, query: dict[str, Any], now: datetime) -> Outcome:
    """The same of a JSON query: the rows of all its results, with their annotations and totals."""
    try:
        answers = load(layer, ctx, query, now=now)
    except QueryError as problem:
        return Outcome(error=type(problem).__name__, message=problem.message, suggestions=problem.suggestions)
    told = tuple((repr(annotation(one.query)), str(one.total)) for one in answers)
    rows: list[tuple[Any, ...]] = []
    for number, one in enumerate(answers):
        columns = [column.to_pylist() for column in one.result.table.columns]
        rows += [(number, *row) for row in zip(*columns, strict=True)]
    schema = tuple((field.name, str(field.type)) for field in answers[0].result.table.schema) if answers else ()
    return Outcome(schema=(*schema, *told), rows=tuple(rows))


def difference(one: Outcome, other: Outcome, *, ordered: bool = False) -> str | None:
    """Say how two outcomes differ, or None."""
    if one.error or other.error:
        if one.error != other.error:
            return f"error {one.error or 'none'!r} against {other.error or 'none'!r}: {one.message} | {other.message}"
        if one.message != other.message or one.suggestions != other.suggestions:
            return f"words differ: {one.message!r} {one.suggestions} | {other.message!r} {other.suggestions}"
        return None
    if one.schema != other.schema:
        return f"schema {one.schema} against {other.schema}"
    if len(one.rows) != len(other.rows):
        return f"{len(one.rows)} rows against {len(other.rows)}"
    left, right = list(one.rows), list(other.rows)
    if not ordered:
        left.sort(key=_key)
        right.sort(key=_key)
    for number, (a, b) in enumerate(zip(left, right, strict=True)):
        if not all(same(x, y) for x, y in zip(a, b, strict=True)):
            return f"row {number}: {a} against {b}"
    return None


def same(a: Any, b: Any) -> bool:
    """Equal values; floats within rounding, NaN equals NaN."""
    if isinstance(a, float) and isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return type(a) is type(b) and a == b


def _key(row: tuple[Any, ...]) -> list[tuple[str, Any]]:
    return [(type(value).__name__, _orderly(value)) for value in row]


def _orderly(value: Any) -> Any:
    if value is None:
        return 0
    if isinstance(value, float):
        return -math.inf if math.isnan(value) else float(f"{value:.9g}")
    return value if isinstance(value, (int, str)) else str(value)
