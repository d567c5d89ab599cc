"""Turns behind a question for shares, running totals or changes: they stay what they are, over other rows and groups."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, rides, rows_of

KNOWN = rides().assign(when=pd.to_datetime(rides().ridden_on))


def share(known: pd.DataFrame, group: str) -> pd.DataFrame:
    counted = known.groupby(group).size().rename("count").reset_index()
    return counted.assign(share=counted["count"] / counted["count"].sum())


@pytest.mark.parametrize(
    ("turns", "known", "group"),
    [(["by pass kind instead"], KNOWN, "pass_kind"), (["only evening"], KNOWN[KNOWN.pass_kind == "evening"], "lift"),
     (["in 2024"], KNOWN[KNOWN.when.dt.year == 2024], "lift"),
     (["only 2024", "by pass kind"], KNOWN[KNOWN.when.dt.year == 2024], "pass_kind"),
     (["only 2024", "undo"], KNOWN, "lift")],
)  # fmt: skip
def test_shares_stay_shares(turns: list[str], known: pd.DataFrame, group: str) -> None:
    told, rows = answered("share of rides by lift", *turns)
    assert rows == rows_of(share(known, group)), told


def test_the_first_of_shares_are_the_largest() -> None:
    told, rows = answered("share of rides by lift", "top 2")
    assert rows == rows_of(share(KNOWN, "lift").nlargest(2, "share")), told


@pytest.mark.parametrize("turn", ["per quarter", "by quarter instead"])
def test_a_running_total_runs_along_the_new_periods(turn: str) -> None:
    sums = KNOWN.groupby(KNOWN.when.dt.to_period("Q").dt.start_time).price.sum()
    told, rows = answered("cumulative price by month", turn)
    assert sorted(row[-1] for row in rows or []) == pytest.approx(sums.cumsum().tolist()), told


def test_a_running_total_runs_within_each_group() -> None:
    sums = KNOWN.groupby(["lift", KNOWN.when.dt.to_period("Q").dt.start_time]).price.sum()
    told, rows = answered("cumulative price by quarter", "split by lift")
    assert sorted(row[-1] for row in rows or []) == pytest.approx(sorted(sums.groupby(level=0).cumsum())), told


def test_a_running_total_without_periods_is_refused() -> None:
    told, rows = answered("cumulative price by month", "by lift instead")
    assert rows is None, told
