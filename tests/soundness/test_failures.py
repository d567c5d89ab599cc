"""Whether a query fails on the asker's own rows does not depend on hidden rows, whatever its condition asks of them.

An engine that plans by minima, maxima and counts of whole tables leaves out what fails where no row, hidden ones included,
can meet a condition: a bisection of the condition's bound then tells the hidden rows' values. The long run asks more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest

from svc_notebook.semantic.errors import QueryError

from .compare import ask
from .failing_worlds import CONTEXT, SHAPES, World, open_worlds
from .failures import FAILURES, PLACES, question, run_failures

pytestmark = pytest.mark.slow
OVERFLOW = "big * 9000000000000000000 * big * 90"
FORMS = [
    f"SELECT sum(b) FROM (SELECT *, max({OVERFLOW}) OVER () AS b FROM {{r}}) t WHERE amount > {{x}}",
    f"SELECT max(b) FROM (SELECT *, {OVERFLOW} AS b FROM {{r}} ORDER BY id LIMIT 120) t WHERE amount > {{x}}",
    f"SELECT max(b) FROM (SELECT *, {OVERFLOW} AS b, row_number() OVER (ORDER BY id) AS n FROM {{r}}) t WHERE amount > {{x}}",
    f"SELECT count(*) FROM (SELECT k, max(amount) AS a, max({OVERFLOW}) AS b FROM {{r}} GROUP BY 1) t WHERE a > {{x}}",
    f"SELECT count(*) FROM (SELECT DISTINCT *, {OVERFLOW} AS b FROM {{r}}) t WHERE amount > {{x}}",
    f"SELECT count(*) FROM (SELECT *, {OVERFLOW} AS b FROM {{r}} UNION SELECT *, 1 FROM {{r}}) t WHERE amount > {{x}}",
]
# What is joined first is found by how many rows there are, hidden ones included; after an empty join nothing is computed.
JOINS = [
    f"SELECT count(*) FROM facts t JOIN facts v ON t.k = v.k AND t.big * {OVERFLOW.replace('big', 't.big')} * v.big <> 5 "
    f"JOIN {u} ON t.id = u.i"
    for u in (
        "(SELECT k AS i FROM dims WHERE tier || 'a' = 'x') u",
        "(SELECT max(x.k) AS i FROM dims x CROSS JOIN dims y CROSS JOIN dims z GROUP BY x.k, y.k, z.k HAVING max(x.k) < -5) u",
        "(SELECT max(x.k) AS i FROM dims x, dims y, dims z, dims w GROUP BY x.k, y.k, z.k, w.k HAVING max(x.k) < -5) u",
    )
]
# One visible row fails, far behind in the table; each of these may be settled before it is read.
_FAILS = "f.big * 100 IS NOT NULL"
_NOTHING = "(SELECT id AS i FROM facts WHERE id > 100000) u"
STOPPING = [
    "SELECT f.big * 100 AS b FROM facts f INTERSECT SELECT id FROM facts f WHERE id > 100000",
    f"SELECT count(*) FROM facts f CROSS JOIN {_NOTHING} WHERE {_FAILS}",
    f"SELECT count(*) FROM (SELECT * FROM facts f WHERE {_FAILS}) t RIGHT JOIN {_NOTHING} ON t.id = u.i",
    f"SELECT count(*) FROM (SELECT * FROM facts f WHERE {_FAILS}) t SEMI JOIN {_NOTHING} ON t.id = u.i",
    f"SELECT count(*) FROM (SELECT * FROM facts f WHERE {_FAILS}) t JOIN {_NOTHING} ON t.big <> u.i",
    f"SELECT count(*) FROM facts f WHERE {_FAILS} AND id IN (SELECT id FROM facts WHERE id > 100000)",
    f"SELECT count(*) FROM facts t WHERE EXISTS (SELECT 1 FROM facts f WHERE {_FAILS})",
    f"SELECT count(*) FROM (SELECT id, f.big * 100 AS b FROM facts f WHERE {_FAILS} LIMIT 1) t",
    f"SELECT (SELECT f.id FROM facts f WHERE {_FAILS} LIMIT 1) AS x",
    f"SELECT count(*) FROM (SELECT id FROM facts f WHERE {_FAILS} LIMIT 3 OFFSET 5) t",
]
NAMES = ("none", "far", "beside", "big")
KINDS = ("database", "parquet")


def _covering() -> Iterator[Any]:
    """Every form over every shape, and either over each kind of tables; all three crossed in the long runs."""
    for number, shape in enumerate(SHAPES):
        for (turn, form), (place, kind) in product(enumerate(FORMS), enumerate(KINDS)):
            yield pytest.param(kind, shape, form, marks=() if (number + turn + place) % 2 else pytest.mark.soak)


@pytest.fixture(scope="module")
def by_kind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[World]]]:
    """Of both kinds at once: a fixture with parameters is opened anew wherever they are given beside others."""
    folder = tmp_path_factory.mktemp("failing")
    with ExitStack() as stack:
        yield {kind: stack.enter_context(open_worlds(NAMES, folder, kind=kind)) for kind in KINDS}


@pytest.fixture(params=KINDS)
def worlds(request: pytest.FixtureRequest, by_kind: dict[str, list[World]]) -> list[World]:
    return by_kind[request.param]


def test_generated_queries_fail_alike_whatever_hidden_rows_there_are(worlds: list[World]) -> None:
    found = run_failures(worlds, range(36), steps=1)
    assert not found.failures, "\n".join(found.failures)
    assert found.seen["NotComputed"] > 0.1 * found.pairs, found.seen  # else nothing is tested
    assert found.seen["rows"] > 0.4 * found.pairs, found.seen


@pytest.mark.parametrize(("worlds", "shape", "form"), _covering(), indirect=["worlds"])
def test_a_bound_between_visible_and_hidden_values_tells_nothing(worlds: list[World], shape: str, form: str) -> None:
    relation = "sales" if shape == "view" else "facts"
    asked = [form.replace("{r}", relation).replace("{x}", str(bound)) for bound in (450, 200_000)]
    told = {ask(world.layers[shape], CONTEXT, sql).error for world in worlds for sql in asked}
    assert len(told) == 1


@pytest.mark.parametrize("sql", JOINS)
def test_the_number_of_hidden_rows_does_not_order_joins(worlds: list[World], sql: str) -> None:
    told = [ask(world.layers["list"], CONTEXT, sql) for world in worlds]
    assert all(one.error == told[0].error and one.rows == told[0].rows for one in told)


@pytest.mark.parametrize("sql", STOPPING)
def test_how_many_hidden_rows_lie_between_visible_ones_does_not_end_reading(worlds: list[World], sql: str) -> None:
    for shape in ("list", "joined"):
        told = [ask(world.layers[shape], CONTEXT, sql) for world in worlds]
        assert all(one.error == told[0].error and one.rows == told[0].rows for one in told)


def test_rows_are_packed_only_where_reading_may_stop(worlds: list[World]) -> None:
    def packed(sql: str) -> bool:
        return "svc_rows" in worlds[0].layers["list"].compile(CONTEXT, sql).sql

    whole = ["SELECT sum(big * 100) FROM facts", "SELECT k, big * 2 AS b FROM facts ORDER BY 2 LIMIT 5",
             "WITH q AS (SELECT k, max(big * 2) AS b FROM facts GROUP BY 1 LIMIT 7) SELECT * FROM q",
             "SELECT id * 3 AS n FROM facts UNION SELECT k * 2 FROM facts"]  # fmt: skip
    assert [packed(sql) for sql in whole] == [False] * 4
    assert all(packed(sql) for sql in STOPPING)
    assert not packed("SELECT id FROM facts LIMIT 5")  # nothing can fail


def test_plans_are_the_same_whatever_hidden_rows_there_are(worlds: list[World]) -> None:
    planned = 0
    for seed in range(1_000, 1_060):
        shape = SHAPES[seed % len(SHAPES)]
        asked = question(seed, shape)
        sql = asked.at((asked.low + 2 * asked.high) / 3)
        try:
            plans = [plan(world, shape, sql) for world in worlds]
        except QueryError:
            continue
        planned += 1
        assert all(one == plans[0] for one in plans), sql
    assert planned > 50


def plan(world: World, shape: str, sql: str) -> str:
    """The engine's plan without its estimates of rows and their drawing."""
    layer = world.layers[shape]
    compiled = layer.compile(CONTEXT, sql)
    table = layer.engine.execute(f"EXPLAIN {compiled.sql}", compiled.params)
    return re.sub(r"~[\d,]+ rows?|[│╭╮╰╯─┬┴├┤┼\s]+", " ", str(table.column(1).to_pylist()[0]).replace(r"\n", " "))


def test_every_rule_of_the_optimiser_has_a_verdict() -> None:
    told = (Path(__file__).parents[2] / "docs" / "soundness.md").read_text(encoding="utf-8")
    with duckdb.connect() as con:
        rules = {row[0] for row in con.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
    assert not {rule for rule in rules if f"`{rule}`" not in told}


def test_every_failure_and_place_is_asked() -> None:
    texts = " ".join(question(seed, "list").text for seed in range(3_000))
    assert all(failure.partition("{r}")[0] in texts for failure in FAILURES.values())
    assert len({question(seed, "list").text[:25] for seed in range(3_000)}) > len(PLACES) / 3
