"""Whatever is said behind whatever was answered is answered, asked back or refused: no turn breaks off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from ferries import crossings, ferries

import svc_notebook as svc

FIRST = (
    "list the 5 longest delays with vessel and harbour", "crossings by vessel", "how many crossings were cancelled in march 2022",
    "average delay by month", "which vessel has the most crossings", "share of cancelled crossings", "show all vessels",
    "correlation between delay and passengers", "compare Oban and Tarbert by average delay", "distribution of passengers",
    "crossings by vessel and weather", "what percentage of each vessel's crossings were cancelled", "blurp by florb",
    "how many vessels sailed from Oban", "how many different harbours are there", "list the bookings with channel and coupon",
    "bookings by guest and channel", "crossings and passengers by harbour",
)  # fmt: skip
NEXT = (
    "as a share of the total", "in percent", "by rate", "top 3", "now all of them again", "which one is worst", "how many is that",
    "only the late ones", "show me those", "ascending", "as a list", "by month instead", "and in july?", "no, I meant passengers",
    "why?", "what is the sum", "the cheapest of them", "how many did each have", "and how many of them were cancelled",
    "what share of them", "only those above 10%", "compare with december", "the others", "average for each of those",
    "and the median?", "which vessel was that?", "the second one", "of those, which was first", "whose was it", "in total",
    "which ones", "who has the most there?", "and the fewest?", "who has the most bookings there?", "which harbour has the most",
    "the biggest 3", "the longest one", "what about friday?", "only saturdays", "of those, how many were stormy?",
)  # fmt: skip


@pytest.fixture(scope="module")
def boats() -> Iterator[Any]:
    with svc.embedded(ferries()) as opened:
        yield opened


@pytest.mark.parametrize("first", FIRST)
def test_every_turn_behind_every_answer(boats: Any, first: str) -> None:
    chat = boats.chat()
    before = chat.ask(first)
    for turn in NEXT:
        answer = chat.ask(turn, after=before)
        assert answer.outcome in ("complete", "asked_back", "refused"), (turn, answer.text)
        assert "could not be run" not in answer.text, (turn, answer.text)


def test_a_column_called_by_a_general_noun_and_one_more() -> None:
    """``company`` alone is for the whole name: read again and again it never ended."""
    bars = pd.DataFrame({"company_maker": ["Ada", "Bo", "Cy"] * 4, "bar": range(12), "rating": [1.0, 2.5, 2.0] * 4})
    with svc.embedded(bars) as client:
        best = client.chat().ask("which company has the best average rating").df
    assert list(best.iloc[0]) == ["Bo", 2.5]


def test_people_that_rows_have_a_number_of() -> None:
    wrecks = pd.DataFrame(
        {"road": ["A1", "B2", "A1", "C3"] * 5, "people_injured": [0, 3, 1, 2] * 5, "wreck_no": range(20)}
    )
    with svc.embedded(wrecks) as client:
        most = client.chat().ask("which road had the highest number of people injured").df
    assert most.iloc[0, 0] == "B2"


def test_the_number_that_was_first_is_told_already(boats: Any) -> None:
    counts = crossings().vessel.value_counts()
    found = boats.chat().ask("Which vessel has made the greatest number of crossings, and what is that number?").df
    assert list(found.iloc[0]) == [counts.index[0], counts.iloc[0]]


def test_a_list_that_nothing_ranks_has_no_first(boats: Any) -> None:
    """Bookings end with their coupon, of which none is the most."""
    chat = boats.chat()
    before = chat.ask("list the bookings with channel and coupon")
    assert chat.ask("who has the most", after=before).outcome != "complete"


def test_all_beside_some_that_the_model_counts() -> None:
    """The number of all stands first in a list: cancelled ones have a number of the model, and all have theirs too."""
    with svc.demo() as client:
        found = client.chat().ask("JetBlue: flights, cancelled flights and average departure delay").df
    assert len(found.columns) == 3
    assert found.iloc[0, 0] > found.iloc[0, 1] > 0
