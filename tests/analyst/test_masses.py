"""Rows that last some time, said of a mass: *total overtime* is how long, and *overtimes* are how many; most is a total."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def plant() -> dict[str, pd.DataFrame]:
    """Overtime of the crews of a bakery by day, and what their ovens made and had to throw away."""
    dice = np.random.default_rng(71)
    crews = pd.DataFrame(
        {"crew_id": range(1, 6), "crew_name": ["Ash", "Birch", "Cedar", "Elm", "Fir"], "hall": list("NSNSN")}
    )
    day = pd.Timestamp("2024-01-01")
    overtimes = pd.DataFrame(
        {
            "overtime_id": range(1, 401),
            "crew_id": dice.integers(1, 6, 400),
            "began_at": day
            + pd.to_timedelta(dice.integers(0, 300, 400), "D")
            + pd.to_timedelta(dice.integers(0, 1400, 400), "min"),
            "minutes": (dice.gamma(1.2, 60, 400) + 5).astype(int),
            "cause": dice.choice(["illness", "rush", "repair"], 400),
            "agreed": dice.random(400) < 0.4,
        }
    )
    loads = pd.DataFrame(
        {
            "load_id": range(1, 901),
            "crew_id": dice.integers(1, 6, 900),
            "baked_on": day + pd.to_timedelta(dice.integers(0, 300, 900), "D"),
            "loaves": dice.integers(20, 90, 900),
            "waste": dice.integers(0, 9, 900),
        }
    )
    return {"crews": crews, "overtimes": overtimes, "loads": loads}


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded(plant()) as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return plant()["overtimes"].merge(plant()["crews"])


@pytest.mark.parametrize("question", ["total overtime per crew", "overtime by crew", "overall overtime per crew"])
def test_a_total_of_it_is_how_long(asked: Any, rows: pd.DataFrame, question: str) -> None:
    found = asked(question).df
    assert (
        dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == rows.groupby("crew_name").minutes.sum().to_dict()
    )


def test_several_are_counted(asked: Any, rows: pd.DataFrame) -> None:
    found = asked("number of overtimes per crew").df
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == rows.groupby("crew_name").size().to_dict()


@pytest.mark.parametrize(
    ("question", "by"),
    [
        ("which crew had the most overtime", "crew_name"),
        ("crew with the most overtime", "crew_name"),
        ("which cause led to the most overtime", "cause"),
    ],
)
def test_most_of_it_is_the_highest_total(asked: Any, rows: pd.DataFrame, question: str, by: str) -> None:
    assert asked(question).df.iloc[0, 0] == rows.groupby(by).minutes.sum().idxmax()


def test_the_best_are_ranked_by_how_long(asked: Any, rows: pd.DataFrame) -> None:
    expected = rows.groupby("crew_name").minutes.sum().nlargest(3).index
    assert list(asked("top 3 crews by overtime").df.iloc[:, 0]) == list(expected)


@pytest.mark.parametrize("question", ["how much overtime did Elm have", "how much overtime did we have for Elm"])
def test_how_much_is_how_long(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert asked(question).df.iloc[0, 0] == rows[rows.crew_name == "Elm"].minutes.sum()


@pytest.mark.parametrize(
    "question",
    ["what percentage of overtime was agreed", "share of overtime that is agreed", "share of agreed overtime"],
)
def test_a_part_of_it_is_one_of_how_long(asked: Any, rows: pd.DataFrame, question: str) -> None:
    part = rows[rows.agreed].minutes.sum() / rows.minutes.sum()
    found = float(asked(question).df.iloc[0, 0])
    assert found == pytest.approx(part, rel=1e-3) or found == pytest.approx(100 * part, rel=1e-3)


def test_a_part_of_several_is_one_of_how_many(asked: Any, rows: pd.DataFrame) -> None:
    assert float(asked("what percentage of overtimes were agreed").df.iloc[0, 0]) == pytest.approx(rows.agreed.mean())


@pytest.mark.parametrize("word", ["day", "date"])
def test_a_day_is_no_time_that_rows_are_called_by(asked: Any, word: str) -> None:
    made = plant()["loads"].groupby("baked_on").size()
    found = asked(f"which {word} had the most loads").df
    assert pd.Timestamp(found.iloc[0, 0]) in set(made[made == made.max()].index)


def test_most_of_a_number_is_its_total(asked: Any) -> None:
    loads = plant()["loads"].merge(plant()["crews"])
    assert asked("which crew had the most waste").df.iloc[0, 0] == loads.groupby("crew_name").waste.sum().idxmax()
