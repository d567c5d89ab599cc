"""Two things asked in one question, or set beside each other: the second is told, or nothing is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from cinema import cinema, screenings
from ferries import crossings, ferries

import svc_notebook as svc


@pytest.fixture(scope="module")
def films() -> Iterator[Any]:
    with svc.embedded(cinema()) as opened:
        yield opened


@pytest.fixture(scope="module")
def boats() -> Iterator[Any]:
    with svc.embedded(ferries()) as opened:
        yield opened


def frame(client: Any, question: str) -> pd.DataFrame:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return answer.result.load_all()


def told(client: Any, question: str) -> set[str]:
    """All that stands in the answer's cells, numbers to three digits behind the point."""
    return {_cell(value) for row in frame(client, question).itertuples(index=False) for value in row}


def _cell(value: Any) -> str:
    if isinstance(value, pd.Timestamp):
        return str(value.date())
    return f"{float(value):.3f}" if isinstance(value, (int, float)) or hasattr(value, "dtype") else str(value)


def cells(*values: Any) -> set[str]:
    return {_cell(value) for value in values}


def by(rows: pd.DataFrame, key: str, *numbers: Any) -> dict[str, tuple[float, ...]]:
    return {str(name): tuple(round(float(of(some)), 3) for of in numbers) for name, some in rows.groupby(key)}


def of_groups(found: pd.DataFrame) -> dict[str, tuple[float, ...]]:
    return {str(row[0]): tuple(round(float(value), 3) for value in row[1:]) for row in found.itertuples(index=False)}


def most(rows: pd.DataFrame, key: str, of: Any) -> tuple[str, pd.DataFrame]:
    """The group that has most of a number, and its rows."""
    name = min(rows[key].unique(), key=lambda one: (-of(rows[rows[key] == one]), str(one)))
    return str(name), rows[rows[key] == name]


@pytest.mark.parametrize(
    "question",
    ["which vessel carried the most passengers and how much fuel did it use?",
     "which vessel carried the most passengers? and how much fuel did it use",
     "which vessel carried the most passengers, how much fuel did it use"],
)  # fmt: skip
def test_the_first_group_with_another_of_its_numbers(boats: Any, question: str) -> None:
    name, rows = most(crossings(), "vessel", lambda some: some.passengers.sum())
    assert told(boats, question) == cells(name, rows.passengers.sum(), rows.fuel_litres.sum())


@pytest.mark.parametrize(
    "question",
    ["which usher had the most screenings; what was their average delay?",
     "which usher had the most screenings and how late were they on average?",
     "which usher had the most screenings, and what is their average delay"],
)  # fmt: skip
def test_what_they_are_late_on_average(films: Any, question: str) -> None:
    name, rows = most(screenings(), "usher", len)
    assert told(films, question) == cells(name, len(rows), rows.delay_minutes.mean())


def test_what_is_known_of_the_first_group(films: Any) -> None:
    name, rows = most(screenings(), "film", lambda some: some.tickets_sold.sum())
    wanted = cells(name, rows.genre.iloc[0], rows.tickets_sold.sum())
    for question in ("which film sold the most tickets, and what is its genre?",
                     "which film sold most tickets and what was its genre"):  # fmt: skip
        assert told(films, question) == wanted
    assert told(films, "which film sold the most tickets, and who is its studio?") == cells(
        name, rows.studio.iloc[0], rows.tickets_sold.sum()
    )


@pytest.mark.parametrize(
    "question",
    [
        "what was the longest delay, and whose crossing was it?",
        "what was the longest delay and whose crossing was that?",
    ],
)
def test_whose_the_extreme_was(boats: Any, question: str) -> None:
    last = crossings().sort_values("delay_minutes").iloc[-1]
    assert told(boats, question) == cells(last.operator, last.delay_minutes)


def test_in_which_of_its_columns_the_extreme_was(films: Any) -> None:
    last = screenings().sort_values("delay_minutes").iloc[-1]
    found = told(films, "what was the longest delay and which usher was it?")
    assert cells(last.usher, last.delay_minutes) <= found


@pytest.mark.parametrize(
    "question",
    ["what day had the most crossings and how many passengers were there on it?",
     "which day had the most crossings, and how many passengers were there on that day"],
)  # fmt: skip
def test_on_the_day_that_was_asked_for(boats: Any, question: str) -> None:
    rows = crossings().assign(day=crossings().departed_at.dt.date.astype(str))
    name, some = most(rows, "day", len)
    assert told(boats, question) == cells(name, len(some), some.passengers.sum())


