"""Answers as a person would publish them: the number that rows are ranked by, sums along time, periods that are cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

DAYS = pd.date_range("2024-01-01", "2025-02-28", freq="D")
SALES = pd.DataFrame({
    "sale_id": range(1, len(DAYS) + 1),
    "sold_at": DAYS,
    "shop": [("Faro", "Porto", "Braga")[n % 3] for n in range(len(DAYS))],
    "latitude": [(37.0, 41.1, 41.5)[n % 3] for n in range(len(DAYS))],
    "longitude": [(-7.9, -8.6, -8.4)[n % 3] for n in range(len(DAYS))],
    "amount_eur": [10_000.0 if day.year == 2024 else 12_000.0 for day in DAYS],
    "price_eur": [9.5 if n in (40, 50) else 5.0 + n % 4 for n in range(len(DAYS))],
})  # fmt: skip


@pytest.fixture(scope="module")
def ask() -> Callable[[str], Any]:
    client = svc.embedded({"sales": SALES})
    return lambda question: client.chat().ask(question)


def test_rows_are_told_by_the_number_they_are_ranked_by(ask: Callable[[str], Any]) -> None:
    said = ask("list the 5 most expensive sales").text.replace("*", "")
    assert "Sale id 41 and Sale id 51 have the highest price: €9.50 each, before Sale id " in said


def test_years_are_early_and_late_and_counts_are_most() -> None:
    chat = svc.demo().chat()
    answer = chat.ask("which planes are the oldest?")
    assert answer.text.startswith("**N381AA** has the earliest year built: **1956**")
    assert (
        chat.ask("which airline had the most delayed flights?").result.title == "Airline with the most delayed flights"
    )


def test_a_running_total_is_told_by_what_it_comes_to(ask: Callable[[str], Any]) -> None:
    answer = ask("running total of amount by month")
    assert "comes to **€4,368,000** in February 2025, from €310,000 in January 2024" in answer.text
    assert "Half of that was reached in **August 2024**" in answer.text and "Highest" not in answer.text
    assert "(EUR)" in str(answer.result.vega_spec)


def test_periods_of_which_one_is_cut_are_compared_per_day(ask: Callable[[str], Any]) -> None:
    answer = ask("how did the amount change from 2024 to 2025?")
    told = answer.text.replace("*", "")
    cut, per_day = told.index("2025 is not complete"), told.index("Per day that is €10,000 in 2024, €12,000 in 2025")
    assert told.index("fell from €3,660,000 in 2024") < cut < per_day
    assert "most of it comes from" not in told  # what fell is the number of days
    spec = str(answer.result.vega_spec)
    assert "Total amount per day rose by 20.0 % from 2024 to 2025" in spec
    assert "Total amount: 2024 and 2025, over 366 and 59 days" in spec


def test_sizes_on_a_map_are_round_numbers_with_their_unit(ask: Callable[[str], Any]) -> None:
    answer = ask("total amount by shop on a map")
    size = json.loads(answer.result.vega_spec)["encoding"]["size"]
    assert size["title"] == "Total amount (EUR)" and size["legend"]["format"] == "~s"


def test_shades_name_their_unit() -> None:
    spec = svc.demo().chat().ask("average departure delay by carrier and month as a heat map").result.vega_spec
    assert json.loads(spec)["encoding"]["color"]["title"] == "Average departure delay (minutes)"


def test_what_a_table_shows_is_said_by_the_table_and_what_came_by_the_words(ask: Callable[[str], Any]) -> None:
    answer = ask(
        "list all sales"
    )  # a page looks through all of its rows: words that count what it shows are wrong there
    assert f"The first {len(answer.result.rows)} of {len(SALES)} rows come with the answer." in answer.text
