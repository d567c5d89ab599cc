"""How dimensions lie over an engine whose data are large: read whole where they are few, else counted once and drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from svc_notebook.analyst.offline.asking import given
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.surveys import estimated

from .shop import OPERATOR

ROWS = 40_000
TRIPS = pd.DataFrame({
    "id": range(ROWS),
    "boat": [n * 7 % 90 for n in range(ROWS)],
    "day": pd.to_datetime("2024-01-01") + pd.to_timedelta([n // 400 for n in range(ROWS)], unit="D"),
    "colour": [None if n % 4 == 0 else ("red", "blue", "green")[n % 3] for n in range(ROWS)],
    "broken": ["abc"] * ROWS,
    "berths": [n % 5 for n in range(ROWS)],
})  # fmt: skip
TRIPS.loc[[17, 39_001], "berths"] = -3  # which hardly any sample meets
BOATS = pd.DataFrame({"id": range(90), "name": [f"boat {n}" for n in range(90)], "harbour": [n % 6 for n in range(90)]})


def dimension(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "sql": name, "type": kind, **more}


def layer_of(drawn: int, policies: Any = ()) -> SemanticLayer:
    trips: dict[str, Any] = {
        "name": "trips", "sql_table": "trips",
        "dimensions": [
            dimension("id", "number", primary_key=True, public=True), dimension("day", "time"),
            dimension("colour", "string"), dimension("berths", "number"),
            dimension("failing", "number", sql="CAST(broken AS INTEGER)"),
        ],
        "measures": [{"name": "count", "type": "count"}],
        "joins": [{"name": "boats", "sql": "{CUBE}.boat = {boats}.id", "relationship": "many_to_one"}],
    }  # fmt: skip
    if policies:
        trips["access_policy"] = policies
    boats = {
        "name": "boats", "sql_table": "boats",
        "dimensions": [dimension("id", "number", primary_key=True), dimension("name", "string"),
                       dimension("harbour", "number")],
        "joins": [{"name": "trips", "sql": "{CUBE}.id = {trips}.boat", "relationship": "one_to_many"}],
    }  # fmt: skip
    views = [
        {"name": "sailed", "description": "Trips.", "cubes": [
            {"join_path": "trips", "includes": "*"}, {"join_path": "trips.boats", "includes": ["name"]}]},
        {"name": "fleet", "description": "Boats.", "cubes": [
            {"join_path": "boats", "includes": ["name", "harbour"]}, {"join_path": "boats.trips", "includes": ["colour"]}]},
    ]  # fmt: skip
    engine = DuckDBEngine.open(data={"trips": TRIPS, "boats": BOATS})
    engine.sampled_rows = drawn
    return SemanticLayer(load_model({"cubes": [trips, boats], "views": views}), engine)


@pytest.mark.parametrize("drawn", [4_000, 100_000])
def test_rows_missing_values_and_ends_are_those_of_all_rows(drawn: int) -> None:
    layer = layer_of(drawn)
    lies = {name: layer.profiled(OPERATOR, f"sailed.{name}") for name in ("id", "colour", "day", "berths", "name")}
    assert {lie.rows for lie in lies.values()} == {ROWS}
    assert (lies["colour"].missing, lies["day"].missing) == (ROWS // 4, 0)
    assert (lies["berths"].low, lies["berths"].high) == (-3, 4)
    assert (lies["day"].low, lies["day"].high) == (TRIPS.day.min(), TRIPS.day.max())
    assert (lies["colour"].low, lies["colour"].high, lies["colour"].distinct) == ("blue", "red", 3)
    assert lies["day"].distinct == 100  # of 4,000 rows that lie in a row, ten days would be seen
    assert lies["name"].distinct == 90
    assert abs(lies["id"].distinct - ROWS) <= 0.02 * ROWS
    found = layer.surveyed(OPERATOR, "sailed")
    assert set(found["colour"].values) == {"red", "blue", "green"} and found["colour"].every
    assert set(found["name"].values) == set(BOATS.name)
    assert ("id" in found) == (drawn > ROWS)  # of many rows, those of texts alone are drawn at the start
    layer.close()


def test_one_that_fails_keeps_no_other_from_being_known() -> None:
    layer = layer_of(100_000)
    found = layer.surveyed(OPERATOR, "sailed")
    assert set(found) == {"id", "day", "colour", "berths", "name"}
    layer.close()


def test_a_member_is_not_counted_over_the_rows_that_another_multiplies() -> None:
    layer = layer_of(100_000)
    found = layer.surveyed(OPERATOR, "fleet")
    assert (found["name"].lie.rows, found["name"].distinct) == (90, 90)
    assert found["harbour"].lie.rows == 90
    layer.close()


@pytest.mark.parametrize("drawn", [500, 100_000])
def test_nothing_comes_from_a_row_that_a_policy_hides(drawn: int) -> None:
    red = [{"group": "*", "row_level": {"filters": [
        {"member": "colour", "operator": "equals", "values": ["{ userAttributes.colour }"]}]}}]  # fmt: skip
    layer = layer_of(drawn, red)
    ana = SecurityContext(user="ana", user_attributes={"colour": "red"})
    seen = TRIPS[TRIPS.colour == "red"]
    found, berths = layer.surveyed(ana, "sailed"), layer.profiled(ana, "sailed.berths")
    assert found["colour"].values == ["red"] and layer.profiled(ana, "sailed.colour").rows == len(seen)
    assert (berths.low, berths.high) == (seen.berths.min(), seen.berths.max())
    assert set(found["name"].values) <= {f"boat {n}" for n in seen.boat.unique()}
    nobody = SecurityContext(user="bob", user_attributes={"colour": "none such"})
    assert {each.distinct for each in layer.surveyed(nobody, "sailed").values()} == {0}
    assert layer.profiled(nobody, "sailed.berths").rows == 0
    layer.close()


def test_of_two_grants_each_member_is_surveyed_by_its_own_rows() -> None:
    """Who has two policies sees a member in the rows of those that show it, so that members have other rows."""
    two = [
        {"group": "one", "member_level": {"includes": ["colour"]}, "row_level": {"allow_all": True}},
        {"group": "two", "member_level": {"includes": ["berths"]}, "row_level": {"filters": [
            {"member": "berths", "operator": "equals", "values": ["2"]}]}},
    ]  # fmt: skip
    layer = layer_of(100_000, two)
    ana = SecurityContext(user="ana", groups=frozenset({"one", "two"}))
    found = layer.surveyed(ana, "trips")
    for name in ("colour", "berths"):
        alone = layer.query(ana, f"SELECT COUNT(*) AS n FROM (SELECT {name} FROM trips) AS t").table
        lie = found[name].lie
        assert lie.rows == alone.column(0)[0].as_py(), name
    layer.close()


@pytest.mark.parametrize("drawn", [4_000, 100_000])
def test_the_analyst_knows_what_it_knows_where_all_is_counted(drawn: int) -> None:
    layer = layer_of(drawn)
    metadata = load_metadata(Toolbox(layer, OPERATOR))
    layer.engine.sampled_rows = None
    at_hand = SemanticLayer(layer.model, layer.engine)
    counted = load_metadata(Toolbox(at_hand, OPERATOR))
    expected = {path: counted.profile(path) for path in ("sailed.day", "sailed.berths")}
    layer.engine.sampled_rows = drawn
    for path in expected:
        found, counted_there = metadata.profile(path), expected[path]
        assert replace(found, distinct=counted_there.distinct) == counted_there, path
        assert 0 <= counted_there.distinct - found.distinct <= 1, path  # the two rows of -3 may not be drawn
    for path in ("sailed.colour", "sailed.name"):
        one, other = metadata.profile(path), counted.profile(path)
        assert (one.rows, one.distinct, one.low, one.high) == (other.rows, other.distinct, other.low, other.high)
        assert abs(one.missing - other.missing) <= 0.05 * ROWS
    assert metadata.profile("sailed.id").unique and not metadata.profile("sailed.day").unique
    assert metadata.values.complete >= {"sailed.colour", "sailed.name"}
    layer.close()


@pytest.mark.parametrize("distinct", [1, 12, 900, 40_000, 500_000, 1_000_000])
def test_how_many_there_are_is_estimated_from_a_few(distinct: int) -> None:
    generator = np.random.default_rng(5)
    values = generator.integers(0, distinct, 1_000_000) if distinct < 1_000_000 else np.arange(1_000_000)
    drawn = pd.Series(generator.choice(values, 50_000, replace=False)).value_counts()
    truth, told = len(np.unique(values)), estimated(50_000, 1_000_000, len(drawn), int((drawn == 1).sum()))
    assert 0.75 * truth <= told <= 1.25 * truth
    assert truth > 900 or told == truth


@pytest.mark.parametrize(
    "sql", ["SELECT id, colour FROM sailed", "SELECT id, MEASURE(count) FROM sailed GROUP BY 1 ORDER BY 1"]
)
def test_to_tell_readings_apart_no_more_rows_are_read_than_are_compared(
    sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    execute = DuckDBEngine.execute

    def watched(self: DuckDBEngine, *args: Any, **options: Any) -> Any:
        table = execute(self, *args, **options)
        read.append(table.num_rows)
        return table

    monkeypatch.setattr(DuckDBEngine, "execute", watched)
    far = layer_of(4_000)
    found = given(Toolbox(far, OPERATOR), sql)
    assert isinstance(found, tuple)
    assert len(found) == 201
    assert max(read) <= 201
    assert given(Toolbox(far, OPERATOR), f"SELECT id FROM ({sql}) AS s WHERE id < 0") is None
    assert given(Toolbox(far, OPERATOR), "SELECT COUNT(*) AS n FROM sailed") == (1, f"[{ROWS}]")
