"""Rows that are called like one of their amounts: ``sales`` are added up by city, and counted where they are counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

_DRAW = np.random.default_rng(11)
ROWS = pd.DataFrame({
    "sold_on": pd.Timestamp("2023-01-01") + pd.to_timedelta(_DRAW.integers(0, 480, 700), unit="D"),
    "customer": _DRAW.choice(["Ann", "Bob", "Cleo"], 700),
    "city": _DRAW.choice(["Berlin", "Rome", "Paris"], 700),
    "sales": np.round(_DRAW.gamma(2, 20, 700), 2),
    "discount": np.round(_DRAW.uniform(0, 0.3, 700), 3),
    "returned": _DRAW.random(700) < 0.1,
})  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded(data={"sales": ROWS}) as opened:
        yield opened


def numbers(client: svc.Client, question: str) -> list[float]:
    answer = client.chat().ask(question)
    assert answer.df is not None, answer.text
    return sorted(float(n) for n in answer.df.iloc[:, -1])


@pytest.mark.parametrize(
    "question", ["sales by city", "show me the sales of each city", "sales per city as a bar chart"]
)
def test_the_amount_is_meant_where_nothing_is_counted(client: svc.Client, question: str) -> None:
    assert numbers(client, question) == pytest.approx(sorted(ROWS.groupby("city").sales.sum()))


@pytest.mark.parametrize("question", ["how many sales by city", "number of sales by city", "count the sales by city"])
def test_rows_are_counted_where_they_are(client: svc.Client, question: str) -> None:
    assert numbers(client, question) == sorted(ROWS.groupby("city").size())


def test_the_best_by_it_is_the_one_of_the_largest_sum(client: svc.Client) -> None:
    best = client.chat().ask("top customer by sales")
    assert best.df is not None
    assert best.df.iloc[0, 0] == ROWS.groupby("customer").sales.sum().idxmax()


@pytest.mark.parametrize(
    "question",
    ["did sales grow", "have sales risen?", "are sales falling in Rome", "did the number of sales fall in Rome"],
)
def test_whether_a_number_grew_is_a_trend(client: svc.Client, question: str) -> None:
    said = client.chat().ask(question).text
    assert "**No clear trend**" in said or "on average from" in said
    assert ("city is Rome" in said) is ("Rome" in question)


@pytest.mark.parametrize("question", ["best month for sales", "which month had the best sales"])
def test_the_best_period_is_the_one_with_the_largest_sum(client: svc.Client, question: str) -> None:
    best = client.chat().ask(question)
    sums = ROWS.groupby(ROWS.sold_on.dt.to_period("M")).sales.sum()
    assert best.df is not None
    assert pd.Timestamp(best.df.iloc[0, 0]).to_period("M") == sums.idxmax()
    assert len(best.df) == 1


@pytest.mark.parametrize("question", ["what share of sales comes from Rome", "percentage of sales from Rome"])
def test_a_share_of_an_amount_is_of_the_amount(client: svc.Client, question: str) -> None:
    chat = client.chat()
    answer = chat.ask(question)
    places = [n for n, choice in enumerate(answer.choices, 1) if "total sales" in choice.question.lower()]
    answer = answer if answer.df is not None else chat.ask(str(places[0]))  # it may ask which is meant
    share = ROWS[ROWS.city == "Rome"].sales.sum() / ROWS.sales.sum() * 100
    assert answer.df is not None
    assert float(answer.df.iloc[0, -1]) == pytest.approx(share)
    assert "city is Rome" in answer.text  # as the data spell it


def test_an_average_has_no_parts() -> None:
    orders = ROWS.rename(columns={"sales": "revenue"}).drop(columns="discount")
    with svc.embedded(data={"orders": orders}) as client:
        answer = client.chat().ask("share of returned orders and average revenue")
    assert answer.df is not None
    shown = [float(n) for n in answer.df.iloc[0]]
    assert shown == pytest.approx([orders.returned.mean() * 100, orders.revenue.mean()])


def test_periods_that_are_not_among_the_first_are_not_missing(client: svc.Client) -> None:
    answer = client.chat().ask("top 4 months by sales")
    assert answer.df is not None and len(answer.df) == 4
    assert "no rows" not in answer.text


def test_a_trend_of_some_rows_is_called_by_what_they_are() -> None:
    with svc.embedded(data={"orders": ROWS.rename(columns={"sales": "revenue"})}) as client:
        answer = client.chat().ask("are returned orders increasing?")
    assert "returned orders" in answer.text.split(" from ")[0]
    assert not answer.text.startswith("Where")
    assert answer.result is not None and "returned orders" in str(answer.result.vega_spec)


STAFF = pd.DataFrame({
    "name": [f"P{i}" for i in range(60)],
    "gender": ["female", "male", "male"] * 20,
    "salary": [3000 + 10 * i for i in range(60)],
    "left_on": [pd.Timestamp("2021-03-01") if i % 4 == 0 else pd.NaT for i in range(60)],
})  # fmt: skip


@pytest.fixture(scope="module")
def staff() -> Iterator[svc.Client]:
    with svc.embedded(data={"employees": STAFF}) as opened:
        yield opened


@pytest.mark.parametrize("question", ["median salary of men and women", "median salary of women and men"])
def test_all_the_values_there_are_are_groups(staff: svc.Client, question: str) -> None:
    assert numbers(staff, question) == sorted(STAFF.groupby("gender").salary.median())


def test_all_the_values_together_are_one_number(staff: svc.Client) -> None:
    assert numbers(staff, "total salary of men and women together") == [STAFF.salary.sum()]


def test_who_did_is_counted_by_who_they_are(staff: svc.Client) -> None:
    assert numbers(staff, "how many employees left") == [15]  # all of them on one day
