"""The biggest boats of a club, where each row tells how long a boat is: by the average of that number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def races() -> pd.DataFrame:
    """Starts in regattas: club, boat, its length and the year it was built, and how it went."""
    dice = np.random.default_rng(12)
    n = 600
    boat = dice.integers(1, 41, n)
    return pd.DataFrame(
        {
            "start_id": range(1, n + 1),
            "raced_on": pd.Timestamp("2025-03-01") + pd.to_timedelta(dice.integers(0, 200, n), "D"),
            "club": np.array(["Aalto", "Brise", "Corrente", "Duin"])[boat % 4],
            "boat_name": [f"Boat {number}" for number in boat],
            "boat_length": 5 + boat * 3 % 11,
            "boat_year_built": 1970 + boat * 7 % 50,
            "minutes": dice.integers(40, 200, n),
        }
    )


ROWS = races()


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded({"starts": ROWS}) as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.mark.parametrize(
    ("question", "column", "end"),
    [
        ("which club sails the longest boats", "boat_length", "idxmax"),
        ("which club has the shortest boats?", "boat_length", "idxmin"),
        ("which club owns the oldest boats on average", "boat_year_built", "idxmin"),
        ("which club has the newest boats", "boat_year_built", "idxmax"),
    ],
)
def test_things_are_ranked_by_the_average_of_their_number(asked: Any, question: str, column: str, end: str) -> None:
    means = ROWS.groupby("club")[column].mean()
    answer = asked(question)
    assert answer.result is not None, answer.text
    frame = answer.result.to_frame()
    assert frame.iloc[0, 0] == getattr(means, end)()
    assert frame.iloc[0, 1] == pytest.approx(means[frame.iloc[0, 0]])
