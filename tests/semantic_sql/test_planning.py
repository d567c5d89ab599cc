"""By what the engine plans: the data count only while every model that is asked of it shows everybody every row."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import EngineFailure
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.model import DataModel

ENDLESS = "SELECT COUNT(*) FROM range(100000000000) t(i) WHERE hash(i) % 7 = 3"
ANA = SecurityContext(user="ana", user_attributes={"region": ["north"]})
DIMENSIONS = [
    {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
    {"name": "region", "sql": "region", "type": "string"},
]
POLICY = [{"group": "*", "row_level": {"filters": [{"member": "region", "operator": "equals", "values": ["north"]}]}}]


def model(view: dict[str, Any] | None = None, **of_cube: Any) -> DataModel:
    cube = {"name": "shops", "sql_table": "shops", "dimensions": DIMENSIONS, **of_cube}
    cube = {key: value for key, value in cube.items() if value is not None}
    shown = {"name": "all_shops", "cubes": [{"join_path": "shops", "includes": "*"}], **(view or {})}
    return load_model({"cubes": [cube], "views": [shown]})


def until(seen: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if seen():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


@pytest.fixture
def engine() -> Iterator[DuckDBEngine]:
    with closing(DuckDBEngine.open(data={"shops": pa.table({"id": [1, 2], "region": ["north", "south"]})})) as opened:
        yield opened


def by_data(engine: DuckDBEngine) -> bool:
    """Whether plans go by minima, maxima and NULLs of whole tables; the other rules are off, whatever is shown."""
    rules = engine.execute("SELECT current_setting('disabled_optimizers') AS rules", {})["rules"][0].as_py().split(",")
    assert {"join_order", "build_side_probe_side", "common_subplan"} <= set(rules)
    return "statistics_propagation" not in rules


def test_an_engine_that_nobody_asks_plans_by_the_query_alone(engine: DuckDBEngine) -> None:
    assert not by_data(engine)


def test_where_everybody_sees_every_row_plans_go_by_the_data(engine: DuckDBEngine) -> None:
    SemanticLayer(model(), engine)
    assert by_data(engine)


@pytest.mark.parametrize(
    "hiding",
    [
        {"access_policy": POLICY},
        {"access_policy": [{"group": "*", "member_level": {"excludes": ["region"]}}]},
        {"view": {"access_policy": POLICY}},
        {"view": {"default_filters": [{"member": "region", "operator": "equals", "values": ["north"]}]}},
        {"sql_table": None, "sql": "SELECT * FROM shops WHERE region = 'north'"},
        {"sql_table": None, "sql": "SELECT * FROM shops WHERE {SECURITY_CONTEXT.region.filter('region')}"},
        {"public": False},
        {
            "dimensions": [
                *DIMENSIONS,
                {"name": "most", "type": "number", "sql": "(SELECT max(id) FROM shops WHERE region = 'north')"},
            ]
        },
        {"segments": [{"name": "known", "sql": "id IN (SELECT id FROM shops WHERE region = 'north')"}]},
        {
            "dimensions": [
                *DIMENSIONS,
                {
                    "name": "kind",
                    "type": "string",
                    "case": {
                        "when": [{"sql": "id = (SELECT max(id) FROM shops)", "label": "last"}],
                        "else": {"label": "x"},
                    },
                },
            ]
        },
    ],
    ids=lambda hiding: "-".join(hiding),
)
def test_whatever_may_keep_a_row_from_somebody_ends_it_for_good(hiding: dict[str, Any], engine: DuckDBEngine) -> None:
    SemanticLayer(model(), engine)
    SemanticLayer(model(**hiding), engine)
    assert not by_data(engine)
    SemanticLayer(model(), engine)
    assert not by_data(engine)


def test_a_database_with_views_is_never_planned_for_by_the_data(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE every (id INT, region TEXT)")
        connection.execute("CREATE VIEW shops AS SELECT * FROM every WHERE region = 'north'")
    with closing(DuckDBEngine.open(tmp_path / "shop.duckdb")) as engine:
        SemanticLayer(model(), engine)
        assert not by_data(engine)


def test_rules_that_an_engine_is_opened_with_stay(tmp_path: Path) -> None:
    rules = "join_order,build_side_probe_side,common_subplan,statistics_propagation,filter_pushdown"
    with closing(
        DuckDBEngine.open(data={"shops": pa.table({"id": [1]})}, settings={"disabled_optimizers": rules})
    ) as e:
        SemanticLayer(model(), e)
        assert not by_data(e)


def test_the_first_model_that_hides_rows_waits_for_what_runs(engine: DuckDBEngine) -> None:
    SemanticLayer(model(), engine)
    cancel, said = CancellationToken(), []

    def ask() -> None:
        with pytest.raises(Cancelled):
            engine.execute(ENDLESS, {}, cancel=cancel)
        said.append("ended")

    def open_governed() -> None:
        SemanticLayer(model(access_policy=POLICY), engine)
        said.append("opened")

    running, opening = threading.Thread(target=ask), threading.Thread(target=open_governed)
    running.start()
    until(lambda: bool(engine._open))
    opening.start()
    until(lambda: engine._settling)
    later = threading.Thread(target=lambda: said.append(by_data(engine)))
    later.start()
    cancel.cancel()
    for thread in (running, opening, later):
        thread.join(30)
    assert sorted(map(str, said)) == ["False", "ended", "opened"]
    assert not by_data(engine)


def test_a_model_opened_while_queries_run_changes_no_plans(engine: DuckDBEngine) -> None:
    with engine._lent():
        SemanticLayer(model(), engine)
    assert not by_data(engine)


def test_closing_frees_whoever_waits(engine: DuckDBEngine) -> None:
    SemanticLayer(model(), engine)
    said: list[str] = []
    with engine._lent():
        opening = threading.Thread(target=lambda: SemanticLayer(model(access_policy=POLICY), engine))
        opening.start()
        until(lambda: engine._settling)

        def ask() -> None:
            with pytest.raises(EngineFailure, match="closed"):
                engine.execute("SELECT 1 AS one", {})
            said.append("refused")

        asking = threading.Thread(target=ask)
        asking.start()
        closer = threading.Thread(target=engine.close)
        closer.start()
        opening.join(30)
        asking.join(30)
        assert not opening.is_alive() and said == ["refused"]
    closer.join(30)


def test_both_plans_give_the_same_rows(engine: DuckDBEngine) -> None:
    sql = "SELECT region, count(*) AS n FROM shops WHERE id < 5 GROUP BY 1 ORDER BY 1"
    shown = SemanticLayer(model(), engine).query(ANA, sql).table
    assert by_data(engine)
    governed = SemanticLayer(model(access_policy=POLICY), engine).query(ANA, sql).table
    assert (shown.to_pylist(), governed.to_pylist()) == (
        [{"region": "north", "n": 1}, {"region": "south", "n": 1}],
        [{"region": "north", "n": 1}],
    )
