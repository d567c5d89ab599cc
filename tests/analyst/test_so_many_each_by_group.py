"""How many of one there are for each of another, by what those are of; the middle of what each row has so much of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def harbour_school() -> dict[str, pd.DataFrame]:
    """Lessons of the boats of some clubs, some boats without any, and the crew aboard each lesson."""
    dice = np.random.default_rng(83)
    clubs = pd.DataFrame(
        {"club_id": range(1, 5), "club_name": ["Arun", "Bude", "Cowes", "Deal"], "coast": list("SWSE")}
    )
    boats = pd.DataFrame(
        {
            "boat_id": range(1, 41),
            "boat_name": [f"Gull {i}" for i in range(40)],
            "club_id": [1 + i % 4 for i in range(40)],
            "rig": [["sloop", "cat"][i % 3 == 0] for i in range(40)],
        }
    )
    lessons = pd.DataFrame(
        {
            "lesson_id": range(1, 701),
            "boat_id": dice.integers(1, 35, 700),
            "held_on": pd.Timestamp("2024-03-01") + pd.to_timedelta(dice.integers(0, 200, 700), "D"),
            "crew": dice.integers(1, 9, 700),
            "fee": dice.integers(20, 90, 700),
        }
    )
    return {"clubs": clubs, "boats": boats, "lessons": lessons}


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded(harbour_school()) as opened:
        yield lambda question: opened.chat().ask(question).df


def per_boat(by: str) -> dict[str, float]:
    tables = harbour_school()
    boats = tables["boats"].merge(tables["clubs"])
    lessons = tables["lessons"].merge(boats)
    return (lessons.groupby(by).size() / boats.groupby(by).size()).to_dict()


@pytest.mark.parametrize(
    ("question", "by"),
    [
        ("lessons per boat by club", "club_name"),
        ("lessons per boat in each club", "club_name"),
        ("average lessons per boat by club", "club_name"),
        ("average number of lessons per boat by rig", "rig"),
        ("average lessons per boat per rig", "rig"),
        ("average number of lessons per boat by coast", "coast"),
    ],
)
def test_each_has_as_many_as_there_are_for_one(asked: Any, question: str, by: str) -> None:
    found = asked(question)
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == pytest.approx(per_boat(by))


@pytest.mark.parametrize("fold", ["median", "average"])
@pytest.mark.parametrize("per", ["by rig", "for each rig"])
def test_of_what_each_row_has_it_is_that_of_the_rows(asked: Any, fold: str, per: str) -> None:
    tables = harbour_school()
    crew = tables["lessons"].merge(tables["boats"]).groupby("rig").crew
    expected = (crew.median() if fold == "median" else crew.mean()).to_dict()
    found = asked(f"{fold} crew per lesson {per}")
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == pytest.approx(expected)
