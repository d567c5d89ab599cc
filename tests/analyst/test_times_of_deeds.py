"""How long something took by what was done: up to that, from the beginning, where the model has no number of that name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def desk(*, timed: bool = False) -> dict[str, pd.DataFrame]:
    """Cases of a help desk with the hours at which each was opened and resolved; ``timed``: a number says how long."""
    dice = np.random.default_rng(41)
    opened = pd.Timestamp("2024-02-01 08:00") + pd.to_timedelta(dice.integers(0, 240 * 24, 400), "h")
    cases = pd.DataFrame({
        "case_id": range(1, 401), "team": dice.choice(["Blue", "Green", "Red"], 400), "topic": dice.choice(["login", "printer"], 400),
        "opened_at": opened, "resolved_at": opened + pd.to_timedelta(dice.integers(1, 200, 400), "h"),
    })  # fmt: skip
    if timed:
        cases["resolution_time_hours"] = dice.integers(1, 9, 400)
    return {"cases": cases}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(desk()) as client:
        yield client


def hours() -> pd.DataFrame:
    cases = desk()["cases"]
    return cases.assign(took=(cases.resolved_at - cases.opened_at).dt.total_seconds() / 3600)


@pytest.mark.parametrize(
    ("question", "fold"),
    [
        ("average resolution time in hours", "mean"),
        ("what is the median resolution time in hours", "median"),
        ("longest resolution time in hours", "max"),
        ("resolution time in hours", "mean"),
    ],
)
def test_one_number_of_all(opened: Any, question: str, fold: str) -> None:
    assert opened.chat().ask(question).df.iloc[0, -1] == pytest.approx(hours().took.agg(fold))


@pytest.mark.parametrize("question", ["average resolution time in hours by team", "resolution time in hours per team"])
def test_one_of_each_group(opened: Any, question: str) -> None:
    told = opened.chat().ask(question).df
    expected = hours().groupby("team").took.mean().to_dict()
    assert dict(zip(told.iloc[:, 0], told.iloc[:, -1], strict=True)) == pytest.approx(expected)


def test_the_group_with_the_longest_is_that_of_the_highest_average(opened: Any) -> None:
    told = opened.chat().ask("which team has the longest resolution time in hours").df
    assert told.iloc[0, 0] == hours().groupby("team").took.mean().idxmax()


@pytest.mark.parametrize(
    "question",
    [
        "how many cases had a resolution time of more than 100 hours",
        "number of cases with a resolution time over 100 hours",
    ],
)
def test_a_bound_is_of_it(opened: Any, question: str) -> None:
    assert (hours().took > 100).sum() in opened.chat().ask(question).df.iloc[0].tolist()


def test_a_spread_of_it_is_not_its_average(opened: Any) -> None:
    answer = opened.chat().ask("distribution of resolution times")
    assert not answer.sql or len(answer.df) > 1


def test_a_number_that_is_called_so_is_that() -> None:
    with svc.embedded(desk(timed=True)) as client:
        told = client.chat().ask("average resolution time by team").df
    expected = desk(timed=True)["cases"].groupby("team").resolution_time_hours.mean().to_dict()
    assert dict(zip(told.iloc[:, 0], told.iloc[:, -1], strict=True)) == pytest.approx(expected)
