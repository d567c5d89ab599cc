"""What is said in several words and means one thing: amounts of time, what was taken in, what happened."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

COUNT = 400


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "order_id": range(COUNT), "ordered_at": pd.date_range("2023-01-01", periods=COUNT, freq="21h"),
            "delivery_minutes": [(n * 37) % 110 + 5 for n in range(COUNT)],
            "delivery_fee_eur": [(n % 3) * 1.5 for n in range(COUNT)],
            "subtotal_eur": [(n * 13) % 70 + 8.25 for n in range(COUNT)], "tip_eur": [(n % 5) * 0.4 for n in range(COUNT)],
            "town": [["Lyon", "Graz", "Turin"][n % 3] for n in range(COUNT)],
        }
    )  # fmt: skip


@pytest.fixture(scope="module")
def client(rows: pd.DataFrame) -> Iterator[svc.Client]:
    with svc.embedded({"orders": rows}) as embedded:
        yield embedded


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("how many orders took over an hour", 60, 1000),
        ("how many deliveries took more than an hour", 60, 1000),
        ("how many orders took longer than one and a half hours", 90, 1000),
        ("how many orders took more than an hour and a half", 90, 1000),
        ("how many orders took longer than 1 hour and a quarter", 75, 1000),
        ("how many deliveries took more than half an hour", 30, 1000),
        ("how many orders took less than a quarter of an hour", -1, 15),
        ("how many orders took less than three quarters of an hour", -1, 45),
    ],
)
def test_spoken_amounts(client: svc.Client, rows: pd.DataFrame, question: str, low: float, high: float) -> None:
    kept = rows[(rows.delivery_minutes > low) & (rows.delivery_minutes < high)]
    assert client.chat().ask(question).df.iloc[0, 0] == len(kept)


@pytest.mark.parametrize(
    "question",
    [
        "total revenue", "how much revenue did we have", "how much did we make", "how much money did we make",
        "how much have we earned",
    ],
)  # fmt: skip
def test_what_was_taken_in_is_no_fee(client: svc.Client, rows: pd.DataFrame, question: str) -> None:
    assert client.chat().ask(question).df.iloc[0, 0] == pytest.approx(rows.subtotal_eur.sum())


def test_revenue_by_another_is_of_the_same_amount(client: svc.Client, rows: pd.DataFrame) -> None:
    found = client.chat().ask("revenue by town").df.set_index("town").iloc[:, 0]
    assert found.to_dict() == pytest.approx(rows.groupby("town").subtotal_eur.sum().to_dict())


@pytest.mark.parametrize("question", ["how many deliveries were there", "number of deliveries"])
def test_what_is_measured_is_counted_by_its_rows(client: svc.Client, question: str) -> None:
    assert client.chat().ask(question).df.iloc[0, 0] == COUNT
    assert client.chat().ask("average delivery minutes").df.iloc[0, 0] < COUNT


def test_how_many_were_made_is_not_how_much(client: svc.Client, rows: pd.DataFrame) -> None:
    asked = client.chat().ask("how many orders did we make in March 2023")
    assert asked.df.iloc[0, 0] == (rows.ordered_at.dt.strftime("%Y-%m") == "2023-03").sum()


@pytest.mark.parametrize("question", ["which month did we earn the most", "which month did we make the most money"])
def test_when_the_most_was_taken_in(client: svc.Client, rows: pd.DataFrame, question: str) -> None:
    months = rows.groupby(rows.ordered_at.dt.to_period("M")).subtotal_eur.sum()
    chat = client.chat()
    asked = chat.ask(question)
    asked = asked if asked.df is not None else chat.ask("1")  # it may ask which amount is meant, the usual one first
    assert asked.df is not None and asked.df.iloc[0, 0].strftime("%Y-%m") == str(months.idxmax()), asked.sql
