"""Turns that take back, leave out and correct: what a person means by them over a small table, in pandas."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, rides, rows_of

import svc_notebook as svc
from svc_notebook.analyst.base import PastTurn


def dated() -> pd.DataFrame:
    known = rides().copy()
    ridden = pd.to_datetime(known.ridden_on)
    return known.assign(ridden=ridden, month=ridden.dt.to_period("M").dt.start_time, year=ridden.dt.year)


def summed(frame: pd.DataFrame, group: str, number: str = "price") -> list[list[object]]:
    return rows_of(frame.groupby(group)[number].sum().reset_index())


@pytest.mark.parametrize(
    ("turn", "kinds"),
    [("without the season passes", ["day", "evening"]), ("except season", ["day", "evening"]),
     ("drop season", ["day", "evening", "season"]), ("without the season filter", ["day", "evening", "season"])],
)  # fmt: skip
def test_without_the_only_ones_is_all_but_those(turn: str, kinds: list[str]) -> None:
    known = rides()
    _, rows = answered("total price by lift", "only season", turn)
    assert rows == summed(known[known.pass_kind.isin(kinds)], "lift")


@pytest.mark.parametrize(("turn", "days"), [("only weekdays", range(5)), ("only on weekends", (5, 6))])
def test_days_of_the_week_are_rows_and_no_groups(turn: str, days: range | tuple[int, ...]) -> None:
    known = dated()
    wanted = known[(known.year == 2024) & known.ridden.dt.day_of_week.isin(days)]
    assert answered("total price per month in 2024", turn)[1] == summed(wanted, "month")


@pytest.mark.parametrize(
    ("first", "turn", "start", "end"),
    [("total price by lift in March 2024", "and last year?", "2023-03-01", "2023-04-01"),
     ("total price by lift in March 2023", "what about last year?", "2024-03-01", "2024-04-01"),
     ("total price by lift in 2024", "and last year?", "2023-01-01", "2024-01-01"),
     ("total price by lift in 2023", "and last year?", "2024-01-01", "2025-01-01"),
     ("total price by lift in March 2024", "only last year", "2024-01-01", "2025-01-01")],
)  # fmt: skip
def test_last_year_is_that_of_the_period_before(first: str, turn: str, start: str, end: str) -> None:
    known = dated()
    assert answered(first, turn)[1] == summed(known[(known.ridden >= start) & (known.ridden < end)], "lift")


@pytest.mark.parametrize("turn", ["not price, minutes queued", "not the price but the minutes queued"])
def test_one_number_and_not_the_other(turn: str) -> None:
    assert answered("total price by lift", turn)[1] == summed(rides(), "lift", "minutes_queued")


def test_one_group_or_value_and_not_the_other() -> None:
    known = rides()
    assert answered("total price by lift", "not by lift, by pass kind")[1] == summed(known, "pass_kind")
    assert answered("total price by lift for season", "not season, evening")[1] == summed(
        known[known.pass_kind == "evening"], "lift"
    )


def test_numbers_are_added_once_and_dropped_by_what_they_are_of() -> None:
    assert answered("total price by lift", "add price")[1] is None
    assert answered("total price by lift", "add minutes queued", "drop the price")[1] == summed(
        rides(), "lift", "minutes_queued"
    )
    assert answered("total price by lift", "drop the price")[1] is None


def test_going_back_takes_no_reading_that_stood_beside_an_answer() -> None:
    known = dated().rename(columns={"lift": "station"}).replace({"station": {"Chair": "Station"}})
    with svc.embedded({"rides": known.drop(columns=["ridden", "month", "year"])}) as client:
        chat = client.chat()
        for turn in ("total price per month in 2024", "by station instead"):
            chat.ask(turn)
        shown = chat.ask("go back to the months").df
    assert shown is not None and rows_of(shown) == summed(known[known.year == 2024], "month")


def test_which_of_the_groups_is_above_a_number() -> None:
    sums = rides().groupby("lift").price.sum()
    most = sums.sort_values().iloc[1]
    _, rows = answered("total price by lift", f"which of those is above {most - 1:.0f}?")
    assert rows == rows_of(sums[sums > most - 1].reset_index())


def test_a_reading_that_was_offered_alone_is_not_built_upon_in_silence() -> None:
    offered = {"question": "Number of rides", "sql": 'SELECT MEASURE("rides"."count") AS "count" FROM "rides"'}
    before = (PastTurn("the rides thing", "Did you mean: 1. Number of rides", memory={"choices": [offered]}),)
    said, rows = answered("by lift", history=before)
    assert rows is None and "by lift" in said
    _, rows = answered("by lift", "yes", history=before)
    assert rows == rows_of(rides().groupby("lift").size().reset_index())


@pytest.mark.parametrize(
    ("first", "turn", "group", "gone"),
    [("total price by lift in 2024", "per year", "year", "no longer only where ridden on in 2024"),
     ("total price by lift for season", "by pass kind", "pass_kind", "no longer only where pass kind is season"),
     ("total price by lift in 2024", "pro Jahr", "year", "Nicht mehr eingeschränkt auf: Ridden on in 2024")],
)  # fmt: skip
def test_a_restriction_that_a_group_takes_away_is_told(first: str, turn: str, group: str, gone: str) -> None:
    known = dated().assign(year=lambda rows: rows.ridden.dt.to_period("Y").dt.start_time)
    said, rows = answered(first, turn)
    assert rows == summed(known, group) and gone in said


@pytest.mark.parametrize("turn", ["ok thanks, thats all for today", "thanks, that's it for now"])
def test_thanks_is_no_restriction(turn: str) -> None:
    assert answered("total price by lift in 2024", turn)[1] is None


def test_a_question_that_begins_with_a_preposition_is_whole() -> None:
    _, rows = answered("total price by pass kind in 2024", "on how many lifts do we have rides?")
    assert rows == [[float(rides().lift.nunique())]]


@pytest.mark.parametrize(
    ("before", "turn", "group"),
    [(("total price by lift",), "group it by pass kind", "pass_kind"),
     (("total price by lift", "break it down by pass kind"), "group it by pass kind", "pass_kind"),
     (("total price by lift",), "group it by lift", "lift")],
)  # fmt: skip
def test_grouping_it_is_by_that_alone(before: tuple[str, ...], turn: str, group: str) -> None:
    assert answered(*before, turn)[1] == summed(rides(), group)


@pytest.mark.parametrize("turn", ["just Gondola", "the same for Gondola", "only for Gondola"])
def test_what_holds_already_is_no_question_of_its_own(turn: str) -> None:
    known = rides()
    wanted = summed(known[known.lift == "Gondola"], "pass_kind")
    assert answered("total price by pass kind", "only Gondola", turn)[1] == wanted


def test_the_most_of_them_is_the_first_of_a_ranking_and_no_analysis() -> None:
    known = rides()
    with svc.embedded({"rides": known}) as client:
        chat = client.chat()
        chat.ask("how many rides with a day pass")
        answer = chat.ask("which lift has the most of them?")
    assert answer.df.iloc[0, 0] == known[known.pass_kind == "day"].lift.value_counts().idxmax(), answer.text


def test_a_word_of_time_within_a_list_is_not_passed_over() -> None:
    known = rides()
    with svc.embedded({"rides": known}) as client:
        answer = client.chat().ask("list the rides with a day pass")
        rows = None if answer.outcome == "asked_back" else len(answer.result.load_all())
    assert rows in (None, (known.pass_kind == "day").sum()), answer.text


@pytest.mark.parametrize(
    "before", ["how many employees are there", "how many people are still employed", "payroll by job"]
)
def test_who_stands_to_somebody_is_asked_anew(before: str) -> None:
    people = pd.DataFrame({
        "employee_id": [1, 2, 3, 4], "first_name": ["Ada", "Ben", "Cleo", "Dan"], "last_name": ["Abel", "Otto", "Ruiz", "Sato"],
        "job": ["chief", "clerk", "clerk", "clerk"], "monthly_salary": [9, 4, 5, 6], "manager_id": [None, 1, 1, 2],
        "left_on": pd.to_datetime([None, None, "2024-03-01", None]),
    })  # fmt: skip
    with svc.embedded({"employees": people}) as client:
        chat = client.chat()
        chat.ask(before)
        answer = chat.ask("who reports to Ada Abel")
    assert answer.df is not None and set(answer.df.iloc[:, 0]) == {"Ben", "Cleo"}, answer.text


@pytest.mark.parametrize("before", ["revenue per seller", "how many cakes are there", "average price by kind"])
def test_the_dearest_of_a_kind_is_asked_anew(before: str) -> None:
    goods = pd.DataFrame({
        "name": ["Opera", "Linzer", "Rye", "Spelt", "Sacher"], "kind": ["cake", "cake", "bread", "bread", "cake"],
        "price": [31.0, 24.0, 5.5, 6.5, 38.0], "seller": ["Ann", "Ben", "Ann", "Ben", "Ann"],
    })  # fmt: skip
    with svc.embedded({"goods": goods}) as client:
        chat = client.chat()
        chat.ask(before)
        answer = chat.ask("most expensive cake")
    assert "Sacher" in answer.df.astype(str).to_numpy().ravel(), answer.text


@pytest.mark.parametrize(
    "question",
    ["how many snowboards do we have", "do evening passes cost more than day passes", "has anybody ever paid twice"],
)
def test_a_whole_clause_that_is_not_read_is_no_edit(question: str) -> None:
    with svc.embedded({"rides": rides()}) as client:
        alone = client.chat().ask(question)
        chat = client.chat()
        chat.ask("total price by lift in 2024")
        answer = chat.ask(question)
    assert (answer.outcome, answer.sql) == (alone.outcome, alone.sql), answer.text
