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
