"""How many there are of something for each of something else: of lines as items, averaged, and group by group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def workshop() -> dict[str, pd.DataFrame]:
    """Jobs of a workshop for its clients, each of some parts."""
    dice = np.random.default_rng(31)
    clients = pd.DataFrame(
        {
            "client_id": range(1, 41),
            "client_name": [f"Client {n:02d}" for n in range(1, 41)],
            "area": ["North", "South"] * 20,
        }
    )
    jobs = pd.DataFrame({
        "job_id": range(1, 201), "client_id": dice.integers(1, 37, 200), "bay": dice.choice(["inside", "outside"], 200),
        "begun_on": pd.Timestamp("2024-03-01") + pd.to_timedelta(dice.integers(0, 200, 200), "D"),
    })  # fmt: skip
    parts = pd.DataFrame(
        {"part_id": range(1, 11), "part_name": [f"Part {c}" for c in "ABCDEFGHIJ"], "kind": ["metal", "rubber"] * 5}
    )
    lines = pd.DataFrame({
        "line_id": range(1, 701), "job_id": dice.integers(1, 201, 700), "part_id": dice.integers(1, 11, 700),
        "quantity": dice.integers(1, 6, 700), "unit_price": dice.integers(2, 90, 700),
    })  # fmt: skip
    complaints = pd.DataFrame(
        {
            "complaint_id": range(1, 61),
            "part_id": dice.integers(1, 11, 60),
            "written_on": pd.Timestamp("2024-05-01") + pd.to_timedelta(dice.integers(0, 90, 60), "D"),
        }
    )
    return {"clients": clients, "jobs": jobs, "parts": parts, "job_lines": lines, "complaints": complaints}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(workshop()) as client:
        yield client


@pytest.mark.parametrize(
    "question", ["average number of items per job", "average number of job lines per job", "average items per job"]
)
def test_lines_are_the_items_of_what_they_belong_to(opened: Any, question: str) -> None:
    lines = workshop()["job_lines"]
    assert opened.chat().ask(question).df.iloc[0, 0] == pytest.approx(len(lines) / lines.job_id.nunique())


@pytest.mark.parametrize("question", ["average complaints per part", "average number of complaints per part"])
def test_things_of_another_table_are_counted_whatever_lines_cost(opened: Any, question: str) -> None:
    complaints = workshop()["complaints"]
    assert opened.chat().ask(question).df.iloc[0, 0] == pytest.approx(len(complaints) / complaints.part_id.nunique())


@pytest.mark.parametrize(
    "question",
    ["average number of jobs per client by area", "jobs per client in each area", "mean jobs per client by area", "avg number of jobs per client for each area"],
)  # fmt: skip
def test_an_average_number_has_groups(opened: Any, question: str) -> None:
    tables = workshop()
    jobs = tables["jobs"].merge(tables["clients"]).groupby("area").size()
    expected = (jobs / tables["clients"].groupby("area").size()).to_dict()
    told = opened.chat().ask(question).df
    assert dict(zip(told.iloc[:, 0], told.iloc[:, -1], strict=True)) == pytest.approx(expected)


@pytest.mark.parametrize(
    "question",
    [
        "number of jobs per job",
        "average number of jobs per job",
        "number of items per job by bay",
        "jobs per job by bay",
    ],
)
def test_nothing_is_counted_for_each_of_itself(opened: Any, question: str) -> None:
    answer = opened.chat().ask(question)
    assert not answer.sql or set(answer.df.iloc[:, -1]) != {1}
