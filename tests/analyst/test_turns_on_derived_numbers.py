"""Turns that name a number which no column holds (an amount, an age, the time between two times), after any answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest

import svc_notebook as svc

Tables = Mapping[str, pd.DataFrame]


@cache
def orders() -> pd.DataFrame:
    chance = random.Random("derived numbers")
    rows = []
    for number in range(1, 241):
        day = date(2023, 1, 1) + timedelta(days=chance.randint(0, 700))
        rows.append({
            "order_id": number, "product": chance.choice(["Lamp", "Desk", "Chair", "Shelf"]),
            "branch": chance.choice(["North", "South", "Harbour"]), "ordered_at": day,
            "delivered_at": day + timedelta(days=chance.randint(1, 12)), "price": round(5 + 90 * chance.random(), 2),
            "quantity": chance.randint(1, 6), "client_id": chance.randint(1, 30),
            "birth_date": date(1950, 1, 1) + timedelta(days=chance.randint(0, 18_000)),
        })  # fmt: skip
    return pd.DataFrame(rows)


@cache
def clients() -> pd.DataFrame:
    chance = random.Random("clients")
    return pd.DataFrame([
        {"client_id": number, "client_name": f"Client {number:02d}", "city": chance.choice(["Oslo", "Bergen", "Moss"]),
         "birth_date": date(1950, 1, 1) + timedelta(days=chance.randint(0, 18_000))}
        for number in range(1, 31)
    ])  # fmt: skip


TABLES: dict[str, Tables] = {
    "one": {"orders": orders().drop(columns="client_id")},
    "two": {"clients": clients(), "orders": orders().drop(columns="birth_date")},
    "no times": {"items": orders()[["order_id", "product", "branch", "price", "quantity"]]},
    "no numbers": {"visits": orders()[["product", "branch", "ordered_at", "delivered_at"]]},
    "names": {"members": clients()[["client_name", "city"]]},
}
FIRST: dict[str, list[str]] = {
    "one": [
        "revenue by product", "average price by branch", "how many orders per month", "average age", "total quantity",
        "top 3 products by revenue", "how many orders took longer than 10 days", "show me the last 5 orders",
        "share of orders by branch", "time between order and delivery by branch", "orders of people over 60",
        "price times quantity by month",
    ],
    "two": [
        "revenue by city", "how many clients per city", "list the clients in Oslo", "which clients have no orders",
    ],
    "no times": ["revenue by product", "average price"],
    "no numbers": [
        "how many visits per product", "list the visits", "time between order and delivery by branch",
    ],
    "names": ["members per city", "list the members"],
}  # fmt: skip
TURNS = [
    "and the average age?", "and the average delivery time?", "what about revenue?", "by delivery time", "by age",
    "sort by age", "sort by delivery time", "only those over 60 years", "only those that took longer than 5 days",
    "only revenue over 100", "add the age", "drop the age", "the oldest", "how long did they take?",
    "how old are they?", "top 3 by age", "group by age in steps of 10", "as a share", "per month", "by branch",
    "and by product and age", "list them with their age",
]  # fmt: skip


@pytest.fixture(scope="module", params=TABLES)
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[str, svc.Client]]:
    with svc.embedded(dict(TABLES[request.param])) as client:
        yield request.param, client


@pytest.mark.parametrize("some", [5, pytest.param(len(TURNS), marks=pytest.mark.soak)])
def test_no_turn_fails(asked: tuple[str, svc.Client], some: int) -> None:
    name, client = asked
    failed = []
    for first in FIRST[name]:
        for turn in random.Random(first).sample(TURNS, some):
            chat = client.chat()
            chat.ask(first)
            if (answer := chat.ask(turn)).status == "failed":
                failed.append((first, turn, answer.text))
    assert not failed


def test_what_such_turns_answer_is_what_pandas_gives() -> None:
    known = orders()
    with svc.embedded(dict(TABLES["one"])) as client:
        for first, turn, wanted in _answers(known):
            chat = client.chat()
            chat.ask(first)
            shown = chat.ask(turn).df
            assert shown is not None, (first, turn)
            assert _numbers(shown) == pytest.approx(wanted), (first, turn)


def _answers(known: pd.DataFrame) -> Iterator[tuple[str, str, list[float]]]:
    days = (pd.to_datetime(known.delivered_at) - pd.to_datetime(known.ordered_at)).dt.days
    today = pd.Timestamp.now()
    born = pd.to_datetime(known.birth_date)
    age = today.year - born.dt.year - ((today.month * 100 + today.day) < born.dt.month * 100 + born.dt.day)
    month = pd.to_datetime(known.ordered_at).dt.to_period("M")
    yield "how many orders per month", "how long did they take?", sorted(days.groupby(month).mean())
    yield "average price by branch", "what about age instead", sorted(age.groupby(known.branch).mean())
    yield "how many orders by branch", "group by age in steps of 10", sorted(known.groupby(age // 10).size())
    yield "how many orders by branch", "only those over 60 years", sorted(known[age > 60].groupby("branch").size())


def _numbers(shown: pd.DataFrame) -> list[float]:
    return sorted(float(value) for value in shown.iloc[:, -1])
