"""The same question in another grammatical frame: said as a comparison with all others, passively, with its whole apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.turning import in_plain_frame


@cache
def tables() -> dict[str, pd.DataFrame]:
    """Dogs, who walks them, and their walks."""
    dice, count = np.random.default_rng(11), 400
    walkers = pd.DataFrame({
        "walker_id": range(1, 7), "walker_name": ["Ada Ash", "Ben Birk", "Cleo Crane", "Dov Dole", "Esme Eddy", "Fay Fox"],
        "hired_on": pd.to_datetime(["2019-04-01", "2018-02-12", "2021-07-30", "2022-01-03", "2020-11-11", "2023-05-05"]),
    })  # fmt: skip
    dogs = pd.DataFrame({
        "dog_id": range(1, 25), "dog_name": [f"Dog{n}" for n in range(1, 25)],
        "breed": np.array(["Beagle", "Collie", "Whippet"])[dice.integers(0, 3, 24)],
        "town": np.array(["Lynton", "Porlock", "Minehead"])[dice.choice(3, 24, p=[0.2, 0.5, 0.3])],
        "vet_phone": [None if n % 5 == 0 else f"01398 4{n:04d}" for n in range(1, 25)],
    })  # fmt: skip
    status = np.array(["done", "done", "done", "cancelled"], dtype=object)[dice.integers(0, 4, count)]
    reasons = np.array(["rain", "illness", "no key"], dtype=object)[dice.choice(3, count, p=[0.5, 0.3, 0.2])]
    walks = pd.DataFrame({
        "walk_id": range(1, count + 1), "walker_id": dice.choice(5, count, p=[0.4, 0.25, 0.15, 0.1, 0.1]) + 1,
        "dog_id": dice.integers(1, 25, count),
        "walked_on": pd.Timestamp("2023-03-01") + pd.to_timedelta(dice.integers(0, 600, count), unit="D"),
        "km": np.round(dice.uniform(1, 9, count), 1), "status": status,
        "cancel_reason": [reason if so == "cancelled" else None for so, reason in zip(status, reasons, strict=True)],
    })  # fmt: skip
    return {"walkers": walkers, "dogs": dogs, "walks": walks}


@cache
def walked() -> pd.DataFrame:
    held = tables()
    return held["walks"].merge(held["walkers"]).merge(held["dogs"])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(tables()) as opened:
        yield opened


def rows(client: Any, question: str) -> list[list[Any]]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    found = answer.result.load_all()
    return [[v.item() if hasattr(v, "item") else v for v in row] for row in found.itertuples(index=False)]


def commonest(key: str) -> str:
    return str(walked()[key].value_counts().idxmax())


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which walker has more walks than any other?", lambda: commonest("walker_name")),
        ("Which breed gets more walks than all the others?", lambda: commonest("breed")),
        ("By which walker were fewer walks done than by any other?", lambda: str(walked().walker_name.value_counts().idxmin())),
        ("In which town do more of our dogs live than in any other?", lambda: str(tables()["dogs"].town.value_counts().idxmax())),
        ("From what town do we get more walks than from any other?", lambda: commonest("town")),
        ("The breed for which we have more walks than for any other", lambda: commonest("breed")),
        ("Which breed has a longer mean km than every other breed?", lambda: str(walked().groupby("breed").km.mean().idxmax())),
        ("Name the walker who was hired before all the others", lambda: "Ben Birk"),
    ],
)  # fmt: skip
def test_more_than_any_other_is_the_most(client: Any, question: str, first: Any) -> None:
    found = rows(client, question)
    assert len(found) == 1
    assert found[0][0] == first()


@pytest.mark.parametrize(
    ("turned", "plain"),
    [
        ("Of all walks, what proportion has cancelled as its status?", "what share of walks is cancelled"),
        ("Out of all walks, how big is the share that was cancelled?", "what share of walks is cancelled"),
        ("By which walkers have more than 60 walks been done?", "walkers with more than 60 walks"),
        ("Breed by breed, what is the mean km?", "average km per breed"),
        ("Breed by breed, what is the highest km?", "highest km per breed"),
        ("The proportion of cancelled walks among walks in 2024", "what share of walks in 2024 is cancelled"),
        ("Of the walks in 2024, list the 5 with the highest km", "5 walks in 2024 with the highest km"),
        ("Cancelled walks as a proportion of all walks", "what share of walks is cancelled"),
        ("Broken down by town, how many walks were there?", "walks per town"),
        ("What causes walks to be cancelled?", "why are walks cancelled"),
        ("Whose vet phone is missing among the dogs?", "dogs without a vet phone"),
        ("For which dogs is the vet phone missing?", "dogs without a vet phone"),
        ("The date of the most recent walk", "when was the last walk"),
        ("Rank the walkers by how many walks they have and show the first three", "top 3 walkers by number of walks"),
        ("Rank the breeds by mean km, with the lowest first", "average km by breed, lowest first"),
        ("A monthly count of walks", "walks per month"),
        ("Compare Collie and Beagle by their mean km", "average km of Collie vs Beagle"),
        ("Count the walks for each breed", "walks per breed"),
    ],
)
def test_a_turned_frame_is_read_as_the_plain_one(client: Any, turned: str, plain: str) -> None:
    assert sorted(map(str, rows(client, turned))) == sorted(map(str, rows(client, plain)))


def test_who_never_did_anything_is_asked_for_passively(client: Any) -> None:
    assert "Fay Fox" in str(rows(client, "By which walkers has no walk ever been done?"))


@pytest.mark.parametrize(
    "question",
    [
        "which walker did more walks than all the others together",
        "more dogs than cats in every town",
        "walks longer than the average walk",
        "which of the other walkers are busy",
        "whose dogs are older than 10",
        "other than Beagle, which breeds are there",
        "what makes a walk long",
        "count by town",
        "share of walks among towns",
        "how does that compare to April?",
        "missed walks as a share of all walks per walker",
        "is Ada Ash faster than the others",
        "why is Ada Ash slower than the rest",
        "are beagles worse on Mondays than the rest of the week",
        "rank the walkers by km",
        "which books were sold by weight",
    ],
)
def test_other_frames_stay_as_they_are(question: str) -> None:
    assert in_plain_frame(question) == question
