"""Compiling a query: new and known, over models of 10 and of 1,000 cubes with a policy on each."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, product
from typing import Any, NamedTuple

import pandas as pd

from svc_notebook.semantic.compiler.query.text import parse_query
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .report import Measurement

ANA = SecurityContext(user="ana", groups=frozenset({"sales"}), user_attributes={"region": ["EMEA", "APAC"]})
QUERY = "SELECT d1, total FROM cube3 WHERE d2 = 'value {}' GROUP BY 1"
NAMED = "SELECT d1 AS a{0}, total AS b{0} FROM cube3 WHERE d2 = 'value' GROUP BY 1"
OTHER = "SELECT d1, total FROM cube3 WHERE {} AND {} AND {} GROUP BY 1"
TESTS = "{} = 'v'", "{} <> 'v'", "{} LIKE 'v%'", "{} NOT LIKE 'v%'", "{} IN ('v', 'w')", "{} IS NULL", "{} > 'v'"
DATA = pd.DataFrame({"id": [1], "parent": [1], "region": ["EMEA"], "amount": [1.0]})


def cube(number: int) -> dict[str, Any]:
    """One of a tree of cubes; each row has a parent in the cube above."""
    above = f"cube{(number - 1) // 2}"
    return {
        "name": f"cube{number}",
        "sql_table": "t",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True},
            {"name": "parent", "sql": "parent", "type": "number"},
            *({"name": f"d{n}", "sql": "region", "type": "string"} for n in range(6)),
        ],
        "measures": [{"name": "count", "type": "count"}, {"name": "total", "sql": "amount", "type": "sum"}],
        "access_policy": [{
            "group": "*",
            "member_level": {"includes": "*"},
            "row_level": {
                "filters": [{"member": "d0", "operator": "equals", "values": ["{ userAttributes.region }"]}],
            },
        }],
        "joins": [
            {"name": above, "sql": f"{{CUBE}}.parent = {{{above}}}.id", "relationship": "many_to_one"},
        ] if number else [],
    }  # fmt: skip


@contextmanager
def layer_of(cubes: int) -> Iterator[SemanticLayer]:
    layer = SemanticLayer(load_model({"cubes": [cube(n) for n in range(cubes)]}), DuckDBEngine.open(data={"t": DATA}))
    try:
        yield layer
    finally:
        layer.close()


def computed(work: Callable[[], object], rounds: int, each: int = 1) -> float:
    """Median milliseconds that this process computes for one call."""
    spent = []
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(each):
            work()
        spent.append((time.process_time() - began) / each)
    return statistics.median(spent) * 1e3


class Costs(NamedTuple):
    """Milliseconds of a query with other values, of one with other names, of one like none before, of a known one, and
    of parsing it twice."""

    new: float
    named: float
    other: float
    known: float
    parsers: float


def costs(cubes: int, rounds: int) -> Costs:
    numbers = count()
    shapes = (OTHER.format(*(t.format(f"d{n}") for n, t in enumerate(each, 2))) for each in product(TESTS, repeat=3))
    with layer_of(cubes) as layer:
        text = layer.compile(ANA, QUERY.format("first")).sql

        def parsed() -> None:
            parse_query(QUERY.format("x"))
            layer.engine.tables_read(f"{text} -- {next(numbers)}")  # which nothing is remembered of

        return Costs(
            computed(lambda: layer.compile(ANA, QUERY.format(next(numbers))), rounds),
            computed(lambda: layer.compile(ANA, NAMED.format(next(numbers))), rounds),
            computed(lambda: layer.compile(ANA, next(shapes)), rounds),
            computed(lambda: layer.compile(ANA, QUERY.format("first")), rounds, each=100),
            computed(parsed, rounds),
        )


def run(*, quick: bool = False) -> list[Measurement]:
    rounds = 40 if quick else 150
    few, many = (costs(cubes, rounds) for cubes in (10, 1_000))
    parsers = "what both parsers need"
    return [
        Measurement("a query with other values, 10 cubes", few.new, "ms", few.parsers, parsers),
        Measurement("a query with other names, 10 cubes", few.named, "ms", few.parsers, parsers, note="aim 1.5 ms"),
        Measurement("a query like none before, 10 cubes", few.other, "ms", few.parsers, parsers, note="aim 1.5 ms"),
        Measurement(
            "a query like none before, 1,000 cubes", many.other, "ms", few.other, "at 10 cubes", 1.5, note="aim 2 ms"
        ),
        *(
            Measurement(
                f"a known query, {cubes} cubes",
                found.known * 1e3,
                "µs",
                found.other * 1e3,
                "a new one",
                0.02,
                note="aim 20 µs",
            )
            for cubes, found in (("10", few), ("1,000", many))
        ),
    ]
