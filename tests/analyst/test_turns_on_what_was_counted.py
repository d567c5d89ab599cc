"""``how many rides is that``, ``percent``, ``how many did each have``: the count behind what was shown, and its share."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, rides, rows_of


def most_refused() -> str:
    return str(rides()[rides().refused].lift.value_counts().idxmax())


@pytest.mark.parametrize(
    "turn", ["how many rides is that", "how many refused rides is that", "and how many rides was it?"]
)
def test_how_many_rows_the_one_on_top_has(turn: str) -> None:
    known = rides()[rides().refused]
    told, rows = answered("which lift had the most refused rides", turn)
    assert rows == [[float(known.lift.value_counts().max())]], told


def test_how_many_rows_a_share_is() -> None:
    known = rides()
    told, rows = answered("what share of rides queued more than 20 minutes", "how many rides is that")
    assert rows == [[float((known.minutes_queued > 20).sum())]], told


def test_a_sum_is_no_count() -> None:
    assert answered("total price for the Tow", "how many rides is that?")[1] == [[float((rides().lift == "Tow").sum())]]


def test_what_only_names_percent_is_of_what_was_shown() -> None:
    known = rides()[rides().lift == "Tow"]
    told, rows = answered("how many rides on the Tow were refused", "percent")
    assert rows in (
        [[pytest.approx(100 * known.refused.mean(), abs=1e-3)]],
        [[pytest.approx(known.refused.mean(), abs=1e-3)]],
    ), told


@pytest.mark.parametrize("turn", ["by rate", "as a rate"])
def test_a_rate_is_of_each_groups_own_rows(turn: str) -> None:
    wanted = (100 * rides().groupby("lift").refused.mean()).reset_index()
    told, rows = answered("refused rides by lift", turn)
    assert rows in (rows_of(wanted), rows_of(wanted.assign(refused=wanted.refused / 100))), told


@pytest.mark.parametrize(
    "turn",
    [
        "as a percentage of all rides of that lift",
        "as a share of the rides on each lift",
        "in percent of all rides with the same lift",
    ],
)
def test_a_share_of_all_rows_of_each_group(turn: str) -> None:
    wanted = (100 * rides().groupby("lift").refused.mean()).reset_index()
    told, rows = answered("refused rides by lift", turn)
    assert rows in (rows_of(wanted), rows_of(wanted.assign(refused=wanted.refused / 100))), told


def test_a_share_of_the_rows_of_the_one_that_is_looked_at() -> None:
    lift = most_refused()
    share = rides()[rides().lift == lift].refused.mean()
    turns = ("which lift had the most refused rides", "how many rides is that", "as a percentage of its rides")
    told, rows = answered(*turns)
    assert rows in ([[pytest.approx(100 * share, abs=1e-3)]], [[pytest.approx(share, abs=1e-3)]]), told
    worst = rides().groupby("lift").refused.mean().idxmax()
    told, rows = answered(*turns, "and which lift is worst by that percentage")
    assert rows is not None and [row[0] for row in rows] == [worst], told


@pytest.mark.parametrize("turn", ["how many rides did each have", "how many rides does each of them have"])
def test_how_many_each_of_those_shown_has(turn: str) -> None:
    known = rides().groupby("lift")
    told, rows = answered("average price by lift", turn)
    assert rows == rows_of(known.size().reset_index()), told
    two = known.price.mean().nlargest(2).index
    told, rows = answered("top 2 lifts by average price", turn)
    assert rows == rows_of(known.size().loc[two].reset_index()), told


def test_each_of_what_was_not_said_is_no_number_of_them_all() -> None:
    assert answered("how many rides did each have")[1] is None


def test_how_much_is_bad_goes_by_the_rows_that_are_added_up() -> None:
    known = rides()[rides().refused].groupby("lift").price.sum()
    for turn, wanted in (("which one was the worst", known.idxmax()), ("which one was the best", known.idxmin())):
        told, rows = answered("total price of refused rides by lift", turn)
        assert rows is None or [row[0] for row in rows] == [wanted], told


def test_a_share_of_little_is_good_where_much_is_bad() -> None:
    known = rides().assign(month=pd.to_datetime(rides().ridden_on).dt.month, short=rides().minutes_queued < 5)
    shares = known.groupby("lift").short.mean()
    for turn, wanted in (("which lift is the best", shares.idxmax()), ("which lift is the worst", shares.idxmin())):
        told, rows = answered("share of rides with less than 5 minutes queued by lift", turn)
        assert rows is not None and [row[0] for row in rows] == [wanted], told
