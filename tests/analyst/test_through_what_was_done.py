"""Rows that meet in several ways meet through what was done: whoever bought a wine did not only rate it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def cellar() -> dict[str, pd.DataFrame]:
    """Wines that buyers rate, and buy with others in one purchase: the ratings are the shorter way between both."""
    dice = np.random.default_rng(23)
    wines = pd.DataFrame({
        "wine_id": range(1, 9), "wine_name": ["Alba", "Brisa", "Cima", "Dorna", "Elva", "Fonte", "Gala", "Herdade"],
        "colour": ["red", "white"] * 4,
    })  # fmt: skip
    buyers = pd.DataFrame({
        "buyer_id": range(1, 41), "buyer_name": [f"{a} {b}" for a in ("Olga", "Piet", "Rosa", "Sven") for b in ("Aal", "Berg", "Cruz", "Dahl", "Egger", "Falk", "Gomes", "Holm", "Iten", "Juhl")],
        "town": dice.choice(["Porto", "Vigo"], 40),
    })  # fmt: skip
    purchases = pd.DataFrame({
        "purchase_id": range(1, 121), "buyer_id": dice.integers(1, 36, 120),
        "purchased_on": pd.Timestamp("2024-01-02") + pd.to_timedelta(dice.integers(0, 300, 120), "D"),
    })  # fmt: skip
    bottles = pd.DataFrame({
        "bottle_id": range(1, 301), "purchase_id": dice.integers(1, 121, 300), "wine_id": dice.integers(1, 8, 300),
    })  # fmt: skip
    ratings = pd.DataFrame({
        "rating_id": range(1, 91), "wine_id": dice.integers(1, 9, 90), "buyer_id": dice.integers(1, 41, 90), "stars": dice.integers(1, 6, 90),
    })  # fmt: skip
    return {"wines": wines, "buyers": buyers, "purchases": purchases, "bottles": bottles, "ratings": ratings}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(cellar()) as client:
        yield client


def bought() -> pd.DataFrame:
    tables = cellar()
    return tables["bottles"].merge(tables["purchases"]).merge(tables["buyers"]).merge(tables["wines"])


def rated() -> pd.DataFrame:
    tables = cellar()
    return tables["ratings"].merge(tables["buyers"]).merge(tables["wines"])


@pytest.mark.parametrize(
    "question",
    ["which wines did Piet Berg buy", "what wines has Piet Berg bought", "wines bought by Piet Berg", "wines that Piet Berg bought"],
)  # fmt: skip
def test_what_somebody_bought_is_in_the_purchases(opened: Any, question: str) -> None:
    rows = bought()
    expected = set(rows[rows.buyer_name == "Piet Berg"].wine_name)
    assert set(opened.chat().ask(question).df.iloc[:, 0]) == expected


@pytest.mark.parametrize("question", ["which wines did Piet Berg rate", "wines rated by Piet Berg"])
def test_what_somebody_rated_is_in_the_ratings(opened: Any, question: str) -> None:
    rows = rated()
    assert set(opened.chat().ask(question).df.iloc[:, 0]) == set(rows[rows.buyer_name == "Piet Berg"].wine_name)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who bought Cima", bought()),
        ("which buyers bought Cima", bought()),
        ("buyers who bought Cima", bought()),
        ("who has bought Cima", bought()),
        ("who rated Cima", rated()),
        ("which buyers rated Cima", rated()),
    ],
)
def test_who_did_it_did_it(opened: Any, question: str, rows: pd.DataFrame) -> None:
    told = opened.chat().ask(question).df
    assert set(told.iloc[:, 0]) == set(rows[rows.wine_name == "Cima"].buyer_name)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many buyers bought Cima", bought()),
        ("number of buyers who bought Cima", bought()),
        ("how many buyers rated Cima", rated()),
    ],
)
def test_they_are_counted_once(opened: Any, question: str, rows: pd.DataFrame) -> None:
    told = opened.chat().ask(question).df
    assert told.iloc[0, 0] == rows[rows.wine_name == "Cima"].buyer_id.nunique()


def test_a_group_of_what_they_bought(opened: Any) -> None:
    rows = bought()
    told = opened.chat().ask("which colours did buyers from Vigo buy").df
    assert set(told.iloc[:, 0]) == set(rows[rows.town == "Vigo"].colour)


@pytest.mark.parametrize("question", ["who made purchase 7", "who placed purchase 7", "who has made purchase 7"])
def test_who_did_it_of_one_row_is_whose_it_is(opened: Any, question: str) -> None:
    tables = cellar()
    rows = tables["purchases"].merge(tables["buyers"])
    assert rows[rows.purchase_id == 7].buyer_name.iloc[0] in opened.chat().ask(question).df.astype(str).to_numpy()


@pytest.mark.parametrize("question", ["where is Cima", "when Cima", "why Cima"])
def test_what_was_said_is_no_answer(opened: Any, question: str) -> None:
    assert not opened.chat().ask(question).sql
