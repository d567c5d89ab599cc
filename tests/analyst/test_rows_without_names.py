"""One table, whose rows have neither a key nor a name: what they are is all of their columns. Answers are pandas'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

COLUMNS = ["rented_at", "station", "bike_type", "minutes", "price_eur"]


@pytest.fixture(scope="module")
def rentals() -> pd.DataFrame:
    random = np.random.default_rng(3)
    minutes_apart = np.sort(random.choice(400 * 24 * 60, 300, replace=False))
    return pd.DataFrame({
        "rented_at": pd.Timestamp("2024-01-05") + pd.to_timedelta(minutes_apart, unit="min"),
        "station": random.choice(["Harbour", "Old Town", "Campus"], 300),
        "bike_type": random.choice(["city", "e-bike", "cargo"], 300),
        "minutes": random.permutation(300) + 1,
        "price_eur": (random.permutation(300) + 51) / 20,
    })  # fmt: skip


@pytest.fixture(scope="module", params=["alone", "named"])
def client(request: pytest.FixtureRequest, rentals: pd.DataFrame) -> Iterator[Any]:
    """As a frame of which nothing is known, and by its name."""
    with svc.embedded(rentals if request.param == "alone" else {"rentals": rentals}) as client:
        yield client


@pytest.mark.parametrize("question", ["how many rows are there", "number of records", "how many entries"])
def test_words_for_any_row_are_its_rows(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    assert answer.df.to_numpy().tolist() == [[300]], answer.text


@pytest.mark.parametrize(
    ("question", "by", "rising", "number"),
    [
        ("the last 5 rows", "rented_at", False, 5), ("show the first 3 records", "rented_at", True, 3),
        ("the 4 most expensive rows", "price_eur", False, 4), ("the latest row", "rented_at", False, 1),
    ],
)  # fmt: skip
def test_rows_are_shown_whole(
    client: Any, rentals: pd.DataFrame, question: str, by: str, rising: bool, number: int
) -> None:
    answer = client.chat().ask(question)
    assert set(answer.df) == set(COLUMNS), answer.text
    wanted = rentals.sort_values(by, ascending=rising).head(number)
    assert [round(float(one), 2) for one in answer.df["price_eur"]] == wanted["price_eur"].round(2).tolist()


@pytest.mark.parametrize(
    ("question", "column", "least", "over"),
    [
        ("how many rows last longer than 45 minutes", None, "minutes", 45),
        ("average price of rows that took at least 30 minutes", "price_eur", "minutes", 29.5),
        ("average price of rows that lasted at least half an hour", "price_eur", "minutes", 29.5),
        ("average price of rows above 5 euros", "price_eur", "price_eur", 5),
    ],
)
def test_a_bound_is_of_what_has_its_unit(
    client: Any, rentals: pd.DataFrame, question: str, column: str | None, least: str, over: float
) -> None:
    answer = client.chat().ask(question)
    kept = rentals[rentals[least] > over]
    wanted = len(kept) if column is None else kept[column].mean()
    assert answer.df.to_numpy().tolist() == [[pytest.approx(wanted, rel=1e-4)]], answer.text
    assert "left out" not in answer.text


def test_last_is_still_what_was_before(client: Any) -> None:
    assert ">= " in client.chat().ask("how many rows in the last 3 months").sql
