"""The demo's questions give the numbers that plain SQL on the Parquet files gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import duckdb
import pytest
import worlds
from asking import ask

from svc_notebook.demo import data_files

MONTH = "date_trunc('month', scheduled_departure)"


def plain(sql: str) -> list[tuple[Any, ...]]:
    files = {name: str(path) for name, path in data_files().items()}
    with duckdb.connect() as connection:
        for name, path in files.items():
            connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{path}')")
        return connection.execute(sql).fetchall()


def same(got: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    def tidy(rows: list[tuple[Any, ...]]) -> list[str]:
        return sorted(
            repr(tuple(round(float(v), 6) if isinstance(v, (int, float)) else str(v) for v in row)) for row in rows
        )

    return tidy(got) == tidy(wanted)


@pytest.mark.parametrize(
    ("questions", "sql"),
    [
        (["how many flights were there"], "SELECT count(*) FROM flights"),
        (["average arrival delay by carrier"], "SELECT carrier, avg(arrival_delay) FROM flights GROUP BY 1"),
        (["flights per month by origin"], f"SELECT origin, {MONTH}, count(*) FROM flights GROUP BY 1, 2"),
        (["top 10 destinations by number of flights"], "SELECT destination, count(*) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 10"),
        (["percentage of flights on time by origin"], "SELECT origin, avg(CASE WHEN arrival_delay <= 15 THEN 1.0 ELSE 0.0 END) FILTER (WHERE arrival_delay IS NOT NULL) FROM flights GROUP BY 1"),
        (["share of cancelled flights by month"], f"SELECT {MONTH}, avg(CASE WHEN departure_delay IS NULL THEN 1.0 ELSE 0.0 END) FROM flights GROUP BY 1"),
        (
            ["which airline has the worst departure delay in December"],
            "SELECT a.name, avg(departure_delay) FROM flights JOIN airlines a USING (carrier) WHERE month(scheduled_departure) = 12 GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (["what share of cancelled flights was from JFK"], "SELECT avg((origin = 'JFK')::INT) FROM flights WHERE departure_delay IS NULL"),
        (["what share of the delayed flights are United's"], "SELECT avg((carrier = 'UA')::INT) FROM flights WHERE departure_delay > 15"),
        (
            ["what share of flights out of JFK is delayed by more than an hour"],
            "SELECT avg((coalesce(departure_delay, 0) > 60)::INT) FROM flights WHERE origin = 'JFK'",
        ),
        (
            ["what fraction of Delta flights out of LaGuardia in winter were cancelled"],
            "SELECT avg((departure_delay IS NULL)::INT) FROM flights WHERE carrier = 'DL' AND origin = 'LGA' AND month(scheduled_departure) IN (12, 1, 2)",
        ),
        (
            ["how many flights from LaGuardia to Chicago", "number of flights from LaGuardia to Chicago"],
            "SELECT count(*) FROM flights WHERE origin = 'LGA' AND destination IN ('ORD', 'MDW')",
        ),
        (
            ["average delay of Boeing planes by month"],
            f"SELECT {MONTH}, avg(departure_delay) FROM flights JOIN planes USING (tail_number) WHERE manufacturer = 'BOEING' GROUP BY 1",
        ),
        (
            ["how many flights used Airbus planes"],
            "SELECT count(*) FROM flights JOIN planes USING (tail_number) WHERE manufacturer = 'AIRBUS'",
        ),
        (
            ["how many flights had unknown tail numbers", "how many flights had a missing tail number"],
            "SELECT count(*) FROM flights WHERE tail_number IS NULL",
        ),
        (
            ["how many flights to Boston were on time"],
            "SELECT count(*) FROM flights WHERE destination = 'BOS' AND arrival_delay <= 15",
        ),
        (["which manufacturer has the most planes"], "SELECT manufacturer, count(*) FROM planes GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        (["second busiest route"], "SELECT origin || '–' || destination, count(*) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 1 OFFSET 1"),
        (["compare the airlines"], "SELECT a.name, count(*) FROM flights JOIN airlines a USING (carrier) GROUP BY 1"),
        (["how windy was it in March at JFK"], "SELECT avg(wind_speed) FROM weather WHERE month(observed_at) = 3 AND origin = 'JFK'"),
        (["flights over 2 hours", "how many flights lasted over 2 hours"], "SELECT count(*) FROM flights WHERE air_time > 120"),
        (["delays over 2 hours", "how many flights had delays over 2 hours"], "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        (["how many flights were over 2 hours late"], "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        (["how many seats does the average plane have"], "SELECT avg(seats) FROM planes"),
        (
            ["who flies more to San Francisco, United or Delta"],
            "SELECT a.name, count(*) FROM flights JOIN airlines a USING (carrier) WHERE destination = 'SFO' AND carrier IN ('UA', 'DL') GROUP BY 1",
        ),
        (
            ["average delay of flights to Boston in the morning"],
            "SELECT avg(departure_delay) FROM flights WHERE destination = 'BOS' AND hour(scheduled_departure) BETWEEN 6 AND 11",
        ),
        (["show me the 10 most delayed flights"], "SELECT flight_number::VARCHAR, departure_delay FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 10"),
        (["flights with the longest air time"], "SELECT flight_number::VARCHAR, air_time FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 10"),
        (["days with most cancellations"], "SELECT date_trunc('day', scheduled_departure), count(*) FROM flights WHERE departure_delay IS NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        (["average delay per month name"], "SELECT month(scheduled_departure), avg(departure_delay) FROM flights GROUP BY 1"),
        (["average temperature by airport"], "SELECT origin, avg(temperature) FROM weather GROUP BY 1"),
        (["planes by manufacturer and engine type"], "SELECT manufacturer, engine, count(*) FROM planes GROUP BY 1, 2"),
        (["how many flights to houston"], "SELECT count(*) FROM flights WHERE destination IN ('IAH', 'HOU')"),
        (["flights to Las Vegas by airline"], "SELECT a.name, count(*) FROM flights JOIN airlines a USING (carrier) WHERE destination = 'LAS' GROUP BY 1"),
        (["which airlines only fly from JFK"], "SELECT a.name FROM flights f JOIN airlines a ON f.carrier = a.carrier GROUP BY 1 HAVING bool_and(f.origin = 'JFK')"),
        (["compare JFK and LGA by average delay"], "SELECT origin, avg(departure_delay) FROM flights WHERE origin IN ('JFK', 'LGA') GROUP BY 1"),
        (["flights with more than 2 hours departure delay"], "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        (["flights with more than 2 hours of departure delay"], "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        (["how many flights had over 2 hours arrival delay"], "SELECT count(*) FROM flights WHERE arrival_delay > 120"),
        (
            ["flights with more than 2 hours departure delay by hour of day"],
            "SELECT hour(scheduled_departure), count(*) FROM flights WHERE departure_delay > 120 GROUP BY 1",
        ),
        (
            ["flights with more than 2 hours departure delay by hour of day", "only Delta"],
            "SELECT hour(scheduled_departure), count(*) FROM flights WHERE departure_delay > 120 AND carrier = 'DL' GROUP BY 1",
        ),
        (
            ["flights with more than 2 hours departure delay by hour of day", "only Delta", "now by week"],
            "SELECT date_trunc('week', scheduled_departure), count(*) FROM flights WHERE departure_delay > 120 AND carrier = 'DL' GROUP BY 1",
        ),
        (["median arrival delay for flights over 2000 miles"], "SELECT median(arrival_delay) FROM flights WHERE distance > 2000"),
        (
            ["average arrival delay of flights over 2000 miles by airline"],
            "SELECT a.name, avg(arrival_delay) FROM flights JOIN airlines a USING (carrier) WHERE distance > 2000 GROUP BY 1",
        ),
        (
            ["airlines with average air time over 3 hours"],
            "SELECT a.name, avg(air_time) FROM flights JOIN airlines a USING (carrier) GROUP BY 1 HAVING avg(air_time) > 180",
        ),
        (["average air time of flights over 5 hours"], "SELECT avg(air_time) FROM flights WHERE air_time > 300"),
        (["flights with over 2 hours of delay"], "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        (["flights with over 2 hours delay"], "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        (
            ["flights with a delay of more than 2 hours by airline"],
            "SELECT a.name, count(*) FROM flights JOIN airlines a USING (carrier) WHERE departure_delay > 120 GROUP BY 1",
        ),
        (["longest flight in hours"], "SELECT flight_number::VARCHAR, air_time / 60 FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 1"),
        (["total distance in km by origin"], "SELECT origin, sum(distance) * 1.609344 FROM flights GROUP BY 1"),
        (
            ["how many flights had wind over 30 mph"],
            "SELECT count(*) FROM flights JOIN weather USING (origin, hour_utc) WHERE wind_speed > 30",
        ),
        (
            ["what share of delta's flights left more than 15 minutes late"],
            "SELECT avg((coalesce(departure_delay, 0) > 15)::INT) FROM flights WHERE carrier = 'DL'",
        ),
        (
            ["share of united flights with departure delay over 60"],
            "SELECT avg((coalesce(departure_delay, 0) > 60)::INT) FROM flights WHERE carrier = 'UA'",
        ),
        (["share of delta flights"], "SELECT avg((carrier = 'DL')::INT) FROM flights"),
        (
            ["compare cancellations between jfk and laguardia by month"],
            f"SELECT CASE origin WHEN 'JFK' THEN 'John F Kennedy Intl' ELSE 'La Guardia' END, {MONTH}, count(*) FROM flights WHERE origin IN ('JFK', 'LGA') AND departure_delay IS NULL GROUP BY 1, 2",
        ),
        (
            ["flights from jfk and newark by month"],
            f"SELECT {MONTH}, CASE origin WHEN 'JFK' THEN 'John F Kennedy Intl' ELSE 'Newark Liberty Intl' END, count(*) FROM flights WHERE origin IN ('JFK', 'EWR') GROUP BY 1, 2",
        ),
        (["cancelled flights from jfk, newark and laguardia"], "SELECT count(*) FROM flights WHERE departure_delay IS NULL"),
        (["flights to boston or ord from jfk"], "SELECT count(*) FROM flights WHERE destination IN ('BOS', 'ORD') AND origin = 'JFK'"),
        (
            ["average delay for UA and delta"],
            "SELECT a.name, avg(departure_delay) FROM flights JOIN airlines a USING (carrier) WHERE carrier IN ('UA', 'DL') GROUP BY 1",
        ),
        (["average seats of the planes"], "SELECT avg(seats) FROM planes"),
        (["how many seats do boeing planes have on average"], "SELECT avg(seats) FROM planes WHERE manufacturer = 'BOEING'"),
        (
            ["which destinations have no flights in december"],
            "SELECT destination FROM flights GROUP BY 1 HAVING count(*) FILTER (WHERE month(scheduled_departure) = 12) = 0",
        ),
        (
            ["in which months was there no flight to anchorage"],
            f"SELECT {MONTH} FROM flights GROUP BY 1 HAVING count(*) FILTER (WHERE destination = 'ANC') = 0",
        ),
        (
            ["is it colder at jfk or at newark"],
            "SELECT lower(CASE origin WHEN 'JFK' THEN 'jfk' ELSE 'newark' END), avg(temperature) FROM flights LEFT JOIN weather USING (origin, hour_utc) WHERE origin IN ('JFK', 'EWR') GROUP BY 1",
        ),
        (
            ["is united or delta later"],
            "SELECT a.name, avg(departure_delay) FROM flights JOIN airlines a USING (carrier) WHERE carrier IN ('UA', 'DL') GROUP BY 1",
        ),
        (["which airport is the coldest"], "SELECT origin, min(temperature) FROM weather GROUP BY 1 ORDER BY 2 LIMIT 1"),
        (["coldest airport on average"], "SELECT origin, avg(temperature) FROM weather GROUP BY 1 ORDER BY 2 LIMIT 1"),
        (["which airlines fly to boston"], "SELECT DISTINCT a.name FROM flights JOIN airlines a USING (carrier) WHERE destination = 'BOS'"),
        (
            ["which airlines flew to LAX in may"],
            "SELECT DISTINCT a.name FROM flights JOIN airlines a USING (carrier) WHERE destination = 'LAX' AND month(scheduled_departure) = 5",
        ),
        (["which destinations does hawaiian airlines fly to"], "SELECT DISTINCT destination FROM flights WHERE carrier = 'HA'"),
        (
            ["which manufacturers built the planes of hawaiian airlines"],
            "SELECT DISTINCT manufacturer FROM flights LEFT JOIN planes USING (tail_number) WHERE carrier = 'HA'",
        ),
        (["how many airports do we fly to"], "SELECT count(DISTINCT destination) FROM flights"),
        (["how many airports does delta fly to"], "SELECT count(DISTINCT destination) FROM flights WHERE carrier = 'DL'"),
        (
            ["the 10 longest flights with airline and destination"],
            "SELECT flight_number::VARCHAR, air_time, a.name, destination FROM flights JOIN airlines a USING (carrier) ORDER BY 2 DESC NULLS LAST LIMIT 10",
        ),
        (
            ["the 5 most delayed flights, with carrier"],
            "SELECT flight_number::VARCHAR, departure_delay, carrier FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 5",
        ),
        (
            ["is jetblue worse than delta for delays"],
            "SELECT a.name, avg(departure_delay) FROM flights JOIN airlines a USING (carrier) WHERE carrier IN ('B6', 'DL') GROUP BY 1",
        ),
        (
            ["are mondays worse than fridays for delays"],
            "SELECT CASE isodow(scheduled_departure) WHEN 1 THEN 'mondays' ELSE 'fridays' END, avg(departure_delay) FROM flights WHERE isodow(scheduled_departure) IN (1, 5) GROUP BY 1",
        ),
        (
            ["are cancellations worse in winter than in summer"],
            "SELECT CASE WHEN month(scheduled_departure) IN (12, 1, 2) THEN 'winter' ELSE 'summer' END, avg((departure_delay IS NULL)::INT) FROM flights WHERE month(scheduled_departure) IN (12, 1, 2, 6, 7, 8) GROUP BY 1",
        ),
    ],
)  # fmt: skip
def test_the_numbers_are_those_of_plain_sql(questions: list[str], sql: str) -> None:
    asked = ask(worlds.flights(), *questions)
    assert same(asked.rows(), plain(sql)), asked.tool["input"]["sqlQuery"]


def test_what_is_only_served_from_one_place() -> None:
    # What else it may be read as is as long as there is time to look: nothing to hold from one run to the next.
    asked = ask(replace(worlds.flights(), name=None), "which destinations are only served from Newark")
    assert same(asked.rows(), plain("SELECT destination FROM flights GROUP BY 1 HAVING bool_and(origin = 'EWR')"))


@pytest.mark.parametrize("question", ["how many flights in hours", "average temperature in days"])
def test_what_has_no_such_unit_is_not_answered_in_another(question: str) -> None:
    assert not ask(worlds.flights(), question).tool


def test_the_order_of_a_top_list_is_the_measures() -> None:
    rows = ask(worlds.flights(), "top 10 destinations by number of flights").rows()
    counts = [row[1] for row in rows]
    assert counts == sorted(counts, reverse=True)


def test_every_number_of_the_answer_is_in_the_result() -> None:
    asked = ask(worlds.flights(), "flights by origin")
    said = asked.answer.text.replace(",", "")
    for _, count in asked.rows()[:1]:
        assert str(max(row[1] for row in asked.rows())) in said
        assert isinstance(count, int)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many flights were cancelled", "SELECT count(*) FROM flights WHERE departure_delay IS NULL"),
        (
            "flights per day",
            "SELECT date_trunc('day', scheduled_departure), count(*) FROM flights GROUP BY 1",
        ),
        (
            "average number of flights per day by carrier",
            (
                "SELECT carrier, avg(n) FROM (SELECT carrier, date_trunc('day', scheduled_departure) AS d, count(*) AS n "
                "FROM flights GROUP BY 1, 2) GROUP BY 1"
            ),
        ),
    ],
)
def test_words_are_not_dropped(question: str, sql: str) -> None:
    asked = ask(worlds.flights(), question)
    assert same(asked.rows(), plain(sql)), asked.tool["input"]["sqlQuery"]


def test_a_question_that_stands_alone_inherits_no_filter() -> None:
    asked = ask(worlds.flights(), "flights by carrier", "only March", "how many flights were there")
    assert asked.rows() == [(336776,)]


def test_a_measure_is_not_silently_aggregated_another_way() -> None:
    assert "average" in ask(worlds.flights(), "average number of flights by carrier").answer.text.lower()


@pytest.mark.parametrize(
    ("question", "delay"),
    [
        ("flights that arrived more than an hour late by airline", "arrival_delay"),
        ("flights that departed more than an hour late by airline", "departure_delay"),
    ],
)
def test_how_late_something_was_done_is_its_delay(question: str, delay: str) -> None:
    sql = ask(worlds.flights(), question).tool["input"]["sqlQuery"]
    assert f'"{delay}" > 60' in sql and "GROUP BY" in sql and "delayed" not in sql


@pytest.mark.parametrize(
    "question", ["what's the average speed of planes by manufacturer", "average air speed by plane"]
)
def test_what_is_averaged_is_no_other_number(question: str) -> None:
    assert not ask(worlds.flights(), question).tool  # there is a wind's speed, a year built, a time in the air


@pytest.mark.parametrize(
    ("question", "pair"),
    [
        ("how does wind affect departure delays", "wind speed and departure delay"),
        ("does rain cause delays", "precipitation and departure delay"),
        ("effect of visibility on arrival delay", "visibility and arrival delay"),
        ("what impact does temperature have on delays", "temperature and departure delay"),
    ],
)
def test_what_affects_what_is_a_relation_of_two_numbers_of_flights(question: str, pair: str) -> None:
    assert f"is the correlation of {pair}" in ask(worlds.flights(), question).answer.text


def test_rows_that_are_ranked_are_told_by_the_first_of_them() -> None:
    told = ask(worlds.flights(), "the 10 flights with the worst arrival delay").answer.text
    assert told.startswith(
        "**Flight number 51** has the highest arrival delay: **1,272 minutes**, before Flight number 3535 (1,127 minutes)"
    )
    alike = ask(worlds.flights(), "top 5 flights by distance").answer.text  # all of them 4,983 miles
    assert alike.startswith("**5 rows** have the highest distance: **4,983 miles** each.")
