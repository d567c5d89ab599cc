"""Two that are named first and set against each other behind: by how often, and by the halves of a year."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from ferries import crossings, ferries

import svc_notebook as svc

CROSSINGS = crossings()


@pytest.fixture(scope="module")
def boats() -> Iterator[Any]:
    with svc.embedded(ferries()) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "Oban vs Mallaig: which one is cancelled more often",
        "Oban or Mallaig: which harbour is cancelled more often?",
        "Oban versus Mallaig - which is cancelled less often",
    ],
)
def test_how_often(boats: Any, question: str) -> None:
    found = boats.chat().ask(question).df
    wanted = CROSSINGS.groupby("harbour").cancelled.mean()[["Oban", "Mallaig"]]
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == pytest.approx(wanted.to_dict())


def test_averages_have_no_share(boats: Any) -> None:
    """How often a vessel is late is told by no share of its average delay in all averages."""
    assert boats.chat().ask("Auk vs Eider: which vessel is late more often?").outcome != "complete"


@pytest.mark.parametrize("between", ["vs", "versus", "compared with"])
def test_halves_of_the_year(boats: Any, between: str) -> None:
    found = boats.chat().ask(f"crossings in the first half {between} the second half of the year").df
    year = CROSSINGS[CROSSINGS.departed_at.dt.year == 2024].departed_at.dt.month
    assert list(found["value"]) == [(year <= 6).sum(), (year > 6).sum()]
