"""``which ones`` behind a number of different things: these things, and not the rows that they were counted in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from ferries import crossings, ferries

import svc_notebook as svc

CROSSINGS = crossings()


@pytest.fixture(scope="module")
def boats() -> Iterator[Any]:
    with svc.embedded(ferries()) as opened:
        yield opened


def _second(client: Any, first: str, then: str) -> pd.DataFrame:
    chat = client.chat()
    chat.ask(first)
    found = chat.ask(then).df
    assert found is not None
    return found


@pytest.mark.parametrize("then", ["which ones", "list them", "which are they?", "show them"])
def test_things_of_another_table(boats: Any, then: str) -> None:
    found = _second(boats, "how many vessels sailed from Oban", then)
    assert sorted(found.iloc[:, 0]) == sorted(CROSSINGS[CROSSINGS.harbour == "Oban"].vessel.unique())


def test_different_values(boats: Any) -> None:
    found = _second(boats, "how many different harbours are there", "which ones")
    assert sorted(found.iloc[:, 0]) == sorted(CROSSINGS.harbour.unique())


def test_one_without_a_value_was_not_counted(boats: Any) -> None:
    found = _second(boats, "how many different coupons", "list them")
    assert sorted(found.iloc[:, 0]) == ["LOYAL", "SPRING"]


def test_rows_stay_rows(boats: Any) -> None:
    assert len(_second(boats, "how many crossings were cancelled", "list them").columns) > 3
    assert len(_second(boats, "how many different vessels", "list them").columns) > 3


def test_the_most_of_them(boats: Any) -> None:
    chat = boats.chat()
    chat.ask("how many vessels sailed from Oban")
    chat.ask("which ones")
    most = chat.ask("which vessel has the most crossings there?").df
    there = CROSSINGS[CROSSINGS.harbour == "Oban"].vessel.value_counts()
    assert most.iloc[0, 0] == there.index[0]
    assert there.iloc[0] in list(most.iloc[0])


@pytest.mark.parametrize("then", ["how many of them were built before 2000?", "and how many were built before 2000?"])
def test_how_many_of_the_things_are_so(boats: Any, then: str) -> None:
    """The year that a vessel was built in, and no crossing that was before it."""
    there = CROSSINGS[(CROSSINGS.harbour == "Oban") & (CROSSINGS.year_built < 2000)]
    assert _second(boats, "how many vessels sailed from Oban", then).iloc[0, 0] == there.vessel.nunique()


def test_how_many_of_the_values_are_so(boats: Any) -> None:
    found = _second(
        boats, "how many different harbours are there", "how many of them had a delay of more than 40 minutes"
    )
    assert found.iloc[0, 0] == CROSSINGS[CROSSINGS.delay_minutes > 40].harbour.nunique()


def test_how_many_of_the_rows_stay_rows(boats: Any) -> None:
    found = _second(boats, "how many crossings were there from Oban", "how many of them were cancelled")
    assert found.iloc[0, 0] == (CROSSINGS[CROSSINGS.harbour == "Oban"].cancelled).sum()
