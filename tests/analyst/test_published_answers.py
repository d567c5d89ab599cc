"""Answers as a person would publish them: the number that rows are ranked by, sums along time, periods that are cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.results.vega.scene import data_marks, scene_of

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
    assert told.startswith("Total amount per day rose from €10,000 in 2024 to €12,000 in 2025, by €2,000, 20.0 %.")
    in_all, cut = told.index("In all that is €3,660,000 in 2024, €708,000 in 2025"), told.index("2025 is not complete")
    assert in_all < cut
    shown = answer.result.to_frame()
    assert shown.iloc[:, 2].tolist() == [366, 59] and shown.iloc[:, 3].tolist() == [10_000, 12_000]
    spec = str(answer.result.vega_spec)
    assert "Total amount per day rose by 20.0 % from 2024 to 2025" in spec
    assert "Total amount per day: 2024 and 2025, over 366 and 59 days" in spec
    assert json.loads(spec)["encoding"]["y"]["field"] == "per_day"  # what the title tells is what is drawn


def test_what_a_number_per_day_comes_from_is_per_day(ask: Callable[[str], Any]) -> None:
    answer = ask("how did the amount change from 2024 to 2025?")
    parts = answer.results[0].to_frame()
    rows = SALES.assign(year=SALES.sold_at.dt.year).groupby(["shop", "year"]).amount_eur.sum()
    each = {(shop, str(year)): total / (366 if year == 2024 else 59) for (shop, year), total in rows.items()}
    assert {tuple(row[:2]): row[2] for row in parts.to_numpy().tolist()} == pytest.approx(each)
    assert "Total amount per day by shop" in str(answer.results[0].vega_spec)


def test_counts_of_two_years_are_compared_per_day_over_joined_tables() -> None:
    shops = pd.DataFrame({"shop_id": [1, 2, 3], "town": ["Faro", "Porto", "Faro"]})
    sales = SALES[["sale_id", "sold_at"]].assign(shop_id=[n % 3 + 1 for n in range(len(SALES))])
    with svc.embedded({"shops": shops, "sales": sales}) as client:
        for question in ("sales 2024 vs 2025", "how did the number of sales change from 2024 to 2025?"):
            said = client.chat().ask(question).text.replace("*", "")
            assert said.startswith("Number of sales per day stayed at 1 from 2024 to 2025."), said
            assert "In all that is 366 in 2024, 59 in 2025 (366 and 59 days)." in said


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("number of sales on weekdays vs weekends", "Per day that is 1 for weekday, 1 for weekend (305 and 120 days)."),
        ("number of sales on weekdays vs weekends in 2024", "1 for weekday, 1 for weekend (262 and 104 days)."),
        ("number of sales in summer vs winter", "Per day that is 1 for winter, 1 for summer (150 and 92 days)."),
    ],
)
def test_groups_of_unequally_many_days_are_told_per_day(ask: Callable[[str], Any], question: str, told: str) -> None:
    answer = ask(question)
    assert told in answer.text
    assert json.loads(answer.result.vega_spec)["title"]["text"][0].isupper()


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


def bars(spec: str, rows: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Where the bars of a chart begin and end, from the left."""
    pytest.importorskip("vl_convert")
    found = scene_of({**json.loads(spec), "data": {"values": rows}})
    drawn = [mark for mark in data_marks(found) if mark["marktype"] == "rect"]
    return sorted({(round(item["x"], 1), round(item["x"] + item["width"], 1)) for item in drawn})


@pytest.mark.parametrize("question", ["number of sales by quarter and shop as stacked bars", "sales per month as bars"])
def test_bars_along_time_fill_their_periods(ask: Callable[[str], Any], question: str) -> None:
    result = ask(question).result
    names = [column.name for column in result.schema]
    found = bars(result.vega_spec, [dict(zip(names, row, strict=True)) for row in result.rows])
    steps = [after[0] - before[0] for before, after in pairwise(found)]
    assert found[0][0] >= 0 and max(steps) - min(steps) <= 1  # within the frame, and evenly
    assert all(end - start > 0.8 * min(steps) for start, end in found)


def test_months_without_rows_stay_empty_between_bars() -> None:
    sold = SALES[~SALES.sold_at.dt.month.isin([5, 6])]
    with svc.embedded({"sales": sold}) as client:
        result = client.chat().ask("number of sales per month as bars").result
    names = [column.name for column in result.schema]
    found = bars(result.vega_spec, [dict(zip(names, row, strict=True)) for row in result.rows])
    widths = [end - start for start, end in found]
    gaps = [after[0] - before[1] for before, after in pairwise(found)]
    assert min(widths) > 10 and sorted(gaps)[-1] > 2 * max(widths) > 10 * sorted(gaps)[-2]


def test_two_periods_are_bars_and_no_line_between_two_points(ask: Callable[[str], Any]) -> None:
    answer = ask("compare the number of sales in May 2024 and June 2024")
    spec = json.loads(answer.result.vega_spec)
    assert spec["mark"]["type"] == "bar" and spec["encoding"]["x"]["type"] in ("ordinal", "nominal")


def test_an_average_by_very_many_numbers_is_points_and_no_surface_of_bars() -> None:
    frame = pd.DataFrame({"wind": [n / 10 for n in range(300)] * 3, "delay_minutes": [n % 37 for n in range(900)]})
    with svc.embedded({"trips": frame}) as client:
        spec = json.loads(client.chat().ask("average delay by wind").result.vega_spec)
    assert spec["mark"]["type"] == "point" and spec["encoding"]["x"]["type"] == "quantitative"


def test_the_week_that_a_year_ends_in_is_not_compared_with_whole_ones(ask: Callable[[str], Any]) -> None:
    answer = ask("number of sales per week in 2024")
    assert "The week of 30 December 2024 is not complete: what was asked for ends on 31 December 2024." in answer.text
    assert "**7** in each week from the week of 1 January 2024 to the week of 23 December 2024" in answer.text
    assert "week of 30 December 2024 not complete" in " ".join(str(answer.result.vega_spec).split())


def test_what_was_done_is_named_once(ask: Callable[[str], Any]) -> None:
    visits = pd.DataFrame({"visit_id": range(len(DAYS)), "arrived_at": DAYS})
    with svc.embedded({"visits": visits}) as client:
        chat = client.chat()
        assert chat.ask("visits per month in 2024").result.title == "Number of visits by month of arrived at in 2024"
        assert (
            chat.ask("number of visits in summer vs winter").result.title == "Number of visits by season of arrived at"
        )
