"""``pre_aggregations`` as they are written: what is read, left out, told and refused."""

from __future__ import annotations

from typing import Any

import pytest

from svc_notebook.semantic.errors import ModelProblem
from svc_notebook.semantic.loader import check_model, load_model
from svc_notebook.semantic.model import Rollup

CUBE: dict[str, Any] = {
    "name": "orders",
    "sql_table": "orders",
    "dimensions": [
        {"name": "status", "sql": "status", "type": "string"},
        {"name": "placed_at", "sql": "placed_at", "type": "time"},
        {"name": "paid_at", "sql": "paid_at", "type": "time"},
    ],
    "measures": [{"name": "count", "type": "count"}, {"name": "total", "type": "sum", "sql": "amount"}],
}


def findings(*rollups: Any, **written: Any) -> list[ModelProblem]:
    return check_model({"cubes": [{**CUBE, "pre_aggregations": list(rollups) or written}]})


def read(rollups: Any) -> tuple[Rollup, ...]:
    return load_model({"cubes": [{**CUBE, "pre_aggregations": rollups}]}).cubes["orders"].rollups


def test_names_are_written_with_their_cube_or_without_in_any_spelling() -> None:
    (one,) = read(
        [
            {
                "name": "by_day", "type": "rollup", "measures": ["CUBE.count", "{total}"], "dimensions": ["orders.status"],
                "timeDimension": "{CUBE.placed_at}", "granularity": "day",
            }
        ]
    )  # fmt: skip
    (same,) = read({"by_day": {"measures": ["count", "total"], "dimensions": "status", "time_dimensions": [
        {"dimension": "placed_at", "granularity": "day"}]}})  # fmt: skip
    assert (one.measures, one.dimensions, one.times) == (("count", "total"), ("status",), (("placed_at", "day"),))
    assert (same.measures, same.dimensions, same.times) == (one.measures, one.dimensions, one.times)


def test_several_times_each_have_their_period() -> None:
    times = [{"dimension": "placed_at", "granularity": "day"}, {"dimension": "paid_at", "granularity": "month"}]
    (found,) = read([{"name": "x", "measures": ["count"], "time_dimensions": times}])
    assert found.times == (("placed_at", "day"), ("paid_at", "month"))


def test_heirs_have_the_rollups_of_their_parents() -> None:
    cubes = [
        {**CUBE, "pre_aggregations": [{"name": "a", "measures": ["count"]}]},
        {"name": "heir", "extends": "orders"},
    ]
    model = load_model({"cubes": cubes})
    assert [rollup.name for rollup in model.cubes["heir"].rollups] == ["a"]


@pytest.mark.parametrize(
    ("rollup", "severity", "words"),
    [
        ({"measures": ["totl"]}, "error", "'totl' of rollup 'x' is no measure of 'orders'; did you mean 'total'?"),
        ({"dimensions": ["stats"]}, "error", "is no dimension of 'orders'; did you mean 'status'?"),
        ({"dimensions": ["count"]}, "error", "'count' of rollup 'x' is no dimension of 'orders'"),
        ({"time_dimension": "status", "granularity": "day"}, "error", "is no time dimension of 'orders'"),
        ({"time_dimension": "placed_at"}, "error", "has 'time_dimension' without 'granularity'"),
        ({"granularity": "day"}, "error", "has 'granularity' without 'time_dimension'"),
        ({"time_dimension": "placed_at", "granularity": "dayy"}, "error", "no granularity of a rollup; did you mean 'day'?"),
        ({"mesures": ["count"]}, "error", "'mesures' is not a key of a rollup; did you mean 'measures'?"),
        ({"type": "rolup"}, "error", "'rolup' is no type of a rollup"),
        ({"dimensions": ["customers.city"]}, "warning", "'customers.city' of rollup 'x' is of another cube, and left out"),
        ({"something": 1}, "warning", "'something' is not a key of a rollup"),
        ({"refresh_key": {"every": "1 hour"}}, "info", "it is of is without effect"),
        ({"type": "original_sql"}, "info", "a pre-aggregation of type original_sql is without effect"),
        ({"type": "rollupLambda", "rollups": ["a"]}, "info", "a pre-aggregation of type rollup_lambda is without effect"),
        ({"indexes": {"a": {"columns": ["status"]}}}, "info", "'indexes' of a rollup is without effect"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(rollup: dict[str, Any], severity: str, words: str) -> None:
    found = findings({"name": "x", **rollup})
    assert [problem.severity for problem in found] == [severity], found
    assert words.replace("it is of is", "'refresh_key' of a rollup is") in found[0].message


def test_one_name_is_given_once() -> None:
    found = findings({"name": "x", "measures": ["count"]}, {"name": "x", "measures": ["total"]})
    assert [problem.message.partition(",")[0] for problem in found] == ["rollup 'x' of cube 'orders' is declared twice"]
