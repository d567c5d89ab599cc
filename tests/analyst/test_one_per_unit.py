"""Totals over totals, how long ahead things are booked, and parts of a sum, over stays and over lessons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def inn() -> dict[str, pd.DataFrame]:
    """Stays of an inn, booked some days before they begin."""
    dice, count = np.random.default_rng(8), 300
    booked = pd.Timestamp("2023-06-01") + pd.to_timedelta(dice.integers(0, 500, count), unit="D")
    arrives = booked + pd.to_timedelta(dice.integers(0, 90, count), unit="D")
    return {"stays": pd.DataFrame({
        "stay_id": range(1, count + 1), "booked_on": booked, "check_in": arrives,
        "check_out": arrives + pd.to_timedelta(dice.integers(1, 9, count), unit="D"),
        "room": dice.choice(["loft", "attic", "cellar"], count), "net_amount": np.round(dice.uniform(40, 900, count), 2),
        "channel": dice.choice(["web", "phone", "walk.in"], count), "pets": dice.integers(0, 3, count),
    })}  # fmt: skip


def studio() -> dict[str, pd.DataFrame]:
    """Lessons of a studio with what they cost and how long they last; of some the fee is not known."""
    dice, count = np.random.default_rng(9), 260
    held = pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 200, count), unit="D")
    return {"lessons": pd.DataFrame({
        "lesson_id": range(1, count + 1), "held_on": held, "reserved_on": held - pd.to_timedelta(dice.integers(1, 40, count), unit="D"),
        "teacher": dice.choice(["Ada", "Bo", "Cy"], count), "minutes": dice.choice([30, 45, 60], count),
        "fee": np.where(dice.random(count) < 0.15, np.nan, np.round(dice.uniform(20, 70, count), 2)),
        "listeners": dice.integers(1, 12, count),
    })}  # fmt: skip


@pytest.fixture(scope="module")
def inns() -> Iterator[Any]:
    with svc.embedded(inn()) as opened:
        yield opened


@pytest.fixture(scope="module")
def studios() -> Iterator[Any]:
    with svc.embedded(studio()) as opened:
        yield opened


def _frame(client: Any, question: str) -> pd.DataFrame:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return answer.result.load_all()


def _by(found: pd.DataFrame) -> dict[str, float]:
    return {str(row[0]): round(float(row[-1]), 6) for row in found.itertuples(index=False)}


@pytest.mark.parametrize("question", [
    "fee per minute by teacher", "average fee per minute by teacher", "what is the fee per minute for each teacher",
])  # fmt: skip
def test_totals_over_totals_of_rows_that_have_both(studios: Any, question: str) -> None:
    lessons = studio()["lessons"].dropna(subset="fee")
    sums = lessons.groupby("teacher")[["fee", "minutes"]].sum()
    assert _by(_frame(studios, question)) == {k: round(v, 6) for k, v in (sums["fee"] / sums["minutes"]).items()}


def test_what_there_are_groups_of_is_no_unit(studios: Any) -> None:
    sums = studio()["lessons"].groupby("teacher")["listeners"].sum()
    assert _by(_frame(studios, "total listeners per teacher")) == {k: float(v) for k, v in sums.items()}


def test_days_are_those_of_the_calendar(inns: Any) -> None:
    assert len(_frame(inns, "net amount per day")) == inn()["stays"]["check_in"].nunique()


def _nights(stays: pd.DataFrame) -> pd.Series:
    return (stays["check_out"] - stays["check_in"]).dt.days


def test_nights_are_those_between_arrival_and_departure(inns: Any) -> None:
    stays = inn()["stays"]
    sums = (
        pd.DataFrame({"net": stays["net_amount"], "nights": _nights(stays), "room": stays["room"]})
        .groupby("room")
        .sum()
    )
    assert _by(_frame(inns, "net per night by room")) == {
        k: round(v, 6) for k, v in (sums["net"] / sums["nights"]).items()
    }


def test_nights_of_a_year_begin_in_it(inns: Any) -> None:
    stays = inn()["stays"]
    own = stays[(stays["room"] == "loft") & (stays["check_in"].dt.year == 2024)]
    assert (stays["booked_on"].dt.year != stays["check_in"].dt.year).any()
    found = float(_frame(inns, "net amount per night for lofts in 2024").iloc[0, -1])
    assert found == pytest.approx(own["net_amount"].sum() / _nights(own).sum())


@pytest.mark.parametrize(("question", "folded"), [
    ("how far ahead do people book", "mean"), ("how many days in advance do guests book on average", "mean"),
    ("how many days ahead do people book, median", "median"),
])  # fmt: skip
def test_booked_ahead_of_arrival(inns: Any, question: str, folded: str) -> None:
    stays = inn()["stays"]
    ahead = (stays["check_in"] - stays["booked_on"]).dt.days
    assert float(_frame(inns, question).iloc[0, -1]) == pytest.approx(getattr(ahead, folded)())


def test_reserved_ahead_of_what_is_held(studios: Any) -> None:
    lessons = studio()["lessons"]
    ahead = (lessons["held_on"] - lessons["reserved_on"]).dt.days
    for question in ("how far in advance do people reserve", "how long before are lessons reserved"):
        assert float(_frame(studios, question).iloc[0, -1]) == pytest.approx(ahead.mean())


@pytest.mark.parametrize(("question", "value"), [
    ("what share of our net comes from walk.in", "walk.in"), ("share of the net amount that came from phone", "phone"),
    ("what percentage of the net amount goes to web", "web"),
])  # fmt: skip
def test_part_of_a_sum_by_its_value(inns: Any, question: str, value: str) -> None:
    stays = inn()["stays"]
    part = stays.loc[stays["channel"] == value, "net_amount"].sum() / stays["net_amount"].sum()
    assert float(_frame(inns, question).iloc[0, -1]) == pytest.approx(100 * part)


@pytest.mark.parametrize("question", [
    "which teachers account for what part of the listeners", "what teacher stands for how much % of all listeners?",
])  # fmt: skip
def test_who_accounts_for_what_part(studios: Any, question: str) -> None:
    lessons = studio()["lessons"]
    part = lessons.groupby("teacher")["listeners"].sum() / lessons["listeners"].sum()
    assert _by(_frame(studios, question)) == {k: round(v, 6) for k, v in part.items()}
