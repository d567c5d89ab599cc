"""What ``init`` makes of columns whose values say more than their types."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.scaffold import scaffold_model

DAYS = pd.date_range("2024-01-01", periods=80)


def dimensions(**columns: Any) -> dict[str, dict[str, Any]]:
    model = scaffold_model({"sales": pd.DataFrame(columns)})
    return {each["name"]: each for each in model["cubes"][0]["dimensions"]}


def kind(values: Any, name: str = "value") -> str:
    made = dimensions(**{"day": DAYS.repeat(2), name: values})
    return str(next(each for key, each in made.items() if key != "day").get("meta", {}).get("kind", ""))


def test_numbers_without_gaps_that_begin_high_name_things() -> None:
    bons = [number for number in range(40_211, 40_291) for _ in range(2)]
    assert kind(bons, "bon") == kind(bons, "receipts") == "id"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bon", [number * 3 for number in range(40_211, 40_291) for _ in range(2)]),  # with gaps
        ("bon", [number for number in range(80) for _ in range(2)]),  # from nought
        ("pressure", [number for number in range(1_000, 1_080) for _ in range(2)]),  # a level, by its name
    ],
)
def test_other_numbers_are_numbers(name: str, values: list[int]) -> None:
    assert kind(values, name) != "id"


@pytest.mark.parametrize(("name", "expected"), [("review_date", "year"), ("released", "year"), ("pressure", "level")])
def test_whole_years_under_the_name_of_a_date_are_years(name: str, expected: str) -> None:
    assert kind([*range(1990, 2020), *range(1990, 2000)] * 4, name) == expected


def test_a_first_column_of_references_identifies_the_rows() -> None:
    made = dimensions(REF=range(100, 420, 4), maker=["Soma", "Taza"] * 40)
    assert made["ref"]["primary_key"]


@pytest.mark.parametrize(("name", "expected"), [("Receipt #", "id"), ("# items", "quantity")])
def test_a_sign_for_number_is_read(name: str, expected: str) -> None:
    assert kind([7, 9] * 80, name) == expected


TIMES = ["08:15", "17:40"] * 40


@pytest.mark.parametrize(
    ("day", "clock", "values"),
    [
        ("Sale Date", "Time", TIMES),
        ("sold_on", "sold_time", TIMES),
        ("date", "time of day", TIMES),
        ("date", "time", pd.to_datetime(TIMES, format="%H:%M").time),
    ],
)
def test_a_day_takes_the_time_of_day_beside_it(day: str, clock: str, values: Any) -> None:
    made = next(iter(dimensions(**{day: DAYS, clock: values}).values()))
    assert made["type"] == "time" and "AS TIME)" in made["sql"]


@pytest.mark.parametrize(
    "columns",
    [
        {"sold": DAYS, "time": ["morning", "noon"] * 40},
        {"sold": DAYS, "shipped": DAYS, "time": TIMES},  # of which of the two
        {"sold": DAYS + pd.Timedelta(hours=3), "time": TIMES},
        {"sold": DAYS, "time": [None, *TIMES[1:]]},
        {"sold": DAYS, "delivery_time": TIMES},
    ],
)
def test_a_time_of_day_of_no_one_day_stays_by_itself(columns: dict[str, Any]) -> None:
    assert not any("AS TIME)" in each["sql"] for each in dimensions(**columns).values())