def test_the_days_of_one_table_in_another() -> None:
    days = pd.date_range("2024-01-01", periods=60, freq="D")
    weather = pd.DataFrame({"observed_on": days, "temperature": [(day * 7) % 31 for day in range(60)]})
    orders = pd.DataFrame({
        "order_id": range(1, 241), "ordered_on": [days[order % 60] for order in range(240)],
        "amount": [10 + order % 13 for order in range(240)],
    })  # fmt: skip
    hottest = weather.sort_values(["temperature", "observed_on"], ascending=[False, True]).iloc[0].observed_on
    rows = orders[orders.ordered_on == hottest]
    with svc.embedded({"weather": weather, "orders": orders}) as client:
        assert told(client, "which day was the hottest and how many orders were there on it?") == cells(
            hottest, len(rows)
        )
        assert told(client, "which day was the hottest, and what was the total amount of orders on that day") == cells(
            hottest, rows.amount.sum()
        )


@pytest.mark.parametrize(
    ("question", "key"),
    [("five vessels with the most cancelled crossings, and what share of their crossings that is", "vessel"),
     ("per harbour, the number of cancelled crossings and the percentage of its crossings that is", "harbour"),
     ("the number of cancelled crossings per weather and the fraction of their crossings that is", "weather")],
)  # fmt: skip
def test_the_part_that_is(boats: Any, question: str, key: str) -> None:
    wanted = by(crossings(), key, lambda some: some.cancelled.sum(), lambda some: some.cancelled.mean())
    found = of_groups(frame(boats, question))
    assert found and all(wanted[name] == numbers for name, numbers in found.items())


def test_how_many_and_how_much(boats: Any) -> None:
    rows = crossings()[crossings().weather == "stormy"]
    assert told(boats, "how many crossings were stormy, and how many passengers did they carry?") == cells(
        len(rows), rows.passengers.sum()
    )


@pytest.mark.parametrize(
    "question",
    ["what was the longest delay and how hot was it?", "which film sold the most tickets and where?",
     "who worked the most screenings and in which hall?", "what was the longest delay and whose fault was it",
     "how did each moon's delay change from March to April?", "Which hall has the highest delay and when was it?",
     "which ushers work cancelled screenings and how many are subtitled",
     "what is the average delay, and is it longer at weekends?",
     "how many tickets were sold in March and how does that compare with April?"],
)  # fmt: skip
def test_no_half_is_told_for_the_whole(films: Any, question: str) -> None:
    answer = films.chat().ask(question)
    assert answer.result is None or "left out" in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [("Blue or Red, which has the higher average ticket price?", "Blue", "Red"),
     ("does Blue or Red have a higher average ticket price?", "Blue", "Red")],
)  # fmt: skip
def test_which_of_two_has_more_of_a_number(films: Any, question: str, one: str, other: str) -> None:
    rows = screenings()
    wanted = by(rows[rows.hall.isin([one, other])], "hall", lambda some: some.ticket_price.mean())
    assert of_groups(frame(films, question)) == wanted


def test_which_of_two_and_what_else_they_have(films: Any) -> None:
    rows = screenings()[screenings().cancelled & screenings().studio.isin(["Nordlys", "Halcyon"])]
    question = "does Nordlys or Halcyon have more cancelled screenings, and how many tickets did they sell?"
    assert of_groups(frame(films, question)) == by(rows, "studio", len, lambda some: some.tickets_sold.sum())
    rows = crossings()[crossings().operator.isin(["Islander", "Coastways"])]
    question = "does Islander or Coastways have more crossings, and which of them has the longer average delay?"
    assert of_groups(frame(ferries_client(), question)) == by(
        rows, "operator", len, lambda some: some.delay_minutes.mean()
    )


def ferries_client() -> Any:
    return svc.embedded(ferries())


@pytest.mark.parametrize(
    "question",
    ["is it better to go on Saturday or Sunday, going by delay?",
     "is it worse to come on Saturday or on Sunday, in terms of delay?"],
)  # fmt: skip
def test_better_by_a_number(films: Any, question: str) -> None:
    rows = screenings().assign(day=screenings().starts_at.dt.day_name())
    wanted = by(rows[rows.day.isin(["Saturday", "Sunday"])], "day", lambda some: some.delay_minutes.mean())
    assert of_groups(frame(films, question)) == wanted


def test_how_often_two_did_something(boats: Any) -> None:
    rows = crossings()
    rows = rows[(rows.harbour == "Oban") & rows.operator.isin(["Islander", "Northlink"])]
    wanted = by(rows, "operator", lambda some: (some.delay_minutes > 20).mean())
    found = frame(boats, "Did Islander or Northlink leave Oban more than 20 minutes late more often?")
    assert of_groups(found) == wanted


