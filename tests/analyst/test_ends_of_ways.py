"""Which of two ends a noun is for where a word stands last that tells it, and what has the most of some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

TOWNS = ["Alta", "Bodo", "Drammen", "Hamar", "Molde"]


def parcels() -> pd.DataFrame:
    """Parcels from town to town, with what courier, van and make of van."""
    dice = np.random.default_rng(31)
    n = 900
    courier = dice.choice(["Kvikk", "Lyn", "Rask"], n, p=[0.5, 0.3, 0.2])
    van = dice.integers(1, 31, n)
    made = pd.DataFrame(
        {
            "parcel_id": range(1, n + 1),
            "posted_at": pd.Timestamp("2025-01-01") + pd.to_timedelta(dice.integers(0, 365, n), "D"),
            "origin_town": dice.choice(TOWNS[:4], n),
            "destination_town": dice.choice(TOWNS[1:], n),
            "courier": courier,
            "van": [f"V-{number:02d}" for number in van],
            "maker": np.array(["Ford", "Iveco", "Renault"])[van % 7 % 3],
            "weight_kg": dice.integers(1, 300, n) / 10,
        }
    )
    return made[(made.courier != "Rask") | (made.destination_town == "Molde") & (made.origin_town != "Hamar")]


ROWS = parcels()
RASK = ROWS[ROWS.courier == "Rask"]


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded({"parcels": ROWS}) as opened:
        yield lambda question: opened.chat().ask(question)


def listed(answer: Any) -> set[str]:
    assert answer.result is not None, answer.text
    return set(answer.result.to_frame().iloc[:, 0])


@pytest.mark.parametrize(
    ("question", "rows", "column"),
    [
        ("which towns does Rask deliver to", RASK, "destination_town"),
        ("which towns does Rask deliver from?", RASK, "origin_town"),
        ("towns that Rask delivers to", RASK, "destination_town"),
        ("list the towns Rask ships from", RASK, "origin_town"),
        ("which towns can we ship to from Alta", ROWS[ROWS.origin_town == "Alta"], "destination_town"),
    ],
)
def test_the_word_that_stands_last_tells_the_end(asked: Any, question: str, rows: pd.DataFrame, column: str) -> None:
    assert listed(asked(question)) == set(rows[column])


def test_ends_are_counted_alike(asked: Any) -> None:
    found = asked("how many towns does Rask deliver from").result.to_frame()
    assert found.iloc[0, -1] == RASK.origin_town.nunique()


@pytest.mark.parametrize(
    "question", ["most common maker of vans that go to Molde", "which maker has the most vans that go to Molde"]
)
def test_the_most_common_of_some_has_the_most_of_them(asked: Any, question: str) -> None:
    found = asked(question).result.to_frame()
    vans = ROWS[ROWS.destination_town == "Molde"].groupby("maker").van.nunique()
    assert (found.iloc[0, 0], found.iloc[0, -1]) == (vans.idxmax(), vans.max())
