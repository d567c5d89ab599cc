"""Turns behind a comparison, behind groups ranked by how many rows they have, and numbers of what was shown."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, bills, rides, rows_of


def ridden() -> pd.DataFrame:
    known = rides()
    return known.assign(
        day=pd.to_datetime(known.ridden_on), month=pd.to_datetime(known.ridden_on).dt.to_period("M").dt.start_time
    )


@pytest.mark.parametrize("turn", ["rides by lift, biggest two", "rides per lift, top two"])
@pytest.mark.parametrize(
    "first", ["average price by pass kind", "median minutes queued by lift", "average price by month"]
)
def test_rows_by_something_are_ranked_by_how_many_they_are(first: str, turn: str) -> None:
    wanted = rides().groupby("lift").size().nlargest(2)
    told, rows = answered(first, turn)
    assert rows == rows_of(wanted.reset_index()), told


def test_what_a_superlative_leaves_open_is_still_what_was_shown() -> None:
    wanted = rides().groupby("lift").price.mean().nlargest(1)
    told, rows = answered("average price by lift", "which lift is the highest")
    assert rows == rows_of(wanted.reset_index()), told


@pytest.mark.parametrize("turn", ["and in 2023", "what about 2023"])
def test_a_period_takes_the_place_of_two_that_were_compared(turn: str) -> None:
    known = ridden()
    wanted = known[known.day.dt.year == 2023].groupby("lift").size()
    told, rows = answered("rides by lift in may 2024", "compare that with march 2024", "by lift instead", turn)
    assert rows == rows_of(wanted.reset_index()), told


@pytest.mark.parametrize("second", ["is that more than in march 2024?", "compare that with march 2024"])
def test_what_is_compared_stays_apart_when_it_is_grouped(second: str) -> None:
    known = ridden()
    both = known[known.month.isin(pd.to_datetime(["2024-03-01", "2024-05-01"]))]
    told, rows = answered("how many rides in may 2024", second, "by lift")
    assert rows == rows_of(both.groupby(["month", "lift"]).size().reset_index()), told


def test_values_that_are_compared_stay_apart_when_they_are_grouped() -> None:
    known = rides()
    both = known[known.lift.isin(["Gondola", "Chair"])]
    told, rows = answered("rides with the gondola", "compare that with the chair", "by pass kind")
    assert rows == rows_of(both.groupby(["lift", "pass_kind"]).size().reset_index()), told
    instead = rows_of(both.groupby("pass_kind").size().reset_index())
    assert answered("rides with the gondola", "compare that with the chair", "by pass kind instead")[1] == instead


@pytest.mark.parametrize("turn", ["what's the average of that", "whats the average of those", "the mean of that"])
def test_the_average_of_what_was_counted_is_of_the_groups(turn: str) -> None:
    counts = ridden().groupby("month").size()
    told, rows = answered("rides by month", turn)
    assert rows == [[round(float(counts.mean()), 4)]], told
    told, rows = answered("top 2 lifts by rides", turn)
    assert rows == [[round(float(rides().groupby("lift").size().nlargest(2).mean()), 4)]], told


def test_the_average_of_averages_is_that_of_the_rows() -> None:
    told, rows = answered("average price by lift", "what's the average of that")
    assert rows == [[round(float(rides().price.mean()), 4)]], told


def test_the_average_of_a_list_is_of_what_it_is_ranked_by() -> None:
    told, rows = answered("list the 5 rides with the highest price", "what's the average of that")
    assert rows == [[round(float(rides().price.nlargest(5).mean()), 4)]], told


@pytest.mark.parametrize("question", ["bill lines by region, top 1", "bill lines per region, the biggest one"])
def test_rows_by_a_column_of_another_table_are_ranked_by_how_many_they_are(question: str) -> None:
    lines = bills()["bill_line"].merge(bills()["bill"], on="bill_id")
    wanted = lines.groupby("region").size().nlargest(1)
    told, rows = answered(question, over="bills")
    assert rows == rows_of(wanted.reset_index()), told


@pytest.mark.parametrize("turn", ["show me the rows", "list the rows", "the rows please"])
def test_the_rows_of_groups_are_those_behind_them(turn: str) -> None:
    known = rides()
    told, rows = answered("rides by pass kind with the chair", turn)
    assert rows is not None and len(rows) == (known.lift == "Chair").sum(), told
    most = known.groupby("lift").size().idxmax()
    told, rows = answered("rides by lift", "which one is the highest", turn)
    assert rows is not None and len(rows) == (known.lift == most).sum(), told


@pytest.mark.parametrize(
    "turn", ["go back to the first one", "back to the first question", "return to my first question"]
)
def test_the_first_question_can_be_gone_back_to(turn: str) -> None:
    wanted = rows_of(rides().groupby("lift").price.mean().reset_index())
    told, rows = answered(
        "average price by lift", "rides by pass kind", "only the chair", "average minutes queued", turn
    )
    assert rows == wanted, told


@pytest.mark.parametrize("turn", ["total", "the total", "in total"])
def test_the_total_of_averages_is_what_they_add_up_to(turn: str) -> None:
    told, rows = answered("average price by lift", turn)
    assert rows == rows_of(rides().groupby("lift").price.sum().reset_index()), told
    told, rows = answered("rides by lift", turn)
    assert rows == [[float(len(rides()))]], told


@pytest.mark.parametrize("turn", ["what about unit price", "how about quantity"])
def test_a_number_that_is_only_named_is_asked_of_what_was_shown(turn: str) -> None:
    """Rows of the lines are no answer beside the bills, of each of which there are many."""
    told, rows = answered("bills by region", turn, over="bills")
    assert rows is None or len(rows) <= 2, told


def test_the_lowest_of_them_is_one_of_those_that_were_shown() -> None:
    sums = rides().groupby("lift").price.sum().nlargest(2)
    told, rows = answered("total price by lift, biggest two", "which is the lowest of them")
    assert rows == rows_of(sums.nsmallest(1).reset_index()), told


@pytest.mark.parametrize(
    ("question", "low", "many"),
    [("rides by lift, most first", False, 3), ("rides by lift, fewest first", True, 3), ("rides by lift, the two biggest", False, 2),
     ("rides by lift, two smallest", True, 2)],
)  # fmt: skip
def test_an_order_at_the_end_is_of_the_number_of_the_groups(question: str, low: bool, many: int) -> None:
    counts = rides().groupby("lift").size()
    wanted = counts.nsmallest(many) if low else counts.nlargest(many)
    for said in ((question,), ("average price by pass kind", question)):
        told, rows = answered(*said)
        assert rows == rows_of(wanted.reset_index()), told


def test_the_first_few_of_the_most_are_the_top() -> None:
    told, rows = answered("lifts with the most rides, first two")
    assert rows == rows_of(rides().groupby("lift").size().nlargest(2).reset_index()), told


@pytest.mark.parametrize("turn", ["just the last six months of it", "only the last 6 months of it"])
def test_the_last_months_of_it_are_a_part_of_what_was_shown(turn: str) -> None:
    known = ridden()
    late = known[(known.day >= "2023-07-01") & (known.day < "2024-01-01")]
    told, rows = answered("rides by month in 2023", turn)
    assert rows == rows_of(late.groupby("month").size().reset_index()), told


@pytest.mark.parametrize("turn", ["only the minutes queued", "no wait, just the minutes queued"])
def test_one_of_the_numbers_stays_as_it_was_put_together(turn: str) -> None:
    told, rows = answered("rides by lift", "add total minutes queued", turn)
    assert rows == rows_of(rides().groupby("lift").minutes_queued.sum().reset_index()), told


@pytest.mark.parametrize("turn", ["back to numbers", "back to the counts"])
def test_behind_shares_the_numbers_are_gone_back_to(turn: str) -> None:
    told, rows = answered("rides by lift", "as a percentage", turn)
    assert rows == rows_of(rides().groupby("lift").size().reset_index()), told


def test_days_have_no_hours_of_which_some_are_meant() -> None:
    told, rows = answered("rides by lift", "only at night")
    assert rows is None, told
