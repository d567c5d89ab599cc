"""Answers with rollups are those without: drawn models, data, users and questions; whatever a rollup lacks is not read of it."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer

from .numbers_run import run_numbers
from .rolled_worlds import USERS, layers, question


def rows(layer: SemanticLayer, ctx: SecurityContext, sql: str, zone: str) -> Any:
    """The rows in any order and their types, or the words of a refusal."""
    try:
        table = layer.query(ctx, sql, timezone=zone).table
    except QueryError as refused:
        return refused.message
    found = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return [str(field.type) for field in table.schema], sorted(found, key=lambda row: [_key(value) for value in row])


def _key(value: Any) -> tuple[bool, str]:
    return value is None, f"{value:.6g}" if isinstance(value, float) else str(value)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def compared(seeds: range, questions: int) -> tuple[Counter[str], list[str]]:
    """How often each user was answered from a rollup, and every answer that differs."""
    rolled: Counter[str] = Counter()
    wrong = []
    for seed in seeds:
        rng = random.Random(seed)
        with_rollups, without = layers(seed)
        for _ in range(questions):
            sql, zone = question(rng)
            for name, ctx in USERS.items():
                mine, theirs = (rows(layer, ctx, sql, zone) for layer in (with_rollups, without))
                if not same(mine, theirs):
                    wrong.append(f"{seed} {name} {zone}: {sql}\n  {mine}\n  {theirs}")
                elif not isinstance(mine, str):
                    rolled[name] += bool(with_rollups.compile(ctx, sql, timezone=zone).rollups)
        with_rollups.close(), without.close()
    return rolled, wrong


@pytest.mark.parametrize("seed", range(0, 8, 2))
def test_answers_with_rollups_are_those_without(seed: int) -> None:
    rolled, wrong = compared(range(seed, seed + 2), 15)
    assert not wrong, "\n".join(wrong[:3])
    assert rolled["operator"] >= 3
    assert rolled["both"] + rolled["north"] + rolled["auditor"] >= 5


@pytest.mark.parametrize("policed", [False, True])
def test_drawn_models_with_drawn_rollups_count_right(policed: bool) -> None:
    found = run_numbers(range(700, 708), queries=10, policed=policed, rolled=True)
    assert not found.failures, "\n".join(found.failures)
    assert found.from_rollups > found.asked / 5
