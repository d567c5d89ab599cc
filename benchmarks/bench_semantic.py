"""The semantic layer against hand-written SQL on the same engine: executed aggregates, a policy's cost, compile cost."""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine, EngineLimits
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .report import Measurement
from .semantic_data import NAIVE, QUESTIONS, build, model, qualified

OPERATOR = SecurityContext.operator()


def run(quick: bool = False) -> list[Measurement]:
    rows = 1_000_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as name:
        path = build(Path(name), rows)
        # One thread: what several wait for each other is not computed, and differs from run to run.
        engine = DuckDBEngine.open(path, limits=EngineLimits(threads=1, timeout=600))
        try:
            label = f"{rows // 1_000_000} M rows"
            found = _executed(SemanticLayer(load_model(model()), engine), engine, label)
            return (
                found + _policy(SemanticLayer(load_model(model(policy=True)), engine), engine, label) + _compile(engine)
            )
        finally:
            engine.close()


def pair(one: Callable[[], Any], other: Callable[[], Any], rounds: int = 7) -> tuple[float, float]:
    """The least seconds that this process computes for each, in turns: what else runs adds to a time and never takes from it."""
    spent: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds + 1):
        for work, times in ((one, spent[0]), (other, spent[1])):
            began = time.process_time()
            work()
            if turn:
                times.append(time.process_time() - began)
    return min(spent[0]), min(spent[1])


def _executed(layer: SemanticLayer, engine: DuckDBEngine, label: str) -> list[Measurement]:
    found = []
    for name, (asked, by_hand) in QUESTIONS.items():
        written = qualified(by_hand)
        mine, theirs = layer.query(OPERATOR, asked).table, engine.execute(written, {})
        assert _same(mine, theirs), name
        one, other = pair(lambda a=asked: layer.query(OPERATOR, a), lambda w=written: engine.execute(w, {}))
        found.append(Measurement(f"{name} ({label})", one * 1000, "ms", other * 1000, "hand-written SQL", 1.1))
    return found + _naive(layer, engine, label)


def _naive(layer: SemanticLayer, engine: DuckDBEngine, label: str) -> list[Measurement]:
    """Joins that repeat rows, each counted once, against the plain join that counts them several times."""
    found, ratios = [], []
    for name, by_hand in NAIVE.items():
        asked, written = QUESTIONS[name][0], qualified(by_hand)
        one, other = pair(lambda a=asked: layer.query(OPERATOR, a), lambda w=written: engine.execute(w, {}))
        ratios.append(one / other)
        found.append(
            Measurement(f"{name}, against the naive join ({label})", one * 1000, "ms", other * 1000, "naive join")
        )
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return [*found, Measurement(f"fan-out: geometric mean ({label})", mean, "times", 1.0, "the naive join", 1.0)]


def _policy(layer: SemanticLayer, engine: DuckDBEngine, label: str) -> list[Measurement]:
    ctx = SecurityContext(user="ana", user_attributes={"region": ["north", "west"]})
    found = []
    for name, asked, written in [
        ("aggregate", *QUESTIONS["revenue by region"]),
        ("join", *QUESTIONS["filtered, by category"]),
        (
            "filtered count",
            "SELECT count(*) AS n FROM sales WHERE quantity > 3 AND amount < 50",
            "SELECT count(*) AS n FROM items i WHERE i.quantity > 3 AND i.amount < 50",
        ),
        (
            "computed filter",
            "SELECT count(*) AS n FROM sales WHERE amount * quantity > 100 AND upper(region) LIKE 'N%'",
            "SELECT count(*) AS n FROM items i WHERE i.amount * i.quantity > 100 AND upper(i.region) LIKE 'N%'",
        ),
    ]:
        predicate = "(SELECT * FROM items WHERE region IN ('north', 'west'))"
        with_predicate = qualified(written.replace("FROM items", f"FROM {predicate}"))
        assert _same(layer.query(ctx, asked).table, engine.execute(with_predicate, {})), name
        one, other = pair(lambda a=asked: layer.query(ctx, a), lambda w=with_predicate: engine.execute(w, {}))
        found.append(
            Measurement(f"policy: {name} ({label})", one * 1000, "ms", other * 1000, "its predicate in SQL", 1.2)
        )
    return found


def _compile(engine: DuckDBEngine) -> list[Measurement]:
    layer = SemanticLayer(load_model(model(policy=True)), engine)
    ctx = SecurityContext(user="ana", user_attributes={"region": ["north"]})
    asked = QUESTIONS["three joins, by tier and category"][0]
    layer.compile(ctx, asked)
    cold, warm = [], []
    for number in range(200):
        text = asked.replace(" AS r", f" AS r{number}")
        for times in (cold, warm):
            began = time.perf_counter()
            layer.compile(ctx, text)
            times.append(time.perf_counter() - began)
    note = "three joins under a policy; target 3 ms uncached"
    return [
        Measurement("compile, a new text", statistics.median(cold) * 1000, "ms", note=note),
        Measurement("compile, a text seen before", statistics.median(warm) * 1000, "ms"),
    ]


def _same(one: Any, other: Any) -> bool:
    """Whether two results hold the same rows in any order; sums differ in their last digits by the order of adding."""
    mine, theirs = _rows(one), _rows(other)
    return len(mine) == len(theirs) and all(
        a == b or (isinstance(a, float) and isinstance(b, float) and math.isclose(a, b, rel_tol=1e-9))
        for x, y in zip(mine, theirs, strict=True)
        for a, b in zip(x, y, strict=True)
    )


def _rows(table: Any) -> list[tuple[Any, ...]]:
    rows = zip(*[column.to_pylist() for column in table.columns], strict=True)
    return sorted(rows, key=lambda row: [str(value) for value in row if not isinstance(value, float)])
