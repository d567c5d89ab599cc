"""What was done to somebody is told by the rows of it; two that are compared by a group stand beside each other in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def kennel() -> dict[str, pd.DataFrame]:
    """Dogs, some of which were boarded, in two houses."""
    dice = np.random.default_rng(41)
    dogs = pd.DataFrame(
        {"dog_id": range(1, 81), "age": dice.integers(0, 16, 80), "town": dice.choice(["Ayr", "Bray"], 80)}
    )
    stays = pd.DataFrame({
        "stay_id": range(1, 121), "dog_id": dice.integers(1, 61, 120), "house": dice.choice(["Barn", "Lodge"], 120),
        "kind": dice.choice(["solo", "shared", "club"], 120), "boarded_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 200, 120), "D"),
    })  # fmt: skip
    return {"dogs": dogs, "stays": stays}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(kennel()) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "town"), [("how many dogs were boarded", ""), ("how many dogs from Ayr were boarded?", "Ayr")]
)
def test_who_something_was_done_to_has_rows_of_it(client: Any, question: str, town: str) -> None:
    dogs, stays = kennel()["dogs"], kennel()["stays"]
    wanted = dogs[dogs.dog_id.isin(stays.dog_id) & (dogs.town.eq(town) if town else True)]
    assert client.chat().ask(question).df.iloc[0, 0] == len(wanted)


def test_what_was_done_is_not_dropped(client: Any) -> None:
    dogs, stays = kennel()["dogs"], kennel()["stays"]
    answer = client.chat().ask("how many dogs over 10 were boarded")
    assert answer.sql is None or answer.df.iloc[0, 0] == (dogs.dog_id.isin(stays.dog_id) & (dogs.age > 10)).sum()


@pytest.mark.parametrize(
    "question", ["compare solo and shared stays by house", "compare solo stays with shared stays per house"]
)
def test_two_that_are_compared_by_a_group_are_told_apart_in_it(client: Any, question: str) -> None:
    stays = kennel()["stays"]
    wanted = stays[stays.kind.isin(["solo", "shared"])].groupby(["house", "kind"]).size()
    found = client.chat().ask(question).df
    assert {(h, k): n for h, k, n in found.itertuples(index=False)} == wanted.to_dict()


@pytest.mark.parametrize(("turn", "end"), [("which is the worst", "max"), ("which one is best", "min")])
def test_the_worst_of_what_nobody_wants_has_most_of_it(turn: str, end: str) -> None:
    dice = np.random.default_rng(7)
    beds = pd.DataFrame({"stay_id": range(1, 301), "ward": dice.choice(["East", "North", "West"], 300)})
    beds["readmitted"] = dice.random(300) < beds.ward.map({"East": 0.1, "North": 0.3, "West": 0.6})
    shares = beds.groupby("ward").readmitted.mean()
    with svc.embedded(beds) as client:
        chat = client.chat()
        chat.ask("readmission rate by ward")
        assert chat.ask(turn).df.iloc[0, 0] == (shares.idxmax() if end == "max" else shares.idxmin())