@pytest.mark.parametrize(
    ("question", "key"),
    [("Is the average length of dramas longer than the average length of comedies?", "length_minutes"),
     ("is the mean release year of dramas later than that of comedies", "release_year")],
)  # fmt: skip
def test_a_number_of_one_against_that_of_the_other(films: Any, question: str, key: str) -> None:
    rows = cinema()["films"]
    wanted = by(rows[rows.genre.isin(["drama", "comedy"])], "genre", lambda some: some[key].mean())
    assert of_groups(frame(films, question)) == wanted


def test_rows_that_are_of_both_count_on_both_sides(films: Any) -> None:
    rows = screenings()
    wanted = cells(rows.delay_minutes[rows.subtitled].mean(), rows.delay_minutes[rows.cancelled].mean())
    assert (
        told(films, "is the average delay of subtitled screenings longer than that of cancelled screenings") == wanted
    )
    assert told(films, "compare the average delay of subtitled screenings with cancelled screenings") == wanted


@pytest.mark.parametrize(
    ("client", "question", "key", "number"),
    [("films", "how did each hall's average delay change from March to April?", "hall", "delay_minutes"),
     ("films", "how did average delay per usher change from March to April", "usher", "delay_minutes"),
     ("films", "did the average tickets sold of every genre change between March and April?", "genre", "tickets_sold")],
)  # fmt: skip
def test_a_change_of_each(request: pytest.FixtureRequest, client: str, question: str, key: str, number: str) -> None:
    rows = screenings()
    march, april = (rows[rows.starts_at.dt.month == month].groupby(key)[number].mean() for month in (3, 4))
    wanted = {str(name): (round(march[name], 3), round(april[name], 3)) for name in march.index}
    assert of_groups(frame(request.getfixturevalue(client), question)) == wanted


@pytest.mark.parametrize(
    "question",
    ["correlation between tickets sold and delay for each hall", "correlation of tickets sold and delay per hall",
     "in each hall, how do tickets sold and delay correlate?"],
)  # fmt: skip
def test_a_correlation_of_each(films: Any, question: str) -> None:
    groups = screenings().groupby("hall")
    wanted = {str(name): round(rows.tickets_sold.corr(rows.delay_minutes), 3) for name, rows in groups}
    assert {name: numbers[0] for name, numbers in of_groups(frame(films, question)).items()} == wanted


@pytest.mark.parametrize(
    ("question", "asks"),
    [("Red: tickets sold per film", lambda rows: rows.hall == "Red"),
     ("Blue hall, subtitled only: tickets sold per film", lambda rows: (rows.hall == "Blue") & rows.subtitled),
     ("Looking at dramas only. Tickets sold per film?", lambda rows: rows.genre == "drama"),
     ("Easter week, April 3 to April 9: tickets sold per film",
      lambda rows: (rows.starts_at >= "2023-04-03") & (rows.starts_at < "2023-04-10")),
     ("tickets sold per film. Only count subtitled screenings.", lambda rows: rows.subtitled)],
)  # fmt: skip
def test_what_is_said_apart_is_of_all_of_it(films: Any, question: str, asks: Any) -> None:
    rows = screenings()
    wanted = by(rows[asks(rows)], "film", lambda some: some.tickets_sold.sum())
    assert of_groups(frame(films, question)) == wanted


def test_what_points_at_the_rows_that_were_said(films: Any) -> None:
    rows = screenings()[(screenings().hall == "Red") & screenings().subtitled]
    name, some = most(rows, "usher", lambda some: some.tickets_sold.sum())
    question = "I'm only looking at subtitled screenings in Red. Which usher sold the most tickets there?"
    assert told(films, question) == cells(name, some.tickets_sold.sum())


def test_each_group_is_spread_out(films: Any) -> None:
    assert set(frame(films, "distribution of delay for each hall").iloc[:, 0]) == {"Blue", "Red", "Studio"}


def test_what_somebody_wants_before_asking(films: Any) -> None:
    rows = screenings()
    rows = rows[(rows.genre == "comedy") & (rows.starts_at.dt.day_name() == "Saturday")]
    found = told(films, "I want to see a comedy on a Saturday. Which hall has the largest average delay?")
    name, some = most(rows, "hall", lambda some: some.delay_minutes.mean())
    assert found == cells(name, some.delay_minutes.mean())


@pytest.mark.parametrize(
    "question",
    ["Which three films had the longest average delay? Only count films with at least 60 screenings.",
     "which three films had the longest average delay, min 60 screenings",
     "the three films with the longest average delay (at least 60 screenings)"],
)  # fmt: skip
def test_groups_of_so_many_rows(films: Any, question: str) -> None:
    groups = [(name, rows) for name, rows in screenings().groupby("film") if len(rows) >= 60]
    first = sorted(groups, key=lambda one: -one[1].delay_minutes.mean())[:3]
    wanted = {name: round(rows.delay_minutes.mean(), 3) for name, rows in first}
    assert {name: numbers[0] for name, numbers in of_groups(frame(films, question)).items()} == wanted
