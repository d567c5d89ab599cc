"""The demo's data model against plain SQL on the Parquet files, and its policies."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import UnknownMember
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import check_model, load_model

OPERATOR = SecurityContext.operator()
FLOWN = "departure_delay IS NOT NULL"
JOINED = """flights f LEFT JOIN airlines USING (carrier) LEFT JOIN planes p USING (tail_number)
    LEFT JOIN weather w ON w.origin = f.origin AND w.hour_utc = f.hour_utc"""
FLIGHT_MEASURES = {
    "count": "count(*)",
    "flown_count": f"count(*) FILTER (WHERE {FLOWN})",
    "cancelled_count": "count(*) FILTER (WHERE departure_delay IS NULL)",
    "cancelled_share": "count(*) FILTER (WHERE departure_delay IS NULL) / count(*)",
    "diverted_count": f"count(*) FILTER (WHERE {FLOWN} AND arrival_delay IS NULL)",
    "on_time_count": "count(*) FILTER (WHERE arrival_delay <= 15)",
    "on_time_share": "count(*) FILTER (WHERE arrival_delay <= 15) / count(arrival_delay)",
    "delayed_count": "count(*) FILTER (WHERE departure_delay > 15)",
    "delayed_share": "count(*) FILTER (WHERE departure_delay > 15) / count(departure_delay)",
    "avg_departure_delay": "avg(departure_delay)",
    "median_departure_delay": "median(departure_delay)",
    "max_departure_delay": "max(departure_delay)",
    "min_departure_delay": "min(departure_delay)",
    "avg_arrival_delay": "avg(arrival_delay)",
    "max_arrival_delay": "max(arrival_delay)",
    "min_arrival_delay": "min(arrival_delay)",
    "total_distance": "sum(distance)",
    "avg_distance": "avg(distance)",
    "total_air_time": "sum(air_time)",
    "avg_air_time": "avg(air_time)",
    "seats_offered": f"sum(p.seats) FILTER (WHERE {FLOWN})",
    "planes_used": "count(DISTINCT tail_number)",
    "destinations_served": "count(DISTINCT destination)",
    "airlines_flying": "count(DISTINCT carrier)",
}
WEATHER_MEASURES = {
    "hours": "count(*)",
    "wet_hours": "count(*) FILTER (WHERE precipitation > 0)",
    "avg_temperature": "avg(temperature)",
    "max_temperature": "max(temperature)",
    "min_temperature": "min(temperature)",
    "avg_humidity": "avg(humidity)",
    "avg_wind_speed": "avg(wind_speed) FILTER (WHERE wind_speed < 200)",
    "max_wind_gust": "max(wind_gust)",
    "total_precipitation": "sum(precipitation)",
    "avg_visibility": "avg(visibility)",
}
FLEET_MEASURES = {
    "count": "count(*)",
    "avg_seats": "avg(seats)",
    "total_seats": "sum(seats)",
    "max_seats": "max(seats)",
    "models": "count(DISTINCT model)",
    "manufacturers": "count(DISTINCT manufacturer)",
    "oldest": "min(year_built)",
}


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name, path in data_files().items():
            connection.execute(f"CREATE VIEW {name} AS FROM '{path}'")
        yield connection


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    layer = SemanticLayer(load_model(model_folder()), DuckDBEngine.open(None, data=data_files()))
    yield layer
    layer.close()


def user(*groups: str, **attributes: object) -> SecurityContext:
    return SecurityContext(user="ana", groups=frozenset(groups), user_attributes=attributes)


def answers(layer, sql: str, context: SecurityContext = OPERATOR) -> list[tuple]:
    table = layer.query(context, sql).table
    return [tuple(row.values()) for row in table.to_pylist()]


def same(got: list[tuple], expected: list[tuple]) -> None:
    assert len(got) == len(expected)
    for left, right in zip(sorted(got, key=repr), sorted(expected, key=repr), strict=True):
        assert [pytest.approx(v) if isinstance(v, float) else v for v in right] == list(left)


def test_the_model_has_no_findings():
    assert check_model(model_folder()) == []


@pytest.mark.parametrize("measure", FLIGHT_MEASURES)
def test_every_measure_of_flights(layer, plain, measure):
    asked = f"SELECT origin, MEASURE({measure}) FROM flights GROUP BY 1"
    expected = f"SELECT f.origin, {FLIGHT_MEASURES[measure]} FROM {JOINED} GROUP BY 1"
    same(answers(layer, asked), plain.sql(expected).fetchall())


@pytest.mark.parametrize("measure", WEATHER_MEASURES)
def test_every_measure_of_weather(layer, plain, measure):
    asked = f"SELECT origin, MEASURE({measure}) FROM weather GROUP BY 1"
    same(
        answers(layer, asked),
        plain.sql(f"SELECT origin, {WEATHER_MEASURES[measure]} FROM weather GROUP BY 1").fetchall(),
    )


@pytest.mark.parametrize("measure", FLEET_MEASURES)
def test_every_measure_of_the_fleet(layer, plain, measure):
    asked = f"SELECT engine, MEASURE({measure}) FROM fleet GROUP BY 1"
    same(
        answers(layer, asked), plain.sql(f"SELECT engine, {FLEET_MEASURES[measure]} FROM planes GROUP BY 1").fetchall()
    )


def test_there_is_no_measure_without_a_check(layer):
    catalog = layer.catalog(OPERATOR)
    known = {"flights": FLIGHT_MEASURES, "weather": WEATHER_MEASURES, "fleet": FLEET_MEASURES}
    for view, measures in known.items():
        names = {m.name for m in catalog.relations[view].members.values() if m.kind == "measure"}
        assert names == measures.keys()


@pytest.mark.parametrize(
    "dimension,sql",
    [
        ("airline", "name"),
        ("weekday", "dayname(scheduled_departure)"),
        ("hour_of_day", "extract(hour FROM scheduled_departure)"),
        ("date_trunc('month', scheduled_departure)", "date_trunc('month', scheduled_departure)"),
        ("route", "f.origin || '–' || destination"),
        ("manufacturer", "manufacturer"),
        ("conditions", "CASE WHEN precipitation > 0 THEN 'wet' WHEN precipitation = 0 THEN 'dry' ELSE 'unknown' END"),
        (
            "status",
            f"CASE WHEN NOT ({FLOWN}) THEN 'cancelled' WHEN arrival_delay IS NULL THEN 'diverted' ELSE 'flown' END",
        ),
    ],
)
def test_flights_by_every_kind_of_dimension(layer, plain, dimension, sql):
    got = answers(layer, f"SELECT {dimension}, MEASURE(count), MEASURE(seats_offered) FROM flights GROUP BY 1")
    expected = f"SELECT {sql}, count(*), sum(p.seats) FILTER (WHERE {FLOWN}) FROM {JOINED} GROUP BY 1"
    same(
        [(str(key), *rest) for key, *rest in got], [(str(key), *rest) for key, *rest in plain.sql(expected).fetchall()]
    )


@pytest.mark.parametrize(
    "segment,sql",
    [("cancelled", f"NOT ({FLOWN})"), ("delayed", "departure_delay > 15"), ("long_haul", "distance >= 1500")],
)
def test_segments(layer, plain, segment, sql):
    same(
        answers(layer, f"SELECT MEASURE(count) FROM flights WHERE {segment}"),
        plain.sql(f"SELECT count(*) FROM flights WHERE {sql}").fetchall(),
    )


# --- who sees what ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "context,permitted",
    [
        (user(carrier=["DL"]), "carrier = 'DL'"),
        (user(carrier=["DL", "UA"]), "carrier IN ('DL', 'UA')"),
        (user(carrier=[]), "false"),
        (user(carrier=None), "false"),
        (user(), "false"),
        (user("airlines", carrier=["HA"]), "carrier = 'HA'"),
        (user("stations", origin=["JFK"]), "origin = 'JFK'"),
        (user("stations", carrier=["DL"], origin=["JFK"]), "carrier = 'DL' OR origin = 'JFK'"),
        (user("stations"), "false"),
        (user(origin=["JFK"]), "false"),
        (user("operations"), "true"),
    ],
)
def test_each_user_sees_the_permitted_flights_and_no_others(layer, plain, context, permitted):
    asked = "SELECT carrier, origin, MEASURE(count), MEASURE(planes_used) FROM flights GROUP BY 1, 2"
    expected = f"""SELECT carrier, origin, count(*), count(DISTINCT tail_number) FROM flights WHERE {permitted}
                   GROUP BY 1, 2"""
    same(answers(layer, asked, context), plain.sql(expected).fetchall())


def test_a_missing_attribute_is_told(layer):
    result = layer.query(user(), "SELECT MEASURE(count) FROM flights")
    assert any("carrier" in note for note in result.notes)


def test_suggested_values_are_those_of_permitted_rows(layer):
    assert layer.values(user(carrier=["DL", "HA"]), "flights.airline") == [
        "Delta Air Lines Inc.",
        "Hawaiian Airlines Inc.",
    ]
    assert layer.values(user(), "flights.airline") == []


@pytest.mark.parametrize("view", ["flights", "fleet"])
def test_tail_numbers_are_for_the_operators_own_staff(layer, view):
    assert "tail_number" in layer.catalog(user("operations")).relations[view].members
    outside = user(carrier=["DL"])
    assert "tail_number" not in layer.catalog(outside).relations[view].members
    with pytest.raises(UnknownMember):
        layer.query(outside, f"SELECT tail_number FROM {view}")
