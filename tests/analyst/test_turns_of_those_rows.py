"""Turns about the rows that were shown, two edits in one breath, and what is asked of *it*, over tables without a model."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import worlds
from asking import ask
from small_talk import answered, falls, rides, rows_of
from tuition import lessons, rows, talk
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


def ridden() -> pd.DataFrame:
    known = rides()
    day = pd.to_datetime(known.ridden_on)
    return known.assign(day=day, month=day.dt.month, year=day.dt.year, weekend=day.dt.day_of_week >= 5)


def counted(known: pd.DataFrame, by: str) -> list[list[Any]]:
    return rows_of(known.groupby(by).size().reset_index())


@pytest.mark.parametrize("turn", ["how many of those had minutes queued over 20", "how many of them were refused"])
def test_how_many_of_those_are_all_of_them_together(turn: str) -> None:
    known = ridden()[ridden().year == 2024]
    wanted = int((known.minutes_queued > 20).sum() if "queued" in turn else known.refused.sum())
    told, found = answered("rides by lift in 2024", turn)
    assert found == [[wanted]], told


def test_how_many_of_those_is_never_asked_of_all_rows_again() -> None:
    known = rides()
    chair = known[known.lift == "Chair"]
    told, found = answered("rides with the chair", "how many of those had more than 20 minutes queued")
    assert found == [[int((chair.minutes_queued > 20).sum())]], told


def test_of_what_so_many_are_so_is_what_was_chosen() -> None:
    known = rides()
    chair = known[known.lift == "Chair"]
    for first in ("rides with the chair", "average minutes queued of the chair lift"):
        told, found = answered(first, "how many were refused?")
        assert found == [[int(chair.refused.sum())]], told
    told, found = answered("rides with the chair", "how many had more than 20 minutes queued")
    assert found == [[int((chair.minutes_queued > 20).sum())]], told
    told, found = answered("rides with the chair", "what share was refused?")
    assert found is not None and found[0][-1] == pytest.approx(chair.refused.mean(), abs=1e-4), told


def test_so_many_are_so_one_after_the_other_of_the_same_rows() -> None:
    known = rides()
    chair = known[known.lift == "Chair"]
    turns = ("rides with the chair", "how many were refused?", "how many had more than 20 minutes queued?")
    told, found = answered(*turns)
    assert found == [[int((chair.minutes_queued > 20).sum())]], told


def test_rows_that_are_named_are_all_of_them() -> None:
    told, found = answered("rides with the chair", "how many rides were refused?")
    assert found == [[int(rides().refused.sum())]], told


@pytest.mark.parametrize(
    "turn", ["only the ones at the weekend", "only those ridden at the weekend", "and at the weekend?"]
)
def test_one_part_of_the_week_tells_nothing_apart(turn: str) -> None:
    known = ridden()
    told, found = answered("rides by lift in 2024", turn)
    assert found == counted(known[(known.year == 2024) & known.weekend], "lift"), told


def test_the_first_of_those_leave_the_bound_of_groups_as_it_is() -> None:
    known = lessons().groupby("tutor_name").agg(fee=("fee", "mean"), n=("fee", "size"))
    wanted = known[known.n >= 90].fee.nlargest(2)
    found = talk("average fee by tutor", "only those with at least 90 lessons", "top 2 of those").rows()
    assert [row[0] for row in found] == list(wanted.index)


def test_two_edits_in_one_breath_are_both_done() -> None:
    wanted = rides().groupby("lift").minutes_queued.sum().nlargest(2)
    told, found = answered("top 3 lifts by total price", "make it minutes queued, and just the top two")
    assert found == rows_of(wanted.reset_index()), told


def test_all_the_years_keep_the_days_of_the_week() -> None:
    known = ridden()
    told, found = answered("rides by lift in 2024", "only at the weekend", "what about all the years")
    assert found == counted(known[known.weekend], "lift"), told


@pytest.mark.parametrize(
    "turn", ["break that month down by lift", "split that month by lift", "show that month by lift"]
)
def test_that_month_of_all_years_is_taken_apart(turn: str) -> None:
    known = ridden()
    month = known.groupby("month").size().idxmax()
    told, found = answered("rides by month of the year", "which month has the most", turn)
    assert found == counted(known[known.month == month], "lift"), told


def test_back_to_all_of_them_and_more() -> None:
    known = ridden()
    told, found = answered(
        "how many rides in 2024", "by lift", "only season passes", "back to all of the rides, by pass kind"
    )
    assert found == counted(known[known.year == 2024], "pass_kind"), told


@pytest.mark.parametrize("turn", ["a year ago", "same month a year earlier"])
def test_the_same_month_of_the_year_before(turn: str) -> None:
    known = ridden()
    told, found = answered("how many rides in may 2024", turn)
    assert found == [[int(((known.year == 2023) & (known.month == 5)).sum())]], told


def test_what_is_higher_is_the_number_that_was_shown() -> None:
    known = rides()
    wanted = known[known.lift.isin(["Gondola", "Chair"])].groupby("lift").price.mean()
    told, found = answered("average price by pass kind", "is it higher with the gondola than with the chair?")
    assert found == rows_of(wanted.reset_index()), told
    assert told.startswith("**Yes" if wanted["Gondola"] > wanted["Chair"] else "**No")


@pytest.mark.parametrize("turn", ["is it longer with the gondola than with the chair", "has that changed since 2023"])
def test_nothing_is_said_of_it_where_it_was_not_answered(turn: str) -> None:
    told, found = answered("rides by lift", "average wage of the riders by pass kind", turn)
    assert not found, told


def test_by_what_those_few_have_one_of_is_of_all() -> None:
    wanted = lessons().groupby("city").size().to_dict()
    assert {row[0]: row[-1] for row in rows("top 3 tutors by number of lessons", "and per city?")} == wanted
    both = talk("top 3 tutors by number of lessons", "and also their city").rows()
    assert len(both) == 3


def test_the_worst_of_accidents_is_where_most_are() -> None:
    tables = {"accidents": falls()["falls"]}
    engine = DuckDBEngine.open(None, data=tables)
    world = World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))
    found = ask(world, "number of accidents by cause", "which cause is the worst").rows()
    assert found[0][0] == tables["accidents"].groupby("cause").size().idxmax()


@pytest.mark.parametrize("turn", ["which one has the most minutes queued", "which of them has the most minutes queued"])
def test_the_one_of_a_list_is_told_with_what_it_has_most_of(turn: str) -> None:
    known = rides()
    chair = known[known.refused & (known.lift == "Chair")]
    told, found = answered("how many rides with the chair were refused", "list them", turn)
    assert found is not None and int(chair.minutes_queued.max()) in found[0], told
    assert len(found) == 1


def test_a_question_with_a_number_and_groups_of_its_own_keeps_no_rows() -> None:
    alone = ask(worlds.flights(), "which airline is the most punctual")
    behind = ask(
        worlds.flights(), "how many flights had no arrival delay recorded", "which airline is the most punctual"
    )
    assert behind.rows() == alone.rows() and behind.rows()[0][-1]


@pytest.mark.parametrize("turn", ["on which days?", "which dates", "and on what days"])
def test_on_which_days_is_by_day_of_the_same_rows(turn: str) -> None:
    known = ridden()[ridden().month.eq(3) & ridden().year.eq(2024)]
    told, found = answered("rides in march 2024", turn)
    assert found is not None and sum(row[-1] for row in found) == len(known), told
    assert len(found) == known.day.nunique()


def test_from_which_airports_is_of_where_they_begin() -> None:
    said = ask(worlds.flights(), "how many flights does Delta have", "out of which airports?")
    shown = said.answer.text
    assert "1,440" not in shown and "destination airport" not in shown.split("2.")[0]
