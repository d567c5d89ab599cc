"""What is counted of the one that an answer told: *from there*, *that day*; a whole question stays one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def boardings() -> pd.DataFrame:
    """Boardings of ferries of three lines from four piers."""
    dice = np.random.default_rng(8)
    n = 1800
    return pd.DataFrame(
        {
            "boarding_id": range(1, n + 1),
            "boarded_at": pd.Timestamp("2025-05-01") + pd.to_timedelta(dice.integers(0, 120 * 24 * 60, n), "min"),
            "pier": dice.choice(["Ash", "Birch", "Cedar", "Dogwood"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "line": dice.choice(["Blue", "Green", "Red"], n, p=[0.6, 0.3, 0.1]),
            "vessel": dice.choice([f"Ferry {k}" for k in range(12)], n),
            "missed": dice.random(n) < 0.1,
        }
    )


ROWS = boardings()


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded({"boardings": ROWS}) as client:
        yield client


def last(opened: Any, *turns: str) -> pd.DataFrame:
    chat = opened.chat()
    answers = [chat.ask(turn) for turn in turns]
    assert answers[-1].result is not None, answers[-1].text
    return answers[-1].result.to_frame()


def test_there_is_where_the_most_were(opened: Any) -> None:
    found = last(opened, "which pier has the most boardings", "how many different vessels leave from there")
    assert found.iloc[0, -1] == ROWS[ROWS.pier == "Ash"].vessel.nunique()


def test_that_day_is_the_one_that_was_told(opened: Any) -> None:
    """All boardings of the day, and not only the missed ones that it has most of."""
    missed = ROWS[ROWS.missed].boarded_at.dt.date.value_counts()
    day = min(missed[missed == missed.max()].index)
    found = last(opened, "which day had the most missed boardings", "how many boardings that day")
    assert found.iloc[0, -1] == (ROWS.boarded_at.dt.date == day).sum()


def test_that_day_is_told_as_a_day(opened: Any) -> None:
    chat = opened.chat()
    chat.ask("busiest day")
    day = ROWS.boarded_at.dt.date.value_counts().sort_index().idxmax()
    assert f"on {day.day} {day:%B} 2025" in chat.ask("how many boardings that day").text


def test_what_there_is_points_at_nothing(opened: Any) -> None:
    found = last(opened, "which pier has the most boardings", "how many lines are there")
    assert found.iloc[0, -1] == 3


@pytest.mark.parametrize("turn", ["which was higher?", "which of the two is bigger", "which one was more"])
def test_which_of_two_numbers_compares_both(opened: Any, turn: str) -> None:
    found = last(opened, "how many boardings in June", "and in July", turn)
    months = ROWS.boarded_at.dt.month.value_counts()
    assert sorted(found.iloc[:, -1]) == sorted([months[6], months[7]])
