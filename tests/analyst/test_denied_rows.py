"""Rows without certain others, bounds of the rows named before them, and numbers that never come to as much."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

COUNT = 300
ORDERS = pd.DataFrame(
    {
        "order_id": range(COUNT), "shop_id": [n % 20 for n in range(COUNT)],
        "ordered_at": pd.date_range("2023-01-01", periods=COUNT, freq="D"),
        "status": ["cancelled" if n % 20 < 6 and n % 3 == 0 else "refunded" if n % 20 == 9 else "sent" for n in range(COUNT)],
        "subtotal_eur": [(n * 17) % 90 + 4.5 for n in range(COUNT)], "tip_eur": [(n % 6) * 0.5 for n in range(COUNT)],
    }
)  # fmt: skip
SHOPS = pd.DataFrame({"shop_id": range(20), "name": [f"Shop {chr(65 + n)}" for n in range(20)]})


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded({"orders": ORDERS, "shops": SHOPS}) as embedded:
        yield embedded


def _without(*states: str) -> set[str]:
    those = set(ORDERS[ORDERS.status.isin(states)].shop_id)
    return set(SHOPS[~SHOPS.shop_id.isin(those)].name)


@pytest.mark.parametrize(
    ("question", "states"),
    [
        ("shops without cancelled orders", ["cancelled"]),
        ("which shops have no refunded orders", ["refunded"]),
        ("shops with no cancelled or refunded orders", ["cancelled", "refunded"]),
        ("shops that never had a cancelled order", ["cancelled"]),
        ("wich shops didnt have refunded orders", ["refunded"]),
    ],
)
def test_without_certain_rows(client: svc.Client, question: str, states: list[str]) -> None:
    asked = client.chat().ask(question)
    assert asked.df is not None and set(asked.df["name"]) == _without(*states), asked.sql


def test_how_many_have_none_of_them(client: svc.Client) -> None:
    asked = client.chat().ask("how many shops have no cancelled orders")
    assert asked.df is not None and asked.df.iloc[0, 0] == len(_without("cancelled"))


@pytest.mark.parametrize("said", ["orders over 50 euros", "how many orders over €50", "orders above 50 dollars"])
def test_a_bound_of_money_is_of_the_rows_before_it(client: svc.Client, said: str) -> None:
    asked = client.chat().ask(said)
    assert asked.df is not None and asked.df.iloc[0, 0] == (ORDERS.subtotal_eur > 50).sum()


def test_a_number_that_never_comes_to_as_much_says_so(client: svc.Client) -> None:
    asked = client.chat().ask("average tip above 40")
    assert "tip is never more than 40 (it goes from 0 to 2.5)" in asked.text


def test_those_called_alike_are_told() -> None:
    people = pd.DataFrame(
        {"agent_id": range(6), "name": ["Ana Weber", "Ana Weber", "Ben Lind", "Cleo Rossi", "Dan Novak", "Eva Costa"]}
    )
    calls = pd.DataFrame(
        {"call_id": range(60), "agent_id": [n % 6 for n in range(60)], "minutes": [n % 9 + 1 for n in range(60)]}
    )
    with svc.embedded({"calls": calls, "agents": people}) as embedded:
        each = embedded.chat().ask("number of calls by agent")
        assert "called alike" not in each.text and len(each.df) == 6
        told = embedded.chat().ask("number of calls by agent name").text
        assert "6 agents have 5 different names: those called alike are taken together." in told
        assert "called alike" not in embedded.chat().ask("number of agents").text
