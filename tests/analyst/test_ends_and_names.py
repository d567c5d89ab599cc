"""Where people go, who goes nowhere, which are the oldest, and what people are called; answers in pandas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

SHIPS = pd.DataFrame({
    "ship_id": [1, 2, 3, 4], "ship_name": ["Aurora", "Boreas", "Crest", "Dawn"], "built_year": [1985, 2001, 1999, 2015],
})  # fmt: skip
CAPTAINS = pd.DataFrame({
    "captain_id": [1, 2, 3], "first_name": ["Ida", "Jon", "Kay"], "last_name": ["Berg", "Dahl", "Eng"],
    "rank": ["Senior", "Junior", "Senior"],
})  # fmt: skip
CROSSINGS = pd.DataFrame({
    "crossing_id": range(1, 11), "operator": ["Norden", "Viking", "Stena", "Norden", "Viking"] * 2,
    "origin_harbour": ["Bergen Havn", "Oslo Sentrum"] * 5,
    "destination_harbour": ["Malmo Port", "Turku Harbour", "Turku Harbour", "Turku Harbour", "Turku Harbour"] * 2,
    "sailed_at": pd.to_datetime([f"2023-{1 + k % 3:02d}-{2 + k} 06:00" for k in range(10)]),
    "ship_id": [1, 2, 3, 4, 1] * 2, "captain_id": [1, 2, 3, 1, 2] * 2,
})  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"crossings": CROSSINGS, "ships": SHIPS, "captains": CAPTAINS}) as opened:
        yield opened


def rows(client: Any, question: str) -> list[tuple[Any, ...]]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return [tuple(row) for row in answer.result.load_all().itertuples(index=False)]


def _without(of: Callable[[pd.DataFrame], pd.Series]) -> set[str]:
    return set(CROSSINGS.operator) - set(CROSSINGS[of(CROSSINGS)].operator)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("which operators don't sail to malmo", _without(lambda c: c.destination_harbour == "Malmo Port")),
     ("which operators did not sail in february", _without(lambda c: c.sailed_at.dt.month == 2)),
     ("which harbours do people sail to", set(CROSSINGS.destination_harbour)),
     ("harbours that passengers sail from", set(CROSSINGS.origin_harbour)),
     ("which harbour do people sail to most often", {"Turku Harbour"}),
     ("oldest ship", {"Aurora"}), ("which ship is the newest", {"Dawn"}),
     ("first and last names of senior captains", {"Ida", "Kay"}), ("full names of the captains", {"Ida", "Jon", "Kay"})],
)  # fmt: skip
def test_the_end_of_a_way_or_a_half_of_a_name_is_its_column(client: Any, question: str, wanted: set[str]) -> None:
    assert {row[0] for row in rows(client, question)} == wanted


def test_a_place_in_small_letters_is_one_behind_the_word_for_its_end(client: Any) -> None:
    assert rows(client, "how many crossings to turku") == [(8,)]


def test_both_halves_of_a_name_are_shown(client: Any) -> None:
    shown = rows(client, "forename and surname of the captains")
    assert {row[:2] for row in shown} == set(zip(CAPTAINS.first_name, CAPTAINS.last_name, strict=True))
