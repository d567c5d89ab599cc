"""What stands behind *which*, *how many* or *whose* is what is told: no other thing, and no guess at what it may be."""

from __future__ import annotations

import pytest
import worlds
from asking import ask


@pytest.mark.parametrize(
    "question",
    [
        "which item has the most flights",
        "what thing is most often late",
        "which state has the most flights",  # a word of one airport's name
        "how many people flew in July",  # flights, and nobody in them
        "whose flights are most delayed",
        "which city do planes come from most",
    ],
)
def test_nothing_else_is_told_in_its_place(question: str) -> None:
    assert ask(worlds.flights(), question).answer.outcome in ("refused", "asked_back"), question


def test_a_noun_for_any_place_asks_which_of_those_there_are() -> None:
    asked = ask(worlds.flights(), "which place is served by the most airlines")
    assert asked.answer.outcome == "asked_back"
    assert any("destination" in choice.question for choice in asked.answer.choices)
    assert ask(worlds.flights(), "which place has the highest altitude").rows()[0][0] == "Telluride"


def test_two_counts_stand_beside_each_other() -> None:
    both = ask(worlds.flights(), "how many flights were cancelled and how many diverted")
    assert both.rows() == [(8255, 1175)]
    assert ask(worlds.flights(), "how many flights were late and how many on time").rows() == [(70774, 249716)]


@pytest.mark.parametrize(
    "question", ["number of flights to airports in the America/Denver time zone", "number of airlines and destinations"]
)
def test_what_is_counted_is_not_told_in_groups_that_nobody_asked_for(question: str) -> None:
    asked = ask(worlds.flights(), question)
    assert asked.table is None or asked.table.num_rows == 1, asked.stored


@pytest.mark.parametrize(
    "question",
    [
        "planes later than Airbus",  # nothing is later than a maker
        "planes newer than Boeing",
        "flights from airports in the eastern time zone by month",  # only the other end's is known
        "which country is highest",
    ],
)
def test_what_cannot_be_compared_is_refused(question: str) -> None:
    assert ask(worlds.flights(), question).answer.outcome in ("refused", "asked_back"), question


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("which destination lies highest", ("HDN", 6602.0)),
        ("number of flights to airports in the Pacific time zone", (46324,)),
        ("flights on 8 and 9 February", (1614,)),
        ("flights on February 8 and 9", (1614,)),
        ("flights between July 18th and 24th", (6738,)),
        ("flights on 24/12", (761,)),
        ("flights in the week of 10 July", (6759,)),
        ("flights in the week starting 10 July", (6749,)),
        ("flights in mid July", (9558,)),
    ],
)
def test_what_is_said_of_place_and_day_is_meant(question: str, row: tuple[object, ...]) -> None:
    assert ask(worlds.flights(), question).rows() == [row]


@pytest.mark.parametrize(
    "question",
    [
        "flights and average delay by airline",
        "average delay and flights by airline",
        "flights by airline and average delay",
    ],
)
def test_rows_in_a_list_of_numbers_are_counted(question: str) -> None:
    rows = ask(worlds.flights(), question).rows()
    assert ("United Air Lines Inc.", 58665) in [(row[0], max(row[1:])) for row in rows], rows[:3]


def test_gusts_are_no_wind_speed() -> None:
    rows = ask(worlds.flights(), "average gusts by airport").rows()
    assert max(value for _, value in rows) > 24
