"""``which month was the coldest?`` after average temperatures by month is of these months, by what was shown of them."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_what_people_go_on_with import sql


@pytest.mark.parametrize(
    ("turns", "number", "kept", "order"),
    [
        (["average temperature at JFK by month", "which month was the coldest?"], "avg_temperature", "JFK", "ORDER BY 2, 1 LIMIT 1"),
        (["What is the average wind speed at LGA by month?", "and what month was the windiest"], "avg_wind_speed", "LGA", "2 DESC"),
    ],
)  # fmt: skip
def test_the_extreme_is_one_of_what_was_shown(turns: list[str], number: str, kept: str, order: str) -> None:
    said = str(ask(worlds.flights(), *turns).tool["input"]["sqlQuery"])
    assert f'MEASURE("{number}")' in said and kept in said and order in said and "LIMIT 1" in said


def test_it_is_so_of_other_tables() -> None:
    said = sql("average fuel cost in 2024 by deck", "which deck was the cheapest?")
    assert '"deck"' in said and "2024-01-01" in said and "LIMIT 1" in said and "DESC" not in said
