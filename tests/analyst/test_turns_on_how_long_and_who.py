"""Turns about how long something took, in another unit, and about who did the one that was shown, and the next one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def kennel() -> dict[str, pd.DataFrame]:
    """Walks with dogs, each begun and ended by one of the walkers."""
    dice = np.random.default_rng(67)
    walkers = pd.DataFrame(
        {"employee_id": range(1, 9), "employee_name": ["Ann", "Bo", "Cal", "Dee", "Eli", "Fay", "Gil", "Hal"]}
    )
    begun = pd.Timestamp("2024-04-01 07:00") + pd.to_timedelta(dice.integers(0, 200 * 24 * 60, 300), "min")
    walks = pd.DataFrame({
        "walk_id": range(1, 301), "walk_code": [f"W{n:04d}" for n in range(300)], "employee_id": dice.integers(1, 9, 300), "park": dice.choice(["Elm", "Oak"], 300),
        "begun_at": begun, "finished_at": begun + pd.to_timedelta(dice.integers(10, 300, 300), "min"), "distance_km": (dice.permutation(300) + 1) / 10,
    })  # fmt: skip
    return {"employees": walkers, "walks": walks}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(kennel()) as client:
        yield client


def rows() -> pd.DataFrame:
    tables = kennel()
    found = tables["walks"].merge(tables["employees"])
    return found.assign(took=(found.finished_at - found.begun_at).dt.total_seconds() / 60)


def last(opened: Any, *turns: str) -> Any:
    chat = opened.chat()
    return [chat.ask(turn) for turn in turns][-1]


@pytest.mark.parametrize(
    ("turns", "unit", "size"),
    [(["in minutes"], "minutes", 1), (["in minutes", "in hours"], "hours", 60), (["in seconds"], "seconds", 1 / 60)],
)
def test_how_long_is_told_in_another_unit(opened: Any, turns: list[str], unit: str, size: float) -> None:
    told = last(opened, "average hours from begun to finished by park", *turns)
    expected = (rows().groupby("park").took.mean() / size).to_dict()
    assert dict(zip(told.df.iloc[:, 0], told.df.iloc[:, -1], strict=True)) == pytest.approx(expected)
    assert unit in told.text


@pytest.mark.parametrize("first", ["longest walk by distance", "longest walk by distance in Oak"])
@pytest.mark.parametrize("who", ["who did it", "and who made that"])
def test_who_did_the_one_that_is_shown_and_the_next(opened: Any, first: str, who: str) -> None:
    of = rows()[rows().park == "Oak"] if first.endswith("Oak") else rows()
    ranked = of.sort_values("distance_km", ascending=False)
    assert ranked.employee_name.iloc[0] in last(opened, first, who).df.astype(str).to_numpy()
    second = last(opened, first, who, "and the second longest").df
    assert ranked.distance_km.iloc[1] == pytest.approx(second.distance_km.iloc[0])
    assert ranked.employee_name.iloc[1] in second.astype(str).to_numpy()


def test_what_leans_on_an_unanswered_turn_is_not_of_all(opened: Any) -> None:
    assert not last(opened, "walks per park", "which is the fanciest", "how many walks did it have").sql
