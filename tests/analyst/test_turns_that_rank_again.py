"""``top 3 months``, ``which lift has the lowest`` after one of them, ``the cheapest of them``: what was shown, ranked."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, repairs, rides, rows_of


def by_month() -> pd.Series:
    known = rides().assign(month=pd.to_datetime(rides().ridden_on).dt.to_period("M").dt.start_time.dt.date)
    return known[pd.to_datetime(known.ridden_on).dt.year == 2024].groupby("month").price.sum()


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [("top 3 months", by_month().nlargest(3)), ("the lowest two months", by_month().nsmallest(2)),
     ("best month?", by_month().nlargest(1)), ("and the worst month", by_month().nsmallest(1))],
)  # fmt: skip
def test_the_first_of_the_periods_that_were_shown(turn: str, wanted: pd.Series) -> None:
    told, rows = answered("total price by month in 2024", turn)
    assert rows == rows_of(wanted.reset_index()), told


@pytest.mark.parametrize(
    ("turn", "end"), [("which lift has the lowest", "idxmin"), ("and which lift has the highest?", "idxmax")]
)
def test_all_of_them_by_the_number_of_one(turn: str, end: str) -> None:
    means = rides().groupby("lift").minutes_queued.mean()
    told, rows = answered("average minutes queued on the Gondola", turn)
    assert rows is not None and [row[0] for row in rows] == [getattr(means, end)()], told


def test_the_period_stays_where_all_are_ranked() -> None:
    known = rides()[pd.to_datetime(rides().ridden_on).dt.year == 2023]
    told, rows = answered("average price on the Chair in 2023", "which lift has the highest")
    assert rows is not None and rows[0][0] == known.groupby("lift").price.mean().idxmax(), told


def test_the_cheapest_of_the_rows_that_were_counted() -> None:
    known = repairs()["repairs"]
    wanted = known[known.kind == "glass"].nsmallest(1, "price")
    told, rows = answered("how many glass repairs are there", "and the cheapest of them?", over="repairs")
    assert rows is not None and wanted.price.iloc[0] in rows[0], told


@pytest.mark.parametrize(
    "turn", ["show me the ones that queued more than 20 minutes", "list those over 20 minutes queued"]
)
def test_those_of_them_that_are_so_in_a_list(turn: str) -> None:
    wanted = rides()[(rides().lift == "Tow") & (rides().minutes_queued > 20)]
    told, rows = answered("average price on the Tow", turn)
    assert rows is not None and {row[0] for row in rows} == set(wanted.ride_id), told
    assert all(any(20 < value <= 25 for value in row if isinstance(value, float)) for row in rows)


def test_only_the_columns_that_are_named_of_the_same_rows() -> None:
    wanted = rides()[rides().refused & (rides().lift == "Tow")]
    first = "list the refused rides on the Tow"
    for turn in ("only ridden on and price, please", "just the price and ridden on"):
        told, rows = answered(first, turn)
        assert rows is not None and len(rows) == len(wanted), told
        assert sorted(value for row in rows for value in row if isinstance(value, float)) == sorted(
            round(price, 4) for price in wanted.price
        )
    told, rows = answered(first, "only ridden on and price", "just those of 2024", "what is the sum?")
    of_2024 = wanted[pd.to_datetime(wanted.ridden_on).dt.year == 2024]
    assert rows == [[pytest.approx(of_2024.price.sum(), abs=1e-3)]], told


def test_what_was_set_beside_each_other_stays_so() -> None:
    known = rides().assign(month=pd.to_datetime(rides().ridden_on).dt.to_period("M").dt.start_time.dt.date)
    two = known[pd.to_datetime(known.ridden_on).dt.strftime("%Y-%m").isin(["2024-03", "2024-04"])]
    told, rows = answered("compare March and April 2024: total price", "only season", "for each lift")
    wanted = two[two.pass_kind == "season"].groupby(["month", "lift"]).price.sum().reset_index()
    assert rows == rows_of(wanted), told


def test_the_other_end_is_of_all_the_periods_that_were_shown() -> None:
    told, rows = answered("total price by month in 2024", "best month", "what was it in the worst")
    assert rows == rows_of(by_month().nsmallest(1).reset_index()), told


def test_next_month_is_no_word_that_leads() -> None:
    known = pd.to_datetime(rides().ridden_on).dt.to_period("M").astype(str)
    told, rows = answered("how many rides in March 2024", "and next month?")
    assert rows == [[float((known == "2024-04").sum())]], told


def test_each_of_them_is_of_all_after_one_was_picked_out() -> None:
    turns = ("average price by lift", "which one has the lowest", "how many rides did each have")
    assert answered(*turns)[1] == rows_of(rides().groupby("lift").size().reset_index())


def test_as_a_chart_is_what_was_shown() -> None:
    of_each = rows_of(rides().groupby("lift").size().reset_index())
    assert answered("rides by lift", "as a chart")[1] == answered("rides by lift", "draw a chart of it")[1] == of_each
