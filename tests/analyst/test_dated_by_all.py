"""Rows that were never finished are dated by when they began: nothing else says when they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def flowers() -> pd.DataFrame:
    """Deliveries of flowers: ordered, and delivered unless they were cancelled."""
    dice = np.random.default_rng(44)
    n = 1200
    ordered = pd.Timestamp("2024-06-01") + pd.to_timedelta(dice.integers(0, 420 * 24 * 60, n), "min")
    cancelled = dice.random(n) < 0.12
    made = pd.DataFrame(
        {
            "delivery_id": range(1, n + 1),
            "ordered_at": ordered,
            "delivered_at": ordered + pd.to_timedelta(dice.integers(1, 72, n), "h"),
            "florist": dice.choice(["Iris", "Lily", "Rose"], n),
            "price": dice.integers(10, 90, n),
            "tip": np.where(dice.random(n) < 0.5, dice.integers(1, 9, n), 0),
            "stars": dice.integers(1, 6, n),
            "cancelled": cancelled,
        }
    )
    made.loc[cancelled, "delivered_at"] = pd.NaT
    return made


ROWS = flowers()
GONE = ROWS[ROWS.cancelled]


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded({"deliveries": ROWS}) as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many deliveries were cancelled in March 2025", GONE[GONE.ordered_at.dt.strftime("%Y-%m") == "2025-03"]),
        ("cancelled deliveries on Mondays", GONE[GONE.ordered_at.dt.day_of_week == 0]),
    ],
)
def test_cancelled_ones_by_when_they_were_ordered(asked: Any, question: str, rows: pd.DataFrame) -> None:
    assert asked(question).result.to_frame().iloc[0, -1] == len(rows)


def test_others_by_when_they_were_delivered(asked: Any) -> None:
    found = asked("how many deliveries in March 2025").result.to_frame()
    assert found.iloc[0, -1] == (ROWS.delivered_at.dt.strftime("%Y-%m") == "2025-03").sum()


def test_why_there_were_so_many_sets_two_months_beside_each_other(asked: Any) -> None:
    found = asked("why were there so many cancellations in March 2025").result.to_frame()
    months = GONE.ordered_at.dt.strftime("%Y-%m").value_counts()
    assert list(found.value) == [months["2025-02"], months["2025-03"]]


def test_a_number_per_day_counts_days_on_which_none_was(asked: Any) -> None:
    found = asked("average number of cancelled deliveries per day").result.to_frame()
    assert found.iloc[0, -1] == pytest.approx(len(GONE) / ROWS.ordered_at.dt.date.nunique())


def test_amounts_by_what_was_done_with_them(asked: Any) -> None:
    found = asked("how much did Iris make in tips").result.to_frame()
    assert found.iloc[0, -1] == ROWS[ROWS.florist == "Iris"].tip.sum()


def test_when_a_tip_was_given_leaves_the_others_out(asked: Any) -> None:
    found = asked("average tip when a tip was given").result.to_frame()
    assert found.iloc[0, -1] == pytest.approx(ROWS[ROWS.tip > 0].tip.mean())


def test_five_stars_are_a_mark_and_no_number_of_rows(asked: Any) -> None:
    found = asked("which florist gets the most 5 star ratings").result.to_frame()
    best = ROWS[ROWS.stars == 5].florist.value_counts()
    assert found.iloc[0, -1] == best[found.iloc[0, 0]] == best.max()
