"""Peak hours, the most in one day, how somebody is doing, how far a number of rows called like it is spread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from test_asked_by_visitors import coaches

import svc_notebook as svc


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded({"departures": coaches()}) as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.fixture(scope="module")
def demo() -> Iterator[Any]:
    with svc.demo() as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return coaches()


@pytest.mark.parametrize("question", ["what are the peak hours", "what is the peak hour"])
def test_peak_hours_have_most_rows(asked: Any, rows: pd.DataFrame, question: str) -> None:
    found = asked(question).result.to_frame()
    assert found.iloc[0, 1] == rows.left_at.dt.hour.value_counts().max()


@pytest.mark.parametrize(
    ("question", "unit", "end"),
    [
        ("what is the maximum number of departures in a day", "D", "max"),
        ("highest number of departures per month", "MS", "max"),
        ("lowest number of departures in a month", "MS", "min"),
    ],
)
def test_the_most_in_a_unit_is_of_one_unit(asked: Any, rows: pd.DataFrame, question: str, unit: str, end: str) -> None:
    found = asked(question).result.to_frame()
    counts = rows.set_index("left_at").resample(unit).size()
    assert found.shape == (1, 2)
    assert found.iloc[0, 1] == counts[counts > 0].agg(end)


def test_how_somebody_is_doing_is_told_in_figures(asked: Any, rows: pd.DataFrame) -> None:
    assert f"{(rows.operator == 'Vy').sum():,}" in asked("how is Vy doing").text


@pytest.mark.parametrize("question", ["boxplot of delays by airline", "box plot of delay by airline"])
def test_a_box_plot_is_of_the_number_that_rows_are_called_by(demo: Any, question: str) -> None:
    found = demo(question).result.to_frame()
    assert {"q1", "median", "q3"} <= set(found.columns)
    assert len(found) == 16


@pytest.mark.parametrize("question", ["distribution of delays", "histogram of delay"])
def test_a_distribution_is_of_that_number_too(demo: Any, question: str) -> None:
    assert "departure delay" in demo(question).text


def test_rain_that_fell_is_no_change(demo: Any) -> None:
    found = demo("how much rain fell in June").result.to_frame()
    assert found.shape == (1, 1)
    assert found.iloc[0, 0] == pytest.approx(24.84)


def test_which_kinds_are_told_once(demo: Any) -> None:
    found = demo("which destinations are closer than 100 miles").result.to_frame()
    assert sorted(found.iloc[:, 0]) == ["LGA", "PHL"]


def test_a_place_of_all_events_is_not_of_all_else(demo: Any) -> None:
    assert demo("flights in New York").result.to_frame().iloc[0, 0] == 336776
    assert demo("airports in New York").result is None  # the list has airports elsewhere, and no cities


@pytest.mark.parametrize("question", ["list all airlines", "list airlines", "show all airlines"])
def test_what_is_listed_is_no_list(demo: Any, question: str) -> None:
    assert len(demo(question).result.to_frame()) == 16


@pytest.mark.parametrize("question", ["average seats by airline", "average number of seats per airline"])
def test_an_average_is_no_sum(demo: Any, question: str) -> None:
    answer = demo(question)
    assert answer.result is None or "seats_offered" not in answer.sql


def test_each_value_of_a_number_is_a_group(demo: Any) -> None:
    assert len(demo("average delay for each visibility").result.to_frame()) > 10


@pytest.mark.parametrize("day", ["Thanksgiving", "Christmas"])
def test_the_week_of_a_day_is_a_week(demo: Any, day: str) -> None:
    found = demo(f"flights per day in {day} week").result.to_frame()
    assert len(found) == 7


@pytest.mark.parametrize(
    ("question", "many", "by"),
    [("top 10 windiest days", 10, "wind_speed"), ("top 3 hottest months", 3, "temperature")],
)
def test_the_most_so_of_days(demo: Any, question: str, many: int, by: str) -> None:
    answer = demo(question)
    assert len(answer.result.to_frame()) == many
    assert by in answer.sql


@pytest.mark.parametrize(
    "question", ["delays when it rains vs when it doesn't", "delays when it rained vs when it didn't"]
)
def test_rain_and_no_rain_are_two_sides(demo: Any, question: str) -> None:
    assert len(demo(question).result.to_frame()) == 2
