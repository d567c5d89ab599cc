"""The end of those that a turn counted, the rows that are counted, and what is left out of those that took longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def canals() -> dict[str, pd.DataFrame]:
    """Locks of some canals, and repairs of them, of which some are not done."""
    dice = np.random.default_rng(8)
    locks = pd.DataFrame(
        {"lock_id": range(1, 13), "lock_name": [f"{one} lock" for one in "Ash Birch Cole Dove Elder Fern Goss Hay Ivy Jay Kite Lark".split()],
         "county": ["Kent", "Surrey", "Devon"] * 4, "year_built": dice.permutation(range(1790, 1850))[:12],
         "sqm": dice.permutation(range(100, 900))[:12]}
    )  # fmt: skip
    begun = pd.Timestamp("2025-01-05") + pd.to_timedelta(dice.permutation(300)[:90], "D")
    repairs = pd.DataFrame(
        {"repair_id": range(1, 91), "lock_id": dice.integers(1, 13, 90), "begun": begun,
         "mended": pd.Series(begun + pd.to_timedelta(dice.integers(1, 40, 90), "D")).where(dice.random(90) < 0.8),
         "price": np.round(dice.uniform(90, 4000, 90), 2)}
    )  # fmt: skip
    return {"locks": locks, "repairs": repairs}


TABLES = canals()
LOCKS = TABLES["locks"]
REPAIRS = TABLES["repairs"].merge(LOCKS, on="lock_id")


@pytest.fixture(scope="module")
def service() -> Iterator[Any]:
    with svc.embedded(canals()) as running:
        yield running


def last(service: Any, *turns: str) -> Any:
    chat = service.chat()
    return [chat.ask(turn) for turn in turns][-1]


def first(service: Any, *turns: str) -> Any:
    answer = last(service, *turns)
    assert answer.result is not None, answer.text
    return answer.result.to_frame().iloc[0, 0]


def test_the_end_of_those_that_a_second_turn_counted_is_of_these(service: Any) -> None:
    kent = LOCKS[LOCKS.county == "Kent"]
    turns = ("how many locks are there?", "and in Kent?")
    assert first(service, *turns, "which of them is the biggest?") == kent.loc[kent.sqm.idxmax(), "lock_name"]


@pytest.mark.parametrize(("end", "column"), [("the latest one", "begun"), ("the most expensive one", "price")])
@pytest.mark.parametrize("asked", ["how many repairs are in Devon?", "repairs in Devon"])
def test_one_end_of_the_rows_that_were_counted_is_one_of_them(service: Any, asked: str, end: str, column: str) -> None:
    there = REPAIRS[REPAIRS.county == "Devon"]
    assert first(service, asked, end) == there.loc[there[column].idxmax(), "repair_id"]


def test_an_end_behind_groups_is_one_of_the_groups(service: Any) -> None:
    assert first(service, "repairs by county", "the highest") == REPAIRS.county.value_counts().idxmax()


def test_which_alone_lists_those_that_were_counted(service: Any) -> None:
    answer = last(service, "how many locks were built before 1810?", "which?")
    assert len(answer.result.to_frame()) == (LOCKS.year_built < 1810).sum()


def test_rows_without_an_end_are_told_beside_those_that_took_longer(service: Any) -> None:
    answer = last(service, "how many repairs took longer than 14 days?")
    assert answer.result.to_frame().iloc[0, 0] == ((REPAIRS.mended - REPAIRS.begun).dt.days > 14).sum()
    assert "Rows without mended" in answer.text
    assert "Rows without" not in last(service, "how many repairs were mended within 14 days?").text


def test_what_is_slowest_without_a_verb_is_by_how_long_it_takes(service: Any) -> None:
    days = (REPAIRS.mended - REPAIRS.begun).dt.days.groupby(REPAIRS.county).mean()
    for question in ("which county is the slowest?", "what county is slowest"):
        assert last(service, question).status != "failed"
    assert first(service, "average time to mend by county", "which county is the slowest?") == days.idxmax()
