"""What sells best: by the pieces that were sold of it, else by how often; no time is the best, and what is asked for is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def kiosk(*, pieces: bool) -> dict[str, pd.DataFrame]:
    """Sales of a kiosk's things in two places, each of some pieces or of one."""
    dice = np.random.default_rng(19)
    things = pd.DataFrame(
        {
            "thing_id": range(1, 5),
            "thing_name": ["Ink", "Jar", "Kite", "Lamp"],
            "colour": ["red", "red", "blue", "blue"],
        }
    )
    sales = pd.DataFrame({
        "sale_id": range(1, 401), "thing_id": dice.choice(range(1, 5), 400, p=[0.4, 0.3, 0.2, 0.1]), "town": dice.choice(["Ayr", "Bray"], 400),
        "sold_at": pd.Timestamp("2024-02-01") + pd.to_timedelta(dice.integers(0, 300, 400), "D"), "paid": dice.integers(1, 30, 400),
    })  # fmt: skip
    if pieces:
        sales["quantity"] = np.where(sales.thing_id == 3, 9, 2)
    return {"things": things, "sales": sales}


@pytest.fixture(scope="module")
def of_pieces() -> Iterator[Any]:
    with svc.embedded(kiosk(pieces=True)) as opened:
        yield opened


@pytest.fixture(scope="module")
def of_rows() -> Iterator[Any]:
    with svc.embedded(kiosk(pieces=False)) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "best selling thing",
        "what is our best-selling thing",
        "top selling thing",
        "what was the best selling thing of 2024",
    ],
)
def test_it_is_what_most_pieces_were_sold_of(of_pieces: Any, question: str) -> None:
    assert "Kite" in of_pieces.chat().ask(question).df.astype(str).to_numpy()


@pytest.mark.parametrize("question", ["best selling thing", "top-selling thing"])
def test_where_rows_are_single_pieces_it_is_what_is_sold_most_often(of_rows: Any, question: str) -> None:
    assert "Ink" in of_rows.chat().ask(question).df.astype(str).to_numpy()


def test_several_are_asked_for_in_the_plural(of_pieces: Any) -> None:
    found = of_pieces.chat().ask("best selling things").df
    assert len(found) == 4 and found.iloc[0, 0] == "Kite"


@pytest.mark.parametrize(
    "question", ["worst selling thing in Ayr", "top selling red in Bray", "best selling", "best selling colour"]
)
def test_the_best_is_no_time(of_pieces: Any, question: str) -> None:
    assert "sold_at" not in (of_pieces.chat().ask(question).sql or "")


def test_what_is_asked_for_is_told(of_pieces: Any) -> None:
    answer = of_pieces.chat().ask("what is our thing with the most quantity")
    assert answer.sql is None or '"thing_name"' in answer.sql
