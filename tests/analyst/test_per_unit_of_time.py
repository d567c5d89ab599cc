"""So many a day, on average or on an average day: a number per unit of time, of each group where one is said."""

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


def _per(rows: pd.DataFrame, unit: str) -> float:
    return float(rows.groupby(rows.departed_at.dt.to_period(unit)).size().mean())


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("how many crossings are there on an average day", "D"),
        ("how many crossings were there in a typical week?", "W"),
        ("how many crossings a month are there on average?", "M"),
        ("On average, how many crossings a week were there?", "W"),
        ("how many crossings do we have on a normal day", "D"),
    ],
)
def test_one_number(boats: Any, question: str, unit: str) -> None:
    assert boats.chat().ask(question).df.iloc[0, 0] == pytest.approx(_per(CROSSINGS, unit))


@pytest.mark.parametrize(
    "question",
    ["how many crossings a day were there on average in each month?", "average number of crossings per day by month"],
)
def test_of_each_longer_unit(boats: Any, question: str) -> None:
    found = boats.chat().ask(question).df
    months = CROSSINGS.groupby(CROSSINGS.departed_at.dt.to_period("M"))
    wanted = months.apply(lambda rows: _per(rows, "D"), include_groups=False)
    assert [round(one, 6) for one in found.iloc[:, 1]] == [round(one, 6) for one in wanted]


def test_of_each_group(boats: Any) -> None:
    found = boats.chat().ask("how many crossings a week on average by harbour").df
    wanted = {harbour: _per(rows, "W") for harbour, rows in CROSSINGS.groupby("harbour")}
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == pytest.approx(wanted)


def test_of_some_rows(boats: Any) -> None:
    found = boats.chat().ask("how many crossings were cancelled on an average month").df
    months = CROSSINGS.departed_at.dt.to_period("M").nunique()
    assert found.iloc[0, 0] == pytest.approx(CROSSINGS.cancelled.sum() / months)  # those without any count as well


@pytest.mark.parametrize(
    "question", ["how many passengers do we carry on an average day", "how many passengers a day on average"]
)
def test_of_what_rows_hold_it_is_their_sum(boats: Any, question: str) -> None:
    found = boats.chat().ask(question).df
    days = CROSSINGS.groupby(CROSSINGS.departed_at.dt.date).passengers.sum()
    assert found.iloc[0, 0] == pytest.approx(days.mean())


def test_day_by_day_where_no_average_is_said(boats: Any) -> None:
    found = boats.chat().ask("how many crossings a month does Oban have").df
    wanted = CROSSINGS[CROSSINGS.harbour == "Oban"].groupby(CROSSINGS.departed_at.dt.to_period("M")).size()
    assert list(found.iloc[:, 1]) == list(wanted)


@pytest.mark.parametrize(
    "question",
    [
        "how many crossings were an hour late",
        "how many crossings were there in a month",
        "how many crossings on a saturday",
    ],
)
def test_a_day_that_is_no_unit_stays(boats: Any, question: str) -> None:
    assert "per month" not in (boats.chat().ask(question).text or "")


def test_a_bound_of_how_often_stays_one(boats: Any) -> None:
    assert "per week" not in boats.chat().ask("how many vessels sail more than twice a week").text


def test_its_edits_are_of_the_units_numbers(boats: Any) -> None:
    """Groups, bounds and another unit change what is averaged, which stays an average."""
    chat = boats.chat()
    chat.ask("average number of crossings per day")
    by = chat.ask("by harbour").df
    wanted = {harbour: _per(rows, "D") for harbour, rows in CROSSINGS.groupby("harbour")}
    assert dict(zip(by.iloc[:, 0], by.iloc[:, 1], strict=True)) == pytest.approx(wanted)
    weekly = chat.ask("per week").df
    wanted = {harbour: _per(rows, "W") for harbour, rows in CROSSINGS.groupby("harbour")}
    assert dict(zip(weekly.iloc[:, 0], weekly.iloc[:, 1], strict=True)) == pytest.approx(wanted)
    one = chat.ask("only Oban").df
    assert list(one.iloc[:, 0]) == ["Oban"]
    assert one.iloc[0, 1] == pytest.approx(wanted["Oban"])


def test_its_rows_are_bounded_alike(boats: Any) -> None:
    chat = boats.chat()
    chat.ask("average number of crossings per day")
    oban = chat.ask("what about Oban?").df
    assert oban.iloc[0, 0] == pytest.approx(_per(CROSSINGS[CROSSINGS.harbour == "Oban"], "D"))


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("average daily crossings", "D"),
        ("what's the average weekly number of crossings", "W"),
        ("average monthly crossings", "M"),
    ],
)
def test_averages_are_said_by_an_adjective_too(boats: Any, question: str, unit: str) -> None:
    assert boats.chat().ask(question).df.iloc[0, 0] == pytest.approx(_per(CROSSINGS, unit))


@pytest.mark.parametrize("turn", ["by month", "split by month"])
def test_a_longer_unit_tells_the_units_apart(boats: Any, turn: str) -> None:
    chat = boats.chat()
    chat.ask("average number of crossings per day")
    found = chat.ask(turn).df
    months = CROSSINGS.groupby(CROSSINGS.departed_at.dt.to_period("M"))
    assert list(found.iloc[:, 1]) == pytest.approx([_per(rows, "D") for _, rows in months])


def test_units_stay_where_rows_are_bounded_later(boats: Any) -> None:
    chat = boats.chat()
    for turn in ("average number of crossings per day", "by weekday"):
        chat.ask(turn)
    oban = CROSSINGS[CROSSINGS.harbour == "Oban"]
    wanted = [_per(rows, "D") for _, rows in oban.groupby(oban.departed_at.dt.day_of_week)]
    assert list(chat.ask("only Oban").df.iloc[:, 1]) == pytest.approx(wanted)
