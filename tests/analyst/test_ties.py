"""Of two that are as long, one is not *the* longest: what lies level with the last row shown is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    films = pd.DataFrame({
        "film_id": range(1, 9), "title": ["Ash", "Birch", "Cedar", "Dove", "Elm", "Fir", "Gull", "Hazel"],
        "studio": ["North", "North", "South", "South", "West", "West", "West", "East"],
        "minutes": [90, 120, 120, 80, 75, 75, 60, 120],
        "released_on": pd.to_datetime(["2021-01-01", "2021-02-01", "2021-03-01", "2022-01-01", "2022-02-01",
                                       "2022-03-01", "2023-01-01", "2023-02-01"]),
    })  # fmt: skip
    with svc.embedded({"films": films}) as client:
        yield client


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("longest film", {"Birch", "Cedar", "Hazel"}),
        ("top 2 studios by number of films", {"West", "North", "South"}),
        ("top 4 films by minutes", {"Birch", "Cedar", "Hazel", "Ash"}),
        ("shortest film", {"Gull"}),
        ("der längste Film", {"Birch", "Cedar", "Hazel"}),
    ],
)
def test_all_that_share_the_last_place_are_named(client: Any, question: str, told: set[str]) -> None:
    answer = client.chat().ask(question)
    said = set(answer.df.astype(str).to_numpy().ravel()) | {w for w in told if f" {w}" in answer.text}
    assert told <= said, answer.text


@pytest.mark.parametrize("question", ["shortest film", "top 3 films by minutes", "latest film", "films by studio"])
def test_where_nothing_is_level_nothing_is_told(client: Any, question: str) -> None:
    assert "Level with" not in client.chat().ask(question).text
