"""What somebody asks who has just opened the first notebook: where from and where to, which of two, the second of them.

Rows are in one table with all that is known of each, as in the demo; some places have two stops, one column says
*unknown* where another is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

STOPS = ["Bergen Port", "Oslo North", "Oslo South", "Narvik Square"]


def coaches() -> pd.DataFrame:
    """Departures of coaches of three operators between four stops of three towns."""
    dice = np.random.default_rng(71)
    n = 2400
    made = pd.DataFrame(
        {
            "departure_id": range(1, n + 1),
            "left_at": pd.Timestamp("2025-01-01") + pd.to_timedelta(dice.integers(0, 365 * 24 * 60, n), "min"),
            "origin": dice.choice(STOPS, n, p=[0.5, 0.2, 0.2, 0.1]),
            "destination": dice.choice(STOPS, n, p=[0.3, 0.3, 0.2, 0.2]),
            "operator": dice.choice(["Fjordline", "Nordbus", "Vy"], n, p=[0.5, 0.3, 0.2]),
            "coach": [f"C{number:02d}" for number in dice.integers(1, 41, n)],
            "delay_minutes": dice.integers(-5, 60, n),
            "temperature": dice.integers(-15, 30, n),
            "road": dice.choice(["dry", "wet", "unknown"], n),
            "cancelled": dice.random(n) < 0.05,
        }
    )
    made["manufacturer"] = np.where(made.coach.str[1:].astype(int) <= 15, "Volvo", "Scania")
    made["seats"] = np.where(made.manufacturer == "Volvo", 50, 36)
    made.loc[dice.choice(n, 90, replace=False), "coach"] = None
    return made


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded({"departures": coaches()}) as opened:
        yield lambda question: opened.chat().ask(question)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return coaches()


def only(answer: Any) -> float:
    """The one number of an answer."""
    assert answer.result is not None, answer.text
    frame = answer.result.to_frame()
    assert len(frame) == 1, answer.text
    return float(frame.iloc[0, -1])


def by_group(answer: Any) -> dict[str, float]:
    """The numbers of an answer by its one group."""
    assert answer.result is not None, answer.text
    frame = answer.result.to_frame()
    return {str(key): float(value) for key, value in zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True)}


@pytest.mark.parametrize("begins", ["how many departures from Bergen to Oslo", "departures from Bergen to Oslo"])
def test_a_town_with_two_stops_is_one_end_of_the_way(asked: Any, rows: pd.DataFrame, begins: str) -> None:
    way = rows[(rows.origin == "Bergen Port") & rows.destination.str.startswith("Oslo")]
    assert only(asked(begins)) == len(way)


def test_a_way_is_of_two_columns_in_groups_too(asked: Any, rows: pd.DataFrame) -> None:
    way = rows[rows.origin.str.startswith("Oslo") & (rows.destination == "Narvik Square")]
    found = by_group(asked("average delay from Oslo to Narvik by operator"))
    assert found == {k: pytest.approx(v) for k, v in way.groupby("operator").delay_minutes.mean().items()}


@pytest.mark.parametrize(
    "question", ["average delay of Volvo coaches", "what is the average delay minutes of Volvo coaches"]
)
def test_a_noun_behind_its_value_is_no_group(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert only(asked(question)) == pytest.approx(rows[rows.manufacturer == "Volvo"].delay_minutes.mean())


def test_rows_that_used_some_are_counted(asked: Any, rows: pd.DataFrame) -> None:
    assert only(asked("how many departures used Volvo coaches")) == (rows.manufacturer == "Volvo").sum()


def test_who_uses_some_is_told_without_them(asked: Any, rows: pd.DataFrame) -> None:
    found = asked("which operators use Scania coaches").result.to_frame()
    assert sorted(found.iloc[:, 0]) == sorted(rows[rows.manufacturer == "Scania"].operator.unique())
    assert found.shape[1] == 1


@pytest.mark.parametrize("question", ["average delay by coach", "number of departures of each coach"])
def test_what_is_asked_by_is_still_a_group(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert len(asked(question).result.to_frame()) >= rows.coach.nunique()


@pytest.mark.parametrize(
    "question", ["how many departures had unknown coaches", "how many departures have a missing coach"]
)
def test_what_is_unknown_is_empty_whatever_another_column_says(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert only(asked(question)) == rows.coach.isna().sum()


def test_what_a_column_calls_unknown_is_its_value(asked: Any, rows: pd.DataFrame) -> None:
    assert only(asked("how many departures had an unknown road")) == (rows.road == "unknown").sum()


@pytest.mark.parametrize(
    "question",
    [
        "how many departures were cancelled because of strikes", "how many departures were cancelled due to ice",
        "average delay when it is foggy", "how many departures were cancelled with a flat tyre",
    ],
)  # fmt: skip
def test_what_restricts_and_is_not_known_is_not_left_out(asked: Any, question: str) -> None:
    answer = asked(question)
    assert answer.result is None, answer.text


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("operator with the second most departures", 1), ("second busiest operator", 1),
        ("which operator has the third most departures", 2), ("which operator has the 2nd most departures", 1),
    ],
)  # fmt: skip
def test_the_second_is_one_behind_the_first(asked: Any, rows: pd.DataFrame, question: str, place: int) -> None:
    found = asked(question).result.to_frame()
    assert list(found.iloc[:, 0]) == [rows.operator.value_counts().index[place]]


def test_the_second_of_a_thread_goes_by_what_was_ranked(rows: pd.DataFrame) -> None:
    with svc.embedded({"departures": coaches()}) as opened:
        chat = opened.chat()
        chat.ask("which operator has the most departures")
        found = chat.ask("and the second most?").result.to_frame()
    assert list(found.iloc[:, 0]) == [rows.operator.value_counts().index[1]]


@pytest.mark.parametrize(
    "question",
    [
        "are there more departures in July or August",
        "were there more departures in July or in August",
        "did we have more departures in July or August",
        "which has more departures, July or August",
    ],
)
def test_which_of_two_months_has_more(asked: Any, rows: pd.DataFrame, question: str) -> None:
    found = asked(question).result.to_frame()
    months = rows.left_at.dt.month.value_counts()
    assert sorted(found.iloc[:, 1]) == sorted([months[7], months[8]])


@pytest.mark.parametrize("question", ["who goes more to Narvik, Vy or Nordbus", "does Vy or Nordbus go more to Narvik"])
def test_who_goes_somewhere_more_is_counted_there(asked: Any, rows: pd.DataFrame, question: str) -> None:
    there = rows[rows.destination == "Narvik Square"].operator.value_counts()
    assert by_group(asked(question)) == {name: there[name] for name in ("Nordbus", "Vy")}


def test_the_difference_in_a_number_is_of_its_average(asked: Any, rows: pd.DataFrame) -> None:
    means = rows.groupby("operator").delay_minutes.mean()
    found = by_group(asked("what is the difference in delay between Vy and Nordbus"))
    assert {name: pytest.approx(means[name]) for name in ("Vy", "Nordbus")} == found


@pytest.mark.parametrize("question", ["how warm was it in July", "how cold was it on average in July"])
def test_weather_is_the_average_of_its_number(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert only(asked(question)) == pytest.approx(rows[rows.left_at.dt.month == 7].temperature.mean())


@pytest.mark.parametrize("question", ["compare the operators", "compare all our operators", "compare operators"])
def test_compared_without_a_number_are_how_many_rows_each_has(asked: Any, rows: pd.DataFrame, question: str) -> None:
    answer = asked(question)
    assert by_group(answer) == rows.operator.value_counts().to_dict()
    assert "departures" in answer.text  # in English, which "compare" alone is too


def test_the_best_to_go_is_the_least_late(asked: Any, rows: pd.DataFrame) -> None:
    found = asked("which operator is best to go with").result.to_frame()
    assert found.iloc[0, 0] == rows.groupby("operator").delay_minutes.mean().idxmin()


@pytest.mark.parametrize(
    "question", ["worst operator", "what is the worst operator", "worst operator from Bergen Port"]
)
def test_the_worst_of_all_is_the_latest(asked: Any, rows: pd.DataFrame, question: str) -> None:
    there = rows[rows.origin == "Bergen Port"] if "Bergen" in question else rows
    found = asked(question).result.to_frame()
    assert found.iloc[0, 0] == there.groupby("operator").delay_minutes.mean().idxmax()


@pytest.mark.parametrize("question", ["worst month for each operator", "what was the worst month by operator"])
def test_the_worst_of_each_is_its_latest(asked: Any, rows: pd.DataFrame, question: str) -> None:
    means = rows.groupby(["operator", rows.left_at.dt.strftime("%Y-%m")]).delay_minutes.mean()
    found = asked(question).result.to_frame()
    told = {operator: str(month)[:7] for operator, month in zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)}
    assert told == {operator: means[operator].idxmax() for operator in rows.operator.unique()}


def test_the_worst_of_what_is_named_is_by_that(asked: Any, rows: pd.DataFrame) -> None:
    found = asked("worst operator for cancellations").result.to_frame()
    assert found.iloc[0, 0] == rows[rows.cancelled].operator.value_counts().idxmax()


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("how many departures left more than 2 minutes early", lambda late: late < -2),
        ("how many departures left at least 2 minutes earlier than planned", lambda late: late <= -2),
        ("how many departures left ahead of schedule", lambda late: late < 0),
        ("how many departures left over half an hour later than scheduled", lambda late: late > 30),
        ("how many departures left more than 40 minutes behind schedule", lambda late: late > 40),
    ],
)
def test_early_lies_below_nought(asked: Any, rows: pd.DataFrame, question: str, bound: Any) -> None:
    assert only(asked(question)) == bound(rows.delay_minutes).sum()


@pytest.mark.parametrize("question", ["how was the temperature in March", "how were delays in March"])
def test_how_a_number_was_is_its_average(asked: Any, rows: pd.DataFrame, question: str) -> None:
    column = "temperature" if "temperature" in question else "delay_minutes"
    assert only(asked(question)) == pytest.approx(rows[rows.left_at.dt.month == 3][column].mean())


def test_a_share_of_things_counts_each_of_them_once(asked: Any, rows: pd.DataFrame) -> None:
    """A coach that goes twice as often is one coach all the same."""
    told = rows.dropna(subset="coach")
    of = told.groupby("operator").apply(
        lambda some: some[some.manufacturer == "Volvo"].coach.nunique() / some.coach.nunique(), include_groups=False
    )
    found = by_group(asked("share of Volvo coaches by operator"))
    assert found == {name: pytest.approx(100 * value) for name, value in of.items()}


@pytest.mark.parametrize(
    ("question", "divided"),
    [
        ("how many minutes of delay did Vy have", 1),
        ("hours of delay for Vy", 60),
        ("total minutes of delay for Vy", 1),
    ],
)
def test_so_much_of_a_number_is_added_up(asked: Any, rows: pd.DataFrame, question: str, divided: int) -> None:
    assert only(asked(question)) == pytest.approx(rows[rows.operator == "Vy"].delay_minutes.sum() / divided)


@pytest.mark.parametrize(
    "question", ["which operator has the most hours of delay", "which has the highest total delay"]
)
def test_the_most_of_a_number_is_its_highest_total(asked: Any, rows: pd.DataFrame, question: str) -> None:
    question = question.replace("which has", "which operator has")
    found = asked(question).result.to_frame()
    totals = rows.groupby("operator").delay_minutes.sum()
    assert (found.iloc[0, 0], found.iloc[0, 1]) == (totals.idxmax(), totals.max())


@pytest.mark.parametrize("question", ["tell me about operator Vy", "describe the operator Vy", "tell me about Vy"])
def test_one_of_a_column_is_told_by_its_rows(asked: Any, rows: pd.DataFrame, question: str) -> None:
    """The column has a word of its own in the question, and is not what is asked about."""
    assert f"**{(rows.operator == 'Vy').sum():,}** departures" in asked(question).text


def test_a_column_is_told_by_itself(asked: Any) -> None:
    assert "`departures.operator`" in asked("tell me about the operator column").text


def test_worse_is_later(asked: Any, rows: pd.DataFrame) -> None:
    means = rows.groupby(rows.left_at.dt.month).delay_minutes.mean()
    found = asked("was March worse than April").result.to_frame()
    assert list(found.value) == [pytest.approx(means[3]), pytest.approx(means[4])]


@pytest.mark.parametrize("question", ["what time do most departures leave", "at what hour do most departures leave"])
def test_when_most_are_is_an_hour_of_the_day(asked: Any, rows: pd.DataFrame, question: str) -> None:
    found = asked(question).result.to_frame()
    assert found.iloc[0, 1] == rows.left_at.dt.hour.value_counts().max()


@pytest.mark.parametrize("question", ["did delays get worse over the year", "are delays getting better?"])
def test_delays_that_get_worse_are_how_late(asked: Any, question: str) -> None:
    assert "average delay" in asked(question).text
