"""Rows that are measurements: what they measure is meant where values alone are named, and what they cost is computed."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

MONTHS = pd.date_range("2022-01-01", periods=24, freq="MS")
METERS = pd.DataFrame({
    "meter_id": [1, 2, 3, 4, 5],
    "building": ["Mill", "Mill", "Barn", "Barn", "Forge"],
    "fuel": ["gas", "power", "gas", "power", "power"],
    "installed": pd.to_datetime(["2010-02-01", "2011-03-01", "2012-04-01", "2013-05-01", "2014-06-01"]),
})  # fmt: skip
READINGS = pd.DataFrame([
    {"meter_id": meter, "month": month, "consumption": 100 * meter + place, "unit_price": 0.5 if meter % 2 else 0.25}
    for meter in METERS["meter_id"]
    for place, month in enumerate(MONTHS)
])  # fmt: skip
READ = READINGS.merge(METERS)
RAIN = pd.DataFrame([
    {"day": day, "station": station, "rainfall_mm": (7 * place + 3 * number) % 11}
    for place, day in enumerate(pd.date_range("2024-03-01", periods=60))
    for number, station in enumerate(["Cliff", "Harbour", "Meadow"])
])  # fmt: skip


@pytest.fixture(scope="module")
def energy() -> Iterator[svc.Client]:
    with svc.embedded(data={"meters": METERS, "readings": READINGS}) as opened:
        yield opened


@pytest.fixture(scope="module")
def weather() -> Iterator[svc.Client]:
    with svc.embedded(data={"weather": RAIN}) as opened:
        yield opened


def numbers(client: svc.Client, question: str) -> list[float]:
    answer = client.chat().ask(question)
    assert answer.df is not None, answer.text
    return [float(n) for n in answer.df.iloc[:, -1]]


@pytest.mark.parametrize("question", ["gas vs power", "power against gas", "compare gas and power"])
def test_values_set_against_each_other_are_of_what_is_measured(energy: svc.Client, question: str) -> None:
    assert sorted(numbers(energy, question)) == sorted(READ.groupby("fuel").consumption.sum())


@pytest.mark.parametrize("question", ["power per building", "power by building", "power for each building"])
def test_a_value_by_group_adds_up_what_is_measured(energy: svc.Client, question: str) -> None:
    expected = READ[READ.fuel == "power"].groupby("building").consumption.sum()
    assert sorted(numbers(energy, question)) == sorted(expected)


def test_times_are_those_of_the_measurements(energy: svc.Client) -> None:
    expected = READ[(READ.fuel == "gas") & (READ.month.dt.year == 2023)].consumption.sum()
    assert numbers(energy, "gas in 2023") == [expected]
    assert len(numbers(energy, "gas by quarter")) == 8


def test_who_uses_the_most_of_a_value(energy: svc.Client) -> None:
    chat = energy.chat()
    asked = chat.ask("which building uses the most power")
    answer = asked if asked.df is not None else chat.ask("yes")  # it may ask whether that is meant
    assert answer.df is not None and answer.df.iloc[0, 0] == "Forge"


@pytest.mark.parametrize(
    ("question", "count"), [("how many gas meters", 2), ("number of meters for power", 3), ("gas meters in total", 2)]
)
def test_what_is_counted_is_counted(energy: svc.Client, question: str, count: int) -> None:
    assert numbers(energy, question) == [count]


@pytest.mark.parametrize("question", ["Harbour per month", "Harbour by month", "monthly for Harbour"])
def test_one_table_of_measurements(weather: svc.Client, question: str) -> None:
    harbour = RAIN[RAIN.station == "Harbour"]
    assert numbers(weather, question) == list(harbour.groupby(harbour.day.dt.month).rainfall_mm.sum())


@pytest.mark.parametrize("question", ["total cost by building", "spending by building", "cost per building"])
def test_what_was_used_costs_its_unit_price(energy: svc.Client, question: str) -> None:
    expected = (READ.consumption * READ.unit_price).groupby(READ.building).sum()
    assert sorted(numbers(energy, question)) == pytest.approx(sorted(expected))


def test_rows_of_events_are_counted() -> None:
    loans = pd.DataFrame({
        "borrowed": pd.date_range("2024-01-01", periods=40, freq="31h"),
        "branch": ["East", "West", "West", "North"] * 10,
        "fine": [0.0, 1.5, 0.0, 2.0] * 10,
    })  # fmt: skip
    with svc.embedded(data={"loans": loans}) as client:
        assert sorted(numbers(client, "East vs West")) == [10, 20]
