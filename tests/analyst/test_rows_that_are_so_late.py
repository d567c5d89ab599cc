"""Rows that a number tells the minutes or days of: *late deliveries* of ``minutes_late`` are those above zero, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_shares_of_rows import courier

import svc_notebook as svc


def lending() -> dict[str, pd.DataFrame]:
    """Loans of a library by branch: some days overdue, some not."""
    dice = np.random.default_rng(11)
    loans = {
        "loan_id": range(1, 301), "branch": dice.choice(["Mill", "Quay"], 300), "fine": dice.integers(0, 40, 300),
        "overdue_days": dice.choice([0, 0, 0, 2, 5, 9], 300), "lent_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 200, 300), "D"),
    }  # fmt: skip
    return {"loans": pd.DataFrame(loans)}


@pytest.fixture(scope="module")
def couriers() -> Iterator[Any]:
    with svc.embedded(courier()) as opened:
        yield opened


@pytest.fixture(scope="module")
def library() -> Iterator[Any]:
    with svc.embedded(lending()) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many late deliveries are there", lambda rows: (rows.minutes_late > 0).sum()),
        ("how many deliveries were late in March", lambda rows: ((rows.minutes_late > 0) & (rows.delivered_at.dt.month == 3)).sum()),
        ("how many deliveries were not late", lambda rows: (rows.minutes_late <= 0).sum()),
        ("average weight of late deliveries", lambda rows: rows.weight_kg[rows.minutes_late > 0].mean()),
        ("how many deliveries were late by more than 20 minutes", lambda rows: (rows.minutes_late > 20).sum()),
        ("what percentage of deliveries was late", lambda rows: (rows.minutes_late > 0).mean()),
        ("total minutes late", lambda rows: rows.minutes_late.sum()),
        ("how late are deliveries on average", lambda rows: rows.minutes_late.mean()),
    ],
)  # fmt: skip
def test_rows_are_late_where_their_minutes_are_above_zero(
    couriers: Any, question: str, wanted: Callable[[pd.DataFrame], Any]
) -> None:
    found = couriers.chat().ask(question).df
    assert found.shape == (1, 1) and float(found.iloc[0, 0]) == pytest.approx(float(wanted(courier()["deliveries"])))


@pytest.mark.parametrize(
    "question",
    ["overdue loans by branch", "how many loans were overdue by branch", "loans that are overdue per branch"],
)
def test_loans_are_overdue_where_their_days_are_above_zero(library: Any, question: str) -> None:
    rows = lending()["loans"]
    wanted = rows[rows.overdue_days > 0].groupby("branch").size()
    found = library.chat().ask(question).df
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == wanted.to_dict()


@pytest.mark.parametrize("question", ["total overdue days by branch", "average days overdue by branch"])
def test_the_days_themselves_are_still_added_up(library: Any, question: str) -> None:
    days = lending()["loans"].groupby("branch").overdue_days
    found = library.chat().ask(question).df
    assert (
        dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True))
        == (days.sum() if "total" in question else days.mean()).to_dict()
    )
