"""Ask generated questions of generated models and hold the answers against the oracle."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.json_queries.json_load import load
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .drawn_rollups import draw_rollups
from .oracle import Row, answer
from .questions import Question, make_question
from .star_policies import Policies
from .stars import Star, Table, make_star

OPERATOR = SecurityContext.operator()


@dataclass
class Numbers:
    asked: int = 0
    from_rollups: int = 0
    failures: list[str] = field(default_factory=list)


def run_numbers(
    seeds: range, *, queries: int, policed: bool = False, rolled: bool = False, stop_after: int = 20
) -> Numbers:
    """Generate one model per seed and ask ``queries`` questions of it, as the operator or under row policies.

    ``rolled``: the model has rollups, drawn as well.
    """
    found = Numbers()
    for seed in seeds:
        star = make_star(seed)
        rng = random.Random(seed + 1)
        policies = Policies.make(star, rng) if policed else Policies()
        ctx = policies.context() if policed else OPERATOR
        model = policies.model(star)
        if rolled:
            draw_rollups(star, model, random.Random(seed + 2))
        layer = SemanticLayer(load_model(model), DuckDBEngine.open(None, data=star.data()))
        try:
            for number in range(queries):
                question = make_question(star, rng)
                problem = wrong(layer, star, question, ctx, policies.allowed(star, question))
                found.asked += 1
                found.from_rollups += rolled and _is_rolled(layer, star, question, ctx)
                if problem:
                    found.failures.append(f"model {seed}, question {number}: {problem}\n    {question.sql(star)}")
        finally:
            layer.close()
        if len(found.failures) >= stop_after:
            break
    return found


def _is_rolled(layer: SemanticLayer, star: Star, question: Question, ctx: SecurityContext) -> bool:
    with suppress(QueryError):
        return bool(layer.compile(ctx, question.sql(star), timezone=question.timezone).rollups)
    return False


def wrong(
    layer: SemanticLayer,
    star: Star,
    question: Question,
    ctx: SecurityContext = OPERATOR,
    allowed: Callable[[Table, Row], bool] = lambda table, row: True,
) -> str | None:
    """Say how the layer's answer is wrong, or None."""
    expected = answer(star, question, allowed)
    try:
        table = layer.query(ctx, question.sql(star), timezone=question.timezone).table
        problem = differs(table, expected, question)
        query = question.json(star) if problem is None and question.over_view and question.limit is None else None
        if query is None:
            return problem
        (found,) = load(layer, ctx, query, now=datetime.now(UTC))
        told = differs(found.result.table, expected, question)
        return told and f"{told}\n    as JSON: {query}"
    except QueryError as refused:
        return f"{type(refused).__name__}: {refused.message}"


def differs(table: pa.Table, expected: list[tuple[Any, ...]], question: Question) -> str | None:
    """How rows differ from those expected, or None."""
    columns = [column.to_pylist() for column in table.columns]
    rows = list(zip(*columns, strict=True))
    width = len(question.groupings)
    if question.limit is None:
        rows.sort(key=lambda row: [(value is not None, value if value is not None else 0) for value in row[:width]])
    if len(rows) != len(expected):
        return f"{len(rows)} rows, expected {len(expected)}: {rows[:4]} … {expected[:4]}"
    for got, wanted in zip(rows, expected, strict=True):
        if len(got) != len(wanted) or not all(map(_same, got, wanted)):
            return f"{got}, expected {wanted}"
    return None


def _same(got: Any, wanted: Any) -> bool:
    if got is None or wanted is None:
        return got is wanted
    if isinstance(wanted, bool) or isinstance(got, bool):
        return got is wanted
    if isinstance(wanted, int | float) and not isinstance(got, str):
        return math.isclose(float(got), wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(got == wanted)
