"""Whole questions among the turns of a thread, and turns that name one of two roles: by pandas over small tables."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, flights_of_balloons, rides, rows_of


def flown() -> pd.DataFrame:
    tables = flights_of_balloons()
    fields = tables["fields"]
    known = tables["flights"].merge(fields.add_prefix("from_"), on="from_field_id")
    return known.merge(fields.add_prefix("to_"), on="to_field_id")


@pytest.mark.parametrize(
    "question", ["total price per month 2024", "number of rides by month 2024", "rides per month 2024"]
)
def test_a_year_behind_a_unit_of_time_is_a_period(question: str) -> None:
    known = rides()
    known = known.assign(month=pd.to_datetime(known.ridden_on).dt.to_period("M").dt.start_time)
    of_2024 = known[pd.to_datetime(known.ridden_on).dt.year == 2024].groupby("month")
    wanted = of_2024.price.sum() if "price" in question else of_2024.size()
    assert answered(question)[1] == rows_of(wanted.reset_index())


@pytest.mark.parametrize(
    "turn",
    ["forget that, how many rides were there by lift", "none of those, how many rides were there by lift", "anyway: how many rides were there by lift",
     "ok, new question - how many rides were there by lift"],
)  # fmt: skip
def test_that_it_is_about_something_else_is_no_part_of_a_question(turn: str) -> None:
    told, rows = answered("average price in 2024", turn)
    assert rows == rows_of(rides().groupby("lift").size().reset_index()), told


@pytest.mark.parametrize(
    "first", ["total price per month in 2024", "how many rides with season", "median price by lift"]
)
@pytest.mark.parametrize("turn", ["for the gondola, how many rides did they have in 2023"])
def test_who_is_named_before_the_question_is_who_it_stands_for(first: str, turn: str) -> None:
    known = rides()
    year = pd.to_datetime(known.ridden_on).dt.year
    assert answered(first, turn)[1] == [[float(((known.lift == "Gondola") & (year == 2023)).sum())]]


def test_pieces_of_which_one_was_not_known_make_no_question() -> None:
    for turn in ("evening instead", "by lift"):
        told, rows = answered("sans frobnitz", turn)
        assert rows is None, (turn, told)


def test_what_can_only_be_added_to_something_is_no_question_alone() -> None:
    told, rows = answered("list the 5 rides with the highest minutes queued", "add the total frobnitz")
    assert rows is None, told


def test_a_question_of_its_own_takes_no_reading_that_stood_beside_an_answer() -> None:
    chosen = "which pass kind has the highest average minutes queued"
    told, rows = answered(chosen, "also by lift", "number of rides by pass kind")
    assert rows == rows_of(rides().groupby("pass_kind").size().reset_index()), told


@pytest.mark.parametrize("turn", ["and to Asker?", "to Asker instead", "what about those to Asker"])
def test_the_same_value_in_the_other_role_takes_its_place(turn: str) -> None:
    told, rows = answered("how many flights were from Asker", turn, over="balloons")
    assert rows == [[float((flown().to_town == "Asker").sum())]], told


@pytest.mark.parametrize("turn", ["and the other way round?", "the other way around", "reversed"])
def test_the_other_way_round_of_two_roles(turn: str) -> None:
    known = flown()
    there = (known.from_town == "Asker") & (known.to_town == "Dax")
    back = (known.from_town == "Dax") & (known.to_town == "Asker")
    assert there.sum() != back.sum()
    told, rows = answered("number of flights from Asker to Dax", turn, over="balloons")
    assert rows == [[float(back.sum())]], told


@pytest.mark.parametrize("turn", ["what about the others?", "the rest?", "and all the others?"])
@pytest.mark.parametrize(("first", "shown"), [("which side had the most flights", 1), ("top 2 sides by flights", 2)])
def test_the_others_are_those_that_were_not_shown(first: str, shown: int, turn: str) -> None:
    known = flown().groupby("from_side").size().sort_values(ascending=False)
    told, rows = answered(first, turn, over="balloons")
    assert rows == rows_of(known.iloc[shown:].reset_index()), told


def test_a_turn_that_only_one_of_the_offered_readings_can_take_is_asked_back() -> None:
    told, rows = answered("fare of Ines and Dax", "highest first", over="balloons")
    assert rows is None, told


@pytest.mark.parametrize(
    "turn",
    ["stacked bar chart of number of rides by lift", "show the rides per lift and count them by lift",
     "for each lift, show its number of rides"],
)  # fmt: skip
def test_what_is_said_in_the_same_breath_is_no_earlier_answer(turn: str) -> None:
    told, rows = answered("average minutes queued in 2024 by pass kind", turn)
    assert rows == rows_of(rides().groupby("lift").size().reset_index()), told


@pytest.mark.parametrize("turn", ["and back?", "and the way back?"])
def test_and_back_is_the_way_back(turn: str) -> None:
    known = flown()
    told, rows = answered("number of flights from Asker to Dax", turn, over="balloons")
    assert rows == [[float(((known.from_town == "Dax") & (known.to_town == "Asker")).sum())]], told


@pytest.mark.parametrize(
    "turn", ["hey, could you show me the rides per lift please", "rides by lift as a pie chart please"]
)
def test_a_whole_question_that_is_asked_politely_is_one(turn: str) -> None:
    told, rows = answered("average price in 2024 for season passes", turn)
    assert rows == rows_of(rides().groupby("lift").size().reset_index()), told


@pytest.mark.parametrize(
    ("over", "first", "turn"),
    [
        ("rides", "total price per month in 2024", "top 2 lifts by how many rides they had"),
        ("rides", "median price by lift", "in 2024, how many rides were there by pass kind"),
        ("rides", "median price by lift", "what are the top 2 lifts by number of rides and how many did they have"),
        ("rides", "how many rides in 2024", "what share of rides are season rather than day"),
        ("rides", "list the lift, pass kind and price of each ride", "show all lifts"),
        ("balloons", "flights per month", "any fields with no flights from them"),
        ("balloons", "average fare of Ines", "show the towns and the sides they are in"),
        ("balloons", "average fare by pilot", "list all those pilots who flew from Asker"),
        ("balloons", "average fare by pilot", "how many flights did Ines have in her first month"),
    ],
)
def test_they_are_those_that_the_question_names_itself(over: str, first: str, turn: str) -> None:
    (in_thread, rows), (alone, known) = answered(first, turn, over=over), answered(turn, over=over)
    assert (in_thread[:30], rows) == (alone[:30], known)  # how many readings stand beside it depends on how busy it is


@pytest.mark.parametrize("turn", ["how many did they have in 2024", "in 2024, how many", "revenue rather than count"])
def test_and_those_that_were_shown_where_it_names_none(turn: str) -> None:
    told, rows = answered("number of rides by lift", turn)
    assert rows is not None, told
    assert [lift for lift, _ in rows] == ["Chair", "Gondola", "Tow"], told


def test_why_another_number_is_lower_is_not_about_the_number_that_was_shown() -> None:
    told, _ = answered("number of rides by lift", "why is the average price of the Gondola lower than season?")
    assert "differs most" not in told, told
    told, _ = answered("number of rides by lift", "why are the rides of the Gondola so many?")
    assert "**pass kind** differs most where lift is Gondola" in told, told


def test_what_is_shown_again_is_the_answer_from_before() -> None:
    first = "total price by lift"
    known = rows_of(rides().groupby("lift").price.sum().round(2).reset_index())
    assert answered(first, "how many rides in 2024", "show me the lifts again")[1] == known
    told, rows = answered(first, "show the pass kinds again")
    assert rows is None, told
    assert "nothing was asked about" in told


def test_the_first_two_of_what_is_sorted_are_the_first_two_by_that() -> None:
    sums = rides().groupby("lift").price.sum().round(2).nlargest(2).sort_index()
    rows = answered("total price by lift", "largest first", "only the first two")[1]
    assert rows == rows_of(sums.reset_index())


@pytest.mark.parametrize("turn", ["show the number of rides next to it", "the number of rides alongside"])
def test_what_is_wanted_beside_it_is_added(turn: str) -> None:
    told, rows = answered("average price by lift", turn)
    assert rows is not None, told
    counted = rides().groupby("lift").size()
    assert [(lift, many) for lift, _, many in rows] == [(lift, float(many)) for lift, many in counted.items()]
