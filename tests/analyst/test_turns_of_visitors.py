"""What somebody who has just opened the first notebook goes on with: sort by, on those, by hour, which one is the oldest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
import pytest
from test_asked_by_visitors import coaches

import svc_notebook as svc


def tables() -> dict[str, pd.DataFrame]:
    """Departures of coaches, and the coaches themselves."""
    rows = coaches()
    names = [f"C{number:02d}" for number in range(1, 41)]
    built = [1990 + (7 * place) % 33 for place in range(len(names))]
    fleet = pd.DataFrame({"coach_id": range(1, 41), "coach_name": names, "year_built": built})
    return {"departures": rows, "fleet": fleet}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded({"departures": coaches()}) as service:
        yield service


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return coaches()


def last(service: Any, turns: Sequence[str]) -> Any:
    chat = service.chat()
    return [chat.ask(turn) for turn in turns][-1]


def test_sorted_by_a_number_that_is_shown(opened: Any, rows: pd.DataFrame) -> None:
    found = last(opened, ["number of departures and average delay by operator", "sort by delay"]).result.to_frame()
    means = rows.groupby("operator").delay_minutes.mean().sort_values()
    assert list(found.iloc[:, 0]) in (list(means.index), list(means.index[::-1]))
    assert found.shape[1] == 3  # both numbers are still there


def test_sorted_by_the_only_number_there_is(opened: Any, rows: pd.DataFrame) -> None:
    found = last(opened, ["average delay by operator", "sort by delay descending"]).result.to_frame()
    assert list(found.iloc[:, 0]) == list(rows.groupby("operator").delay_minutes.mean().sort_values().index[::-1])


def test_a_few_are_sorted_and_stay_the_same_few(opened: Any, rows: pd.DataFrame) -> None:
    turns = ["top 5 coaches by number of departures", "with average delay", "sort by delay descending"]
    found = last(opened, turns).result.to_frame()
    most = rows.coach.value_counts()
    means = rows.groupby("coach").delay_minutes.mean()
    shown = list(found.iloc[:, 0])
    assert sorted(most[shown], reverse=True) == list(most.iloc[:5])
    assert shown == sorted(shown, key=lambda name: -means[name])


def test_on_those_is_of_those(opened: Any, rows: pd.DataFrame) -> None:
    turns = ["top 3 coaches by number of departures", "what is the average delay minutes on those?"]
    found = last(opened, turns).result.to_frame()
    means = rows.groupby("coach").delay_minutes.mean()
    assert len(found) == 3
    assert list(found.iloc[:, 1]) == [pytest.approx(means[name]) for name in found.iloc[:, 0]]


@pytest.mark.parametrize("turns", [["departures in July by hour"], ["departures in July", "by hour"]])
def test_hours_of_many_days_are_hours_of_the_day(opened: Any, rows: pd.DataFrame, turns: list[str]) -> None:
    found = last(opened, turns).result.to_frame()
    july = rows[rows.left_at.dt.month == 7]
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == july.left_at.dt.hour.value_counts().to_dict()


@pytest.mark.parametrize("turns", [["departures on 4 July by hour"], ["departures on 4 July", "by hour"]])
def test_hours_of_one_day_are_its_own(opened: Any, rows: pd.DataFrame, turns: list[str]) -> None:
    found = last(opened, turns).result.to_frame()
    day = rows[rows.left_at.dt.date == pd.Timestamp("2025-07-04").date()]
    assert found.iloc[:, 1].sum() == len(day)
    assert pd.to_datetime(found.iloc[:, 0]).dt.date.eq(pd.Timestamp("2025-07-04").date()).all()


def test_how_many_of_a_kind_come_beside_a_number(opened: Any, rows: pd.DataFrame) -> None:
    answer = last(opened, ["how many coaches does Vy have", "and how many destinations?"])
    assert answer.result is not None
    numbers = answer.result.to_frame().select_dtypes("number").iloc[0].tolist()
    assert numbers[-1] == rows[rows.operator == "Vy"].destination.nunique()


@pytest.mark.parametrize("turn", ["which one is the oldest", "which of them is the oldest?"])
def test_which_one_of_those_that_were_counted(turn: str) -> None:
    with svc.embedded(tables()) as service:
        found = last(service, ["how many coaches are there", turn]).result.to_frame()
    fleet = tables()["fleet"]
    oldest = fleet.loc[fleet.year_built.idxmin()]
    assert len(found) == 1
    assert {oldest.coach_id, oldest.coach_name} & set(found.iloc[0])
    assert oldest.year_built in set(found.iloc[0])


def test_a_number_put_together_otherwise(opened: Any, rows: pd.DataFrame) -> None:
    found = last(opened, ["median delay minutes by operator", "mean instead"]).result.to_frame()
    means = rows.groupby("operator").delay_minutes.mean()
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == {k: pytest.approx(v) for k, v in means.items()}


def test_the_models_own_mean_stands_for_its_own_median() -> None:
    with svc.demo() as demo:
        answer = last(demo, ["median departure delay by airline", "mean instead"])
    assert 'MEASURE("avg_departure_delay")' in answer.sql


@pytest.mark.parametrize("turn", ["explain", "explain that", "please explain"])
def test_an_answer_is_explained(opened: Any, turn: str) -> None:
    answer = last(opened, ["average delay by operator", turn])
    assert "operator" in answer.text
    assert "query" in answer.text


@pytest.mark.parametrize(
    ("turn", "fold"), [("and the longest one?", "max"), ("the longest?", "max"), ("and the shortest one?", "min")]
)
def test_the_longest_one_is_no_number_one(opened: Any, rows: pd.DataFrame, turn: str, fold: str) -> None:
    found = last(opened, ["average delay minutes of Vy", turn]).result.to_frame()
    assert found.iloc[0, 0] == rows[rows.operator == "Vy"].delay_minutes.agg(fold)


def test_the_longest_one_of_what_was_counted_is_not_of_length_one(opened: Any) -> None:
    answer = last(opened, ["how many departures does Vy have", "and the longest one?"])
    assert answer.result is None or "= 1" not in answer.sql


@pytest.mark.parametrize(
    ("turn", "fold"), [("on average", "mean"), ("and the average?", "mean"), ("the median", "median")]
)
def test_how_many_of_each_are_put_together(opened: Any, rows: pd.DataFrame, turn: str, fold: str) -> None:
    found = last(opened, ["how many departures does each coach have", turn]).result.to_frame()
    assert found.shape == (1, 1)
    assert found.iloc[0, 0] == pytest.approx(rows.coach.value_counts().agg(fold))  # rows without a coach are of none


@pytest.mark.parametrize(
    ("turns", "bound"),
    [
        (["average delay on Mondays", "and on weekends"], lambda at: at.dt.dayofweek > 4),
        (["average delay on weekends", "and on Fridays"], lambda at: at.dt.dayofweek == 4),
        (["average delay in summer", "and in December"], lambda at: at.dt.month == 12),
        (["average delay in March", "and in winter"], lambda at: at.dt.month.isin([12, 1, 2])),
    ],
)
def test_times_that_leave_nothing_together_replace_each_other(
    opened: Any, rows: pd.DataFrame, turns: Sequence[str], bound: Any
) -> None:
    found = last(opened, turns).result.to_frame()
    assert found.iloc[0, 0] == pytest.approx(rows[bound(rows.left_at)].delay_minutes.mean())


def test_rows_that_were_listed_are_told_when_and_where(opened: Any, rows: pd.DataFrame) -> None:
    found = last(opened, ["list the 5 longest delays", "when were they", "where did they go"]).result.to_frame()
    assert len(found) == 5
    latest = rows.set_index("departure_id")
    assert list(found.destination) == [latest.destination[key] for key in found.departure_id]
    assert list(pd.to_datetime(found.left_at)) == [latest.left_at[key] for key in found.departure_id]
