"""A sales table nobody has described, under names as people give them: plain questions, the numbers that pandas gives."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

MEANT = ["id", "day", "customer", "country", "product", "units", "price", "returned", "revenue"]
COUNTRIES = ["France", "Germany", "Spain", "Italy"]


@dataclass(frozen=True)
class Names:
    """The columns as one variant calls them, and what is done to their values; ``said`` are the words of questions."""

    columns: dict[str, str]
    said: dict[str, str] = field(default_factory=dict)
    change: Callable[[pd.DataFrame], pd.DataFrame] = lambda frame: frame
    table: str = "sales"


def _no_amount(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop(columns="revenue")


def _european(frame: pd.DataFrame) -> pd.DataFrame:
    def amount(value: float) -> str:
        return f"{value:,.2f} €".replace(",", " ").replace(".", ",").replace(" ", ".", value >= 1000)

    return frame.assign(
        day=frame["day"].dt.strftime("%d.%m.%Y"),
        price=frame["price"].map(amount),
        revenue=frame["revenue"].map(amount),
        returned=frame["returned"].map({True: "yes", False: "no"}),
    )


VARIANTS = {
    "plain": Names(dict(zip(MEANT, ["order_id", "order_date", "customer", "country", "product", "units", "unit_price",
                                    "returned", "revenue"], strict=True))),
    "titles": Names(dict(zip(MEANT, ["Order ID", "Order Date", "Customer Name", "Country", "Product Name", "Quantity",
                                     "Unit Price", "Returned", "Sales"], strict=True)),
                    {"revenue": "sales", "units": "quantity"}, table="orders"),
    "glued": Names(dict(zip(MEANT, ["OrderID", "OrderDate", "CustomerName", "ShipCountry", "ProductName", "Qty", "Price",
                                    "IsReturned", "TotalAmount"], strict=True)),
                   {"revenue": "total amount", "units": "quantity"}, table="transactions"),
    "short": Names(dict(zip(MEANT, ["id", "date", "client", "country", "item", "qty", "price_eur", "returned", "amount"],
                            strict=True)),
                   {"revenue": "amount", "units": "quantity", "customer": "client", "product": "item"}, table="sales"),
    "no amount": Names(dict(zip(MEANT, ["order_id", "order_date", "customer", "country", "product", "units", "unit_price",
                                        "returned", ""], strict=True)), change=_no_amount),
    "European text": Names(dict(zip(MEANT, ["order_id", "order_date", "customer", "country", "product", "units", "price",
                                            "returned", "revenue"], strict=True)), change=_european),
}  # fmt: skip


def sold() -> pd.DataFrame:
    dice = np.random.default_rng(11)
    count = 600
    frame = pd.DataFrame(
        {
            "id": np.arange(1, count + 1),
            "day": pd.to_datetime("2023-01-01") + pd.to_timedelta(dice.integers(0, 365, count), "D"),
            "customer": dice.choice([f"{a} {b}" for a in ("Ana", "Ben", "Cleo") for b in "KLMN"], count),
            "country": dice.choice(COUNTRIES, count, p=[0.4, 0.3, 0.2, 0.1]),
            "product": dice.choice(["Laptop", "Mouse", "Desk", "Chair"], count, p=[0.1, 0.5, 0.2, 0.2]),
            "units": dice.integers(1, 9, count),
            "returned": dice.choice([True, False], count, p=[0.15, 0.85]),
        }
    )
    frame["price"] = frame["product"].map({"Laptop": 899.5, "Mouse": 19.25, "Desk": 240.0, "Chair": 75.75})
    frame["revenue"] = frame["units"] * frame["price"]
    return frame


SOLD = sold()
MONTHS = SOLD.groupby(SOLD["day"].dt.to_period("M").dt.to_timestamp())["revenue"].sum()


def _by(column: str, value: str = "revenue") -> Any:
    return SOLD.groupby(column)[value].sum()


QUESTIONS: dict[str, list[list[Any]]] = {
    "{revenue} by {product}": [[name, value] for name, value in _by("product").items()],
    "top {product}": [[_by("product").idxmax(), _by("product").max()]],
    "{units} by country": [[name, value] for name, value in _by("country", "units").items()],
    "average price": [[SOLD["price"].mean()]],
    "number of {customer}s": [[SOLD["customer"].nunique()]],
    "{revenue} per month": [[month, value] for month, value in MONTHS.items()],
    "share of returns by country": [
        [name, value] for name, value in SOLD.groupby("country")["returned"].mean().items()
    ],
    "top three {customer}s": [[name, value] for name, value in _by("customer").nlargest(3).items()],
    "{revenue} in Spain": [[SOLD.loc[SOLD["country"] == "Spain", "revenue"].sum()]],
    "best month": [[MONTHS.idxmax(), MONTHS.max()]],
    "how many orders over five {units}": [[int((SOLD["units"] > 5).sum())]],
    "orders over five {units}": [[int((SOLD["units"] > 5).sum())]],
    "France against Spain": [[name, _by("country")[name]] for name in ("France", "Spain")],
}

_LEANING = {"top {product}", "top three {customer}s", "best month", "France against Spain"}
"""They say no number: after another question they may be about what that one was about."""


@pytest.fixture(scope="module", params=VARIANTS)
def shop(request: pytest.FixtureRequest) -> Iterator[tuple[svc.Client, Names]]:
    names = VARIANTS[request.param]
    with svc.embedded({names.table: names.change(SOLD).rename(columns=names.columns)}) as client:
        yield client, names


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_plain_question_gives_the_numbers_of_pandas(shop: tuple[svc.Client, Names], question: str) -> None:
    client, names = shop
    said = question.format(**{word: names.said.get(word, word) for word in MEANT})
    answer = client.chat().ask(said)
    assert answer.df is not None, answer.text
    assert _plain(answer.df.values.tolist()) == _plain(QUESTIONS[question]), answer.sql


@pytest.mark.parametrize("order", range(3))
def test_questions_with_a_subject_of_their_own_inherit_nothing(shop: tuple[svc.Client, Names], order: int) -> None:
    client, names = shop
    chat, whole = client.chat(), [question for question in QUESTIONS if question not in _LEANING]
    for question in random.Random(order).sample(whole, len(whole)):
        answer = chat.ask(question.format(**{word: names.said.get(word, word) for word in MEANT}))
        assert answer.df is not None, answer.text
        assert _plain(answer.df.values.tolist()) == _plain(QUESTIONS[question]), (question, answer.reading)


def _plain(rows: list[list[Any]]) -> list[tuple[Any, ...]]:
    """Rows in one order, numbers to four significant digits, times as days."""
    return sorted((tuple(map(_cell, row)) for row in rows), key=repr)


def _cell(value: Any) -> Any:
    if isinstance(value, (pd.Timestamp, str)):
        return str(value)[:10]
    return float(f"{float(value):.4g}")
