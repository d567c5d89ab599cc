"""Ask generated questions of generated models and hold the answers against the oracle."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .oracle import answer
from .questions import Question, make_question
from .stars import Star, make_star


@dataclass
class Numbers:
    asked: int = 0
    failures: list[str] = field(default_factory=list)


def run_numbers(seeds: range, *, queries: int, stop_after: int = 20) -> Numbers:
    """Generate one model per seed and ask ``queries`` questions of it."""
    found = Numbers()
    for seed in seeds:
        star = make_star(seed)
        layer = SemanticLayer(load_model(star.model()), DuckDBEngine.open(None, data=star.data()))
        rng = random.Random(seed + 1)
        try:
            for number in range(queries):
                question = make_question(star, rng)
                problem = wrong(layer, star, question)
                found.asked += 1
                if problem:
                    found.failures.append(f"model {seed}, question {number}: {problem}\n    {question.sql(star)}")
        finally:
            layer.close()
        if len(found.failures) >= stop_after:
            break
    return found


def wrong(layer: SemanticLayer, star: Star, question: Question) -> str | None:
    """Say how the layer's answer is wrong, or None."""
    expected = answer(star, question)
    try:
        table = layer.query(SecurityContext.operator(), question.sql(star)).table
    except QueryError as problem:
        return f"{type(problem).__name__}: {problem.message}"
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
