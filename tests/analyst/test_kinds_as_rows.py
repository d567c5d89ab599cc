"""A role is who has it where rows are grouped or asked for by it: *visits per nurse* are of each of the nurses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def ward() -> dict[str, pd.DataFrame]:
    """Visits of a ward by those who made them, of some roles, some of whom are there at night only."""
    dice = np.random.default_rng(97)
    names = ["Ann Ray", "Bob Ray", "Cat Orr", "Dan Fay", "Eve Lim", "Fay Dow", "Gus Ott", "Hal Ivy", "Isa Jay"]
    workers = pd.DataFrame(
        {
            "worker_id": range(1, 10),
            "worker_name": names,
            "role": ["nurse"] * 4 + ["surgeon"] * 3 + ["porter"] * 2,
            "works_night_time": dice.random(9) < 0.5,
        }
    )
    visits = pd.DataFrame(
        {
            "visit_id": range(1, 801),
            "worker_id": dice.integers(1, 10, 800),
            "made_at": pd.Timestamp("2024-05-01") + pd.to_timedelta(dice.integers(0, 200, 800), "D"),
            "waiting_minutes": dice.integers(1, 60, 800),
            "outcome": dice.choice(["seen", "missed"], 800, p=[0.8, 0.2]),
        }
    )
    return {"workers": workers, "visits": visits}


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded(ward()) as opened:
        yield lambda question: opened.chat().ask(question).df


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    tables = ward()
    return tables["visits"].merge(tables["workers"])


def by_name(found: pd.DataFrame) -> dict[str, float]:
    return dict(zip(found.iloc[:, 0], found.iloc[:, -1], strict=True))


@pytest.mark.parametrize(
    "question", ["visits per nurse", "how many visits did each nurse have", "number of visits by nurse"]
)
def test_each_of_them_is_told(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert by_name(asked(question)) == rows[rows.role == "nurse"].groupby("worker_name").size().to_dict()


def test_a_number_is_of_each_of_them(asked: Any, rows: pd.DataFrame) -> None:
    expected = rows[rows.role == "surgeon"].groupby("worker_name").waiting_minutes.mean().to_dict()
    assert by_name(asked("average waiting time per surgeon")) == pytest.approx(expected)


def test_a_time_is_no_flag_of_whoever_works_at_that(asked: Any, rows: pd.DataFrame) -> None:
    expected = rows.groupby("worker_name").waiting_minutes.mean().to_dict()
    assert by_name(asked("average waiting time per worker")) == pytest.approx(expected)


def test_which_of_them_has_most(asked: Any, rows: pd.DataFrame) -> None:
    expected = rows[rows.role == "surgeon"].groupby("worker_name").size()
    assert asked("which surgeon had the most visits").iloc[0, 0] == expected.idxmax()
    assert set(asked("surgeons with more than 80 visits").iloc[:, 0]) == set(expected[expected > 80].index)


@pytest.mark.parametrize(
    "question",
    ["share of visits that were missed per nurse", "what percentage of visits were missed by each nurse"],
)
def test_a_share_is_of_their_own(asked: Any, rows: pd.DataFrame, question: str) -> None:
    nurses = rows[rows.role == "nurse"]
    expected = (nurses.outcome == "missed").groupby(nurses.worker_name).mean().to_dict()
    assert by_name(asked(question)) == pytest.approx(expected)


def test_a_role_alone_is_still_one_of_those_who_have_it(asked: Any, rows: pd.DataFrame) -> None:
    assert asked("how many nurses are there").iloc[0, 0] == (ward()["workers"].role == "nurse").sum()
    assert asked("how many visits were made by nurses").iloc[0, 0] == (rows.role == "nurse").sum()
