"""What a turn asks for stands in its answer; what it may be of is asked back, and no other reading slips in."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from small_talk import answered, flights_of_balloons, repairs, rides, rows_of

REFUSED = rides()[rides().refused]


def flown() -> pd.DataFrame:
    return flights_of_balloons()["flights"]


def first(told: tuple[str, list[list[Any]] | None]) -> Any:
    assert told[1] is not None, told[0]
    return told[1][0][0]


@pytest.mark.parametrize(
    ("before", "turn", "wanted"),
    [("average price by lift", "which lift is the cheapest", rides().groupby("lift").price.mean().idxmin()),
     ("average price by lift and pass kind", "which pass kind is the most expensive",
      rides().groupby("pass_kind").price.mean().idxmax()),
     ("rides by lift", "which lift is the busiest", rides().lift.value_counts().idxmax()),
     ("refused rides by lift", "which lift is the best", REFUSED.lift.value_counts().idxmin()),
     ("total price by pass kind", "which pass kind is the best", rides().groupby("pass_kind").price.sum().idxmax())],
)  # fmt: skip
def test_groups_are_ranked_by_the_number_shown(before: str, turn: str, wanted: str) -> None:
    assert first(answered(before, turn)) == wanted


def test_a_number_that_is_named_ranks_by_itself() -> None:
    wanted = rides().groupby("lift").price.mean().idxmax()
    assert first(answered("rides by lift", "which lift has the highest average price")) == wanted


@pytest.mark.parametrize("rest", ["most rides", "fewest rides"])
def test_which_of_the_things_that_were_counted(rest: str) -> None:
    counts = rides().lift.value_counts()
    wanted = counts.idxmax() if rest.startswith("most") else counts.idxmin()
    assert first(answered("how many lifts are there", f"which has the {rest}")) == wanted


@pytest.mark.parametrize(
    ("over", "before", "turn", "word"),
    [("repairs", "repairs by kind", "who has the most", "who"),
     ("repairs", "repairs by town", "who has the most", "who"),
     ("rides", "rides by lift", "split by Gondola", "say by which column"),
     ("rides", "list the refused rides", "heaviest first", "heaviest")],
)  # fmt: skip
def test_what_is_asked_for_and_not_told_is_refused_by_name(over: str, before: str, turn: str, word: str) -> None:
    told, rows = answered(before, turn, over=over)
    assert rows is None and word in told, told


@pytest.mark.parametrize(("before", "turn"), [("blurp by florb", "on sundays"), ("the zirp of Gondola", "for Chair")])
def test_a_piece_behind_what_was_not_answered_is_no_question(before: str, turn: str) -> None:
    told, rows = answered(before, turn)
    assert rows is None, told


def test_who_has_the_most_where_the_groups_are_people() -> None:
    done = repairs()["repairs"]
    counts = done.repaired_by.value_counts()
    assert first(answered("repairs by repaired by", "who has the most", over="repairs")) == counts.idxmax()


@pytest.mark.parametrize("before", ["rides by lift", "how many rides were refused"])
def test_a_number_alone_is_of_those_or_of_all(before: str) -> None:
    told, rows = answered(before, "minutes queued")
    assert rows is None and "1. Total minutes queued" in told and "2. Total minutes queued" in told, told
    told, rows = answered(before, "overall average price")
    assert rows == rows_of(pd.DataFrame([[rides().price.mean()]])), told


def test_counts_beside_their_shares() -> None:
    told, rows = answered("percentage of refused rides per lift", "show the count as well")
    found = rides().groupby("lift").refused.agg(["mean", "sum", "size"]).reset_index()
    assert rows == rows_of(found), told


def test_a_list_in_an_order_has_what_it_is_sorted_by() -> None:
    told, rows = answered("list the refused rides", "most expensive first")
    assert rows is not None and {row[-1] for row in rows} == set(REFUSED.price), told


def test_a_list_of_one_group_of_some_rows_is_asked_back() -> None:
    before = ("how many rides cost more than 10", "by pass kind")
    told, rows = answered(*before, "list the season rides with price")
    assert rows is None and "price above 10" in told, told
    told, rows = answered("rides per pass kind", "list the season rides with price")
    assert rows is not None and len(rows) == (rides().pass_kind == "season").sum(), told


def test_one_more_of_those_that_are_compared() -> None:
    told, rows = answered("compare Ines and Jarl by average fare", "add Kaia", over="balloons")
    assert rows == rows_of(flown().groupby("pilot").fare.mean().reset_index()), told


def test_one_is_anybody() -> None:
    longest = rides().minutes_queued.max()
    told, rows = answered("what is the longest minutes queued one can have")
    assert rows is None or any(longest in row for row in rows), told
