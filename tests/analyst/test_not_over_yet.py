"""What is open, unpaid or not done yet lacks the date of it; a verb that a flag begins with names no flag; namesakes are two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def garage() -> dict[str, pd.DataFrame]:
    """Jobs in the bays of some garages, some of which are still worked on, and bills, some of which nobody has paid."""
    dice = np.random.default_rng(61)
    sites = pd.DataFrame(
        {"site_id": range(1, 7), "site_name": ["Ford", "Gill", "Hove", "Ince", "Jura", "Kent"],
         "has_ramp": [True, False, True, False, True, False]}
    )  # fmt: skip
    bays = pd.DataFrame(
        {
            "bay_id": range(1, 31),
            "bay_number": [f"{1 + i // 6}" for i in range(30)],
            "site_id": [1 + i % 6 for i in range(30)],
        }
    )
    begun = pd.Timestamp("2024-01-02") + pd.to_timedelta(dice.integers(0, 500, 600), "D")
    jobs = pd.DataFrame(
        {
            "job_id": range(1, 601),
            "bay_id": dice.integers(1, 31, 600),
            "kind": dice.choice(["brakes", "tyres", "paint"], 600),
            "begun_on": begun,
            "completed_on": pd.Series(begun + pd.to_timedelta(dice.integers(1, 30, 600), "D")).where(
                dice.random(600) < 0.8
            ),
            "hours": dice.integers(1, 40, 600),
        }
    )
    drivers = pd.DataFrame(
        {"driver_id": range(1, 61), "driver_name": [f"{'ABCDEFG'[i % 7]}l Orr {'XYZUV'[i % 5]}" for i in range(60)]}
    )
    billed = pd.Timestamp("2024-02-01") + pd.to_timedelta(dice.integers(0, 500, 500), "D")
    bills = pd.DataFrame(
        {
            "bill_id": range(1, 501),
            "driver_id": dice.integers(1, 61, 500),
            "billed_on": billed,
            "paid_on": pd.Series(billed + pd.to_timedelta(dice.integers(1, 60, 500), "D")).where(
                dice.random(500) < 0.7
            ),
            "amount": dice.integers(20, 900, 500),
        }
    )
    return {"sites": sites, "bays": bays, "jobs": jobs, "drivers": drivers, "bills": bills}


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded(garage()) as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return garage()


@pytest.mark.parametrize(
    "question",
    [
        "how many jobs are open",
        "how many jobs are still open",
        "open jobs",
        "how many unfinished jobs are there",
        "how many jobs have not been completed yet",
        "how many jobs are not yet completed",
    ],
)
def test_what_is_open_has_no_date_of_its_end(asked: Any, tables: dict[str, pd.DataFrame], question: str) -> None:
    assert asked(question).df.iloc[0, 0] == tables["jobs"].completed_on.isna().sum()


@pytest.mark.parametrize(
    "question",
    [
        "bills over 600 that have not been paid yet",
        "bills over 600 not yet paid",
        "unpaid bills over 600",
        "how many open bills over 600 are there",
        "bills over 600 that are outstanding",
    ],
)
def test_what_was_not_paid_is_told_from_the_rest(asked: Any, tables: dict[str, pd.DataFrame], question: str) -> None:
    bills = tables["bills"]
    assert asked(question).df.iloc[0, 0] == (bills.paid_on.isna() & (bills.amount > 600)).sum()


def test_open_ones_are_grouped_and_ranked(asked: Any, tables: dict[str, pd.DataFrame]) -> None:
    rows = tables["jobs"].merge(tables["bays"]).merge(tables["sites"])
    expected = rows[rows.completed_on.isna()].groupby("site_name").size()
    per = asked("how many open jobs per site").df
    assert dict(zip(per.iloc[:, 0], per.iloc[:, 1], strict=True)) == expected.to_dict()
    assert asked("which site has the most open jobs").df.iloc[0, 0] == expected.idxmax()
    some = asked("sites with more than 20 open jobs").df
    assert set(some.iloc[:, 0]) == set(expected[expected > 20].index)


def test_the_longest_open_one_began_first(asked: Any, tables: dict[str, pd.DataFrame]) -> None:
    jobs = tables["jobs"]
    begun = jobs[jobs.completed_on.isna()].begun_on.min()
    assert pd.Timestamp(asked("longest open job").df["begun_on"].iloc[0]) == begun


def test_a_number_of_unpaid_ones_bounds_whose_they_are(asked: Any, tables: dict[str, pd.DataFrame]) -> None:
    bills = tables["bills"]
    owing = bills[bills.paid_on.isna()].groupby("driver_id").size()
    for question in ("which drivers have more than 3 unpaid bills", "drivers with more than 3 open bills"):
        assert set(asked(question).df["driver_id"]) == set(owing[owing > 3].index)


def test_whoever_has_most_is_one_of_several_called_alike(asked: Any, tables: dict[str, pd.DataFrame]) -> None:
    most = tables["bills"].groupby("driver_id").size().max()
    assert asked("which driver has the most bills").df.iloc[0, -1] == most


def test_numbers_of_bays_are_of_one_site_each(asked: Any, tables: dict[str, pd.DataFrame]) -> None:
    per = tables["jobs"].groupby("bay_id").size()
    assert set(asked("which bays had more than 25 jobs").df["bay_id"]) == set(per[per > 25].index)
    assert len(asked("number of jobs by bay number").df) == tables["bays"].bay_number.nunique()


@pytest.mark.parametrize(
    "question", ["which site has the most jobs", "which site has had the most jobs", "site that has the most jobs"]
)
def test_the_verb_of_a_flag_is_no_flag(asked: Any, tables: dict[str, pd.DataFrame], question: str) -> None:
    rows = tables["jobs"].merge(tables["bays"]).merge(tables["sites"])
    assert asked(question).df.iloc[0, 0] == rows.groupby("site_name").size().idxmax()


def test_the_flag_is_still_read_by_its_own_word(asked: Any, tables: dict[str, pd.DataFrame]) -> None:
    assert asked("how many sites have a ramp").df.iloc[0, 0] == tables["sites"].has_ramp.sum()
