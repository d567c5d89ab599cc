"""Sales with a total, a price and a quantity: the total is the amount; both ends of an order are both shown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.reading.both_ends import one_end

PRICES = {"Espresso": 2.5, "Latte": 4.0, "Mocha": 4.5, "Tea": 2.2}


def sales() -> pd.DataFrame:
    dice, count = np.random.default_rng(12), 1_500
    product = dice.choice(list(PRICES), count, p=[0.25, 0.4, 0.15, 0.2])
    made = pd.DataFrame({
        "order_id": range(1, count + 1),
        "sold_at": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 700, count), unit="D"),
        "store": dice.choice(["Main St", "Harbour"], count),
        "product": product,
        "qty": dice.integers(1, 5, count),
        "unit_price": [PRICES[name] for name in product],
    })  # fmt: skip
    # Rounded up by the till: the product of the other two is another number.
    return made.assign(total=np.ceil(made.qty * made.unit_price))


SALES = sales()
TAKEN = SALES.groupby("product")["total"].sum()


@pytest.fixture(scope="module")
def client() -> svc.Client:
    return svc.embedded({"sales": SALES})


def test_what_brings_in_most_goes_by_the_total(client: svc.Client) -> None:
    answer = client.chat(external_id="ana").ask("which product brings in the most money")
    assert not answer.choices
    assert answer.df is not None and answer.df.iloc[0, 1] == pytest.approx(TAKEN.max())


@pytest.mark.parametrize(
    "question", ["how much more do we make from Latte than from Mocha", "how much more did Latte make than Mocha"]
)
def test_how_much_more_is_made_is_money(client: svc.Client, question: str) -> None:
    answer = client.chat(external_id="ana").ask(question)
    assert answer.df is not None
    assert dict(answer.df.itertuples(index=False)) == pytest.approx({n: TAKEN[n] for n in ("Latte", "Mocha")})


@pytest.mark.parametrize(
    "question",
    ["difference between Latte and Mocha in revenue", "what's the difference in revenue between Latte and Mocha"],
)
def test_a_difference_keeps_both_apart(client: svc.Client, question: str) -> None:
    answer = client.chat(external_id="ana").ask(question)
    assert answer.df is not None
    assert dict(answer.df.itertuples(index=False)) == pytest.approx({n: TAKEN[n] for n in ("Latte", "Mocha")})


def test_a_sum_of_totals_is_not_called_total_total(client: svc.Client) -> None:
    answer = client.chat(external_id="ana").ask("what share of revenue comes from Tea")
    assert "total total" not in answer.text.lower() and "total total" not in str(answer.reading).lower()


@pytest.mark.parametrize(
    ("question", "by"),
    [
        ("best and worst month by revenue", SALES.groupby(SALES.sold_at.dt.to_period("M"))["total"].sum()),
        ("which product sold the most and which sold the least", SALES.groupby("product")["qty"].sum()),
        ("which product has the highest revenue and which the lowest", TAKEN),
        ("most and least popular product", SALES.groupby("product").size()),
        ("top 2 and bottom 2 products by revenue", TAKEN),
        ("cheapest product and most expensive product", SALES.groupby("product")["unit_price"].mean()),
    ],
)
def test_both_ends_of_an_order_of_groups_are_shown(client: svc.Client, question: str, by: pd.Series) -> None:
    answer = client.chat(external_id="ana").ask(question)
    assert answer.df is not None
    shown = answer.df.iloc[:, -1].astype(float)
    assert sorted(shown) == pytest.approx(sorted(by.astype(float)))


@pytest.mark.parametrize("question", ["first sale and last sale", "first and last sale in Harbour"])
def test_both_ends_of_an_order_of_rows_are_shown(client: svc.Client, question: str) -> None:
    some = SALES[SALES.store == "Harbour"] if "Harbour" in question else SALES
    answer = client.chat(external_id="ana").ask(question)
    assert answer.df is not None
    assert {answer.df.sold_at.min(), answer.df.sold_at.max()} == {some.sold_at.min(), some.sold_at.max()}
    if "store" in answer.df:
        assert {*answer.df.store} <= {*some.store}


def test_both_ends_of_a_number_are_shown(client: svc.Client) -> None:
    answer = client.chat(external_id="ana").ask("oldest and newest sale in Harbour")
    assert answer.df is not None
    harbour = SALES[SALES.store == "Harbour"].sold_at
    assert {*answer.df.filter(like="sold_at").to_numpy().ravel()} == {*harbour.agg(["min", "max"]).to_numpy()}


@pytest.mark.parametrize("question", ["first and last name", "best month", "sales in Main St and Harbour"])
def test_one_end_is_no_two(question: str) -> None:
    assert not list(one_end(question))
