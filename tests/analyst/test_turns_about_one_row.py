"""``the first one``, ``the second``, ``the last one`` of what was shown, what is asked of it next, and other pictures."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, flights_of_balloons, rides, rows_of

import svc_notebook as svc


def sums() -> pd.Series:
    return rides().groupby("lift").price.sum().sort_values(ascending=False)


@pytest.mark.parametrize(
    ("first", "turn", "place"),
    [("top 3 lifts by total price", "the first one", 0), ("top 3 lifts by total price", "the second one", 1),
     ("top 3 lifts by total price", "the last one", 2), ("top 2 lifts by total price", "the last one", 1),
     ("bottom 2 lifts by total price", "the second one", 1), ("total price by lift", "just the first one", 0),
     ("total price by lift", "the last one", 2)],
)  # fmt: skip
def test_one_of_the_groups_that_were_shown(first: str, turn: str, place: int) -> None:
    _, rows = answered(first, turn)
    assert rows is not None and [row[0] for row in rows] == [sums().index[place]]


def test_one_after_the_other() -> None:
    asked = ("top 3 lifts by total price", "the first one", "the second one", "and the third one")
    _, rows = answered(*asked)
    assert rows is not None and rows[0][0] == sums().index[2]


def test_one_row_of_a_list_in_its_order() -> None:
    dearest = rides().nlargest(5, "price").ride_id.tolist()
    for turn, place in (("the first one", 0), ("the third one", 2), ("the last one", 4)):
        _, rows = answered("the 5 most expensive rides", turn)
        assert rows is not None and len(rows) == 1 and dearest[place] in rows[0]


def test_periods_come_one_after_the_other() -> None:
    for turn, wanted in (("the first one", "2024-01-01"), ("the last one", "2024-12-01")):
        _, rows = answered("total price per month in 2024", turn)
        assert rows is not None and [str(row[0]) for row in rows] == [wanted]


def test_one_number_has_no_rows() -> None:
    assert answered("how many rides are there?", "the first one")[1] is None


@pytest.mark.parametrize("turn", ["by pass kind", "break it down by pass kind"])
def test_what_is_asked_of_the_one_that_was_singled_out_is_of_it(turn: str) -> None:
    known = rides()
    wanted = known[known.lift == sums().index[0]].groupby("pass_kind").price.sum().reset_index()
    assert answered("top 3 lifts by total price", "the first one", turn)[1] == rows_of(wanted)


def test_small_multiples_of_what_was_shown() -> None:
    with svc.embedded({"rides": rides()}) as client:
        chat = client.chat()
        chat.ask("total price per month by pass kind in 2024")
        answer = chat.ask("as small multiples")
        assert answer.chart is not None and "facet" in str(answer.chart.to_dict())
        alone = client.chat()
        alone.ask("total price by lift")
        assert "two groups" in alone.ask("as small multiples").text
        of_both = rides().groupby(["lift", "pass_kind"]).price.sum().reset_index()
        for turn in ("as small multiples by pass kind", "one chart per pass kind"):
            again = client.chat()
            again.ask("total price by lift")
            answer = again.ask(turn)
            assert answer.df is not None and rows_of(answer.df) == rows_of(of_both), turn
            assert answer.chart is not None and "facet" in str(answer.chart.to_dict()), turn


def test_a_pie_of_what_makes_no_whole_is_told() -> None:
    frame = pd.DataFrame({"shop": [f"s{number:02d}" for number in range(14)] * 2, "price": range(28)})
    with svc.embedded(frame) as client:
        chat = client.chat()
        chat.ask("average price by shop")
        said = "A pie shows parts of a whole, which these numbers do not make: bars are drawn instead."
        assert [said in chat.ask(f"as a {wish}").text for wish in ("pie", "bar chart")] == [True, False]
        answer = client.chat().ask("total price by shop as a pie")
        assert said not in answer.text and answer.chart is not None
        assert "'arc'" in str(answer.chart.to_dict())


def test_which_of_the_few_and_when_they_were() -> None:
    dearest = rides().nlargest(5, "price")
    _, rows = answered("the 5 most expensive rides", "which of them are gondola?")
    wanted = dearest[dearest.lift == "Gondola"]
    assert rows is not None and sorted(row[0] for row in rows) == sorted(wanted.ride_id) and 0 < len(wanted) < 5
    _, rows = answered("the 5 most expensive rides", "when were they ridden?")
    assert rows is not None and {row[0] for row in rows} == set(dearest.ride_id)
    assert {row[1] for row in rows} == set(dearest.ridden_on)


@pytest.mark.parametrize("first", ["top 1 lift by total price", "how many rides on the gondola"])
def test_the_rows_behind_what_was_shown(first: str) -> None:
    _, rows = answered(first, "list those rides")
    wanted = rides()[rides().lift == "Gondola"]
    assert rows is not None and {row[0] for row in rows} == set(wanted.ride_id)


def test_what_is_asked_of_a_share_goes_by_the_share_and_then_by_what_it_is_of() -> None:
    known = rides()
    _, rows = answered("number of rides by lift", "as a share", "which lift has the lowest?")
    assert rows is not None and len(rows) == 1 and rows[0][:1] == ["Tow"]
    _, rows = answered(
        "number of rides by lift", "as a share", "which lift has the lowest?", "which pass kind is that?"
    )
    assert rows == rows_of(known[known.lift == "Tow"].groupby("pass_kind").size().reset_index())


def test_both_of_two_numbers_that_took_each_others_place() -> None:
    known = rides().groupby("lift").agg(rides=("price", "size"), price=("price", "mean")).reset_index()
    assert answered("number of rides by lift", "average price instead", "both please")[1] == rows_of(known)


def test_periods_above_a_number() -> None:
    known = rides().assign(month=pd.to_datetime(rides().ridden_on).dt.to_period("M").dt.start_time)
    sums = known[known.month.dt.year == 2024].groupby("month").price.sum()
    wanted = sums[sums > 200].reset_index()
    assert answered("total price per month in 2024", "only months above 200")[1] == rows_of(wanted)
    assert 0 < len(wanted) < 12


def test_a_word_for_what_was_not_named_is_not_left_out() -> None:
    told, rows = answered("how many falls had heavy damage", "which falls are these from", over="falls")
    assert rows is None, told
    told, rows = answered("top 2 lifts by number of rides", "average price of the others")
    assert rows != [[pytest.approx(rides().price.mean(), abs=1e-3)]], told


def test_what_only_narrows_an_answer_takes_no_reading_beside_it() -> None:
    known = rides()
    chosen = "which pass kind has the highest average minutes queued"
    first, rows = answered(chosen, "only season")
    assert (
        rows is None
        or len(rows) == 1
        and rows[0][-1] == pytest.approx(known[known.pass_kind == "season"].minutes_queued.mean(), rel=1e-3)
    ), first


def test_the_others_are_those_that_were_not_shown() -> None:
    known = rides()
    rest = known[~known.lift.isin(sums().index[:2])].groupby("lift")
    first = "top 2 lifts by total price"
    assert answered(first, "average price of the others")[1] == rows_of(rest.price.mean().reset_index())
    assert answered(first, "the others", "what is the average price of the others")[1] == rows_of(
        rest.price.mean().reset_index()
    )
    told, rows = answered("top 2 lifts by total price", "how many rides did the others have in 2024")
    of_2024 = known[~known.lift.isin(sums().index[:2]) & (pd.to_datetime(known.ridden_on).dt.year == 2024)]
    assert rows == rows_of(of_2024.groupby("lift").size().reset_index()) or rows == [[float(len(of_2024))]], told
    assert answered("how many rides are there", "average price of the others")[1] is None


def test_a_number_with_its_share_of_all() -> None:
    known, refused = rides(), rides()[rides().refused]
    for turn in (
        "how many rides were refused and what is that in percent",
        "how many rides were refused, and in percent",
    ):
        told, rows = answered("total price by lift", turn)
        shares = [[float(len(refused)), pytest.approx(100 * len(refused) / len(known), abs=1e-3)]]
        assert rows == shares or rows == [shares[0][1:]], told
    both = known.groupby("lift").agg(rides=("price", "size")).assign(share=lambda f: f.rides / f.rides.sum())
    assert answered("rides per lift and what is that in percent")[1] == rows_of(both.reset_index().round(4))


def test_a_share_of_the_rows_of_each_group() -> None:
    of_each = (100 * rides().groupby("lift").refused.mean()).reset_index()
    for first in ("refused rides by lift", "how many rides were refused per lift"):
        told, rows = answered(first, "as a percentage of their rides")
        assert rows in (rows_of(of_each), rows_of(of_each.assign(refused=of_each.refused / 100))), told


def test_that_one_by_its_noun() -> None:
    flown = flights_of_balloons()["flights"]
    first = flown.pilot.value_counts().idxmax()
    its = flown[(flown.pilot == first) & (pd.to_datetime(flown.flown_on).dt.year == 2023)]
    turns = ("which pilot flew the most flights", "how many flights did that pilot fly in 2023")
    assert answered(*turns, over="balloons")[1] == [[float(len(its))]]
    told, rows = answered("the flight with the highest fare", "where did that flight go", over="balloons")
    assert rows is None or len(rows) == 1, told


def test_rows_are_told_apart_by_what_each_has_of_its_own() -> None:
    told, rows = answered("the 3 falls with the highest fare", "what cause did they have", over="falls")
    assert rows is None or len(rows) == 3, told


def test_that_month_is_the_one_that_was_shown() -> None:
    known = rides().assign(month=pd.to_datetime(rides().ridden_on).dt.to_period("M"))
    most = known.groupby("month").price.sum().idxmax()
    wanted = known[known.month == most].groupby("lift").size().reset_index()
    for turn in ("rides by lift that month", "rides by lift in that month"):
        told, rows = answered("which month had the highest total price", turn)
        assert rows is None and "November 2023" in told or rows == rows_of(wanted), told
        assert answered(turn)[1] is None


def test_what_is_ranked_is_what_was_shown_where_it_is_not_said() -> None:
    longest = rides().groupby("lift").minutes_queued.mean().nlargest(2)
    told, rows = answered("total price by lift", "top 2 by average minutes queued")
    assert rows is not None and [row[0] for row in rows] == sorted(longest.index), told
