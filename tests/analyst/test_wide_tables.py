"""One wide table whose columns are called as words that steer: color, time of day; by pandas."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, falls, rows_of

import svc_notebook as svc

KNOWN = falls()["falls"]


@pytest.mark.parametrize(
    ("question", "group"),
    [("falls by color", "color"), ("how many falls by colour", "color"), ("falls by time of day", "time_of_day"),
     ("number of falls per time of day", "time_of_day")],
)  # fmt: skip
def test_a_column_called_so_is_a_group_and_no_channel(question: str, group: str) -> None:
    told, rows = answered(question.replace("colour", "color"), over="falls")
    assert rows == rows_of(KNOWN.groupby(group).size().reset_index()), told


def test_beside_others_it_stays_a_group() -> None:
    told, rows = answered("average fare by color and payment", over="falls")
    assert [row[:2] for row in rows or []] == [
        row[:2] for row in rows_of(KNOWN.groupby(["color", "payment"]).fare.mean().reset_index())
    ]
    told, rows = answered("share of cash by color", over="falls")
    wanted = KNOWN.assign(cash=KNOWN.payment == "cash").groupby("color").cash.mean()
    assert [row[1] for row in rows or []] == pytest.approx([row[1] for row in rows_of(wanted.reset_index())]), told


@pytest.mark.parametrize("turn", ["second most common?", "and the second most common cause?"])
def test_second_before_a_superlative_counts(turn: str) -> None:
    second = KNOWN.cause.value_counts().index[1]
    told, rows = answered("most common cause", turn, over="falls")
    assert rows is None or [row[0] for row in rows] == [second], told


def test_a_number_for_each_row_that_nothing_tells_apart_is_its_average() -> None:
    for question in ("average guests per fall", "guests per fall"):
        told, rows = answered(question, over="falls")
        assert rows == [[round(float(KNOWN.guests.mean()), 4)]], (question, told)


@pytest.mark.parametrize(
    ("question", "rows"),
    [("how many falls caused heavy damage", KNOWN.damage == "heavy"), ("how many falls paid in cash", KNOWN.payment == "cash")],
)  # fmt: skip
def test_what_rows_did_is_not_what_is_counted(question: str, rows: object) -> None:
    told, found = answered(question, over="falls")
    assert found == [[float(KNOWN[rows].shape[0])]], told  # type: ignore[index]  # a mask


def test_nobody_is_no_number() -> None:
    told, rows = answered("how many falls with no one guests", over="falls")
    assert rows != [[float((KNOWN.guests == 1).sum())]], told


def test_the_same_for_another_group_is_ranked_and_cut_as_it_was() -> None:
    told, rows = answered("top 2 causes by number of falls", "same for time of day", over="falls")
    assert rows == rows_of(KNOWN.time_of_day.value_counts().head(2).reset_index()), told


@pytest.mark.parametrize(
    "turn", ["is it the same for cash?", "and is that different in cash?", "is that true for cash"]
)
def test_whether_it_is_the_same_is_asked_again(turn: str) -> None:
    told, rows = answered("which cause is the most common", turn, over="falls")
    assert rows == rows_of(KNOWN[KNOWN.payment == "cash"].cause.value_counts().head(1).reset_index()), told


def test_the_share_of_those_that_were_shown_is_of_all() -> None:
    told, rows = answered("top 2 causes by number of falls", "what share do they have", over="falls")
    wanted = KNOWN.cause.value_counts(normalize=True).head(2)
    assert [row[1] for row in rows or []] == pytest.approx(
        [row[1] for row in rows_of(wanted.reset_index())], abs=1e-4
    ), told


def test_only_with_a_column_is_no_group() -> None:
    told, rows = answered("falls by cause", "only with damage", over="falls")
    assert rows is None or [row[0] for row in rows] == sorted(KNOWN.cause.unique()), told


def test_the_head_of_two_names_is_said_once() -> None:
    known = KNOWN.rename(columns={"cause": "first_kind", "time_of_day": "last_kind"})
    with svc.embedded({"falls": known}) as client:
        answer = client.chat().ask("falls by first and last kind")
    wanted = known.groupby(["first_kind", "last_kind"]).size()
    assert answer.df.iloc[:, -1].sum() == wanted.sum()
    assert len(answer.df) == len(wanted)


def test_what_follows_a_comparison_of_neighbours_is_about_both_its_sides() -> None:
    when = pd.to_datetime(KNOWN.fell_on)
    rows_in = KNOWN[(when >= "2023-01-01") & (when < "2023-03-01")]
    told, rows = answered("did the total fare rise from January 2023 to February 2023?", "by cause", over="falls")
    assert rows == rows_of(rows_in.groupby("cause").fare.sum().reset_index()), told


def test_what_follows_a_comparison_keeps_its_sides_apart() -> None:
    month = pd.to_datetime(KNOWN.fell_on).dt.to_period("M").astype(str)
    rows_in = KNOWN.assign(month=month)[month.isin(["2023-01", "2023-06"])]
    told, rows = answered("did the total fare rise from January 2023 to June 2023?", "by cause", over="falls")
    wanted = rows_in.groupby(["month", "cause"]).fare.sum().reset_index()
    assert [[f"{when:%Y-%m}", *rest] for when, *rest in rows] == rows_of(wanted), told


def test_the_peak_of_hours_of_the_day_is_one_of_them() -> None:
    known = KNOWN.assign(at=pd.to_datetime(KNOWN.fell_on) + pd.to_timedelta(KNOWN.fare % 24, unit="h")).drop(
        columns="fell_on"
    )
    with svc.embedded({"falls": known}) as client:
        chat = client.chat()
        chat.ask("falls by hour of the day")
        chat.ask("only cash")
        answer = chat.ask("peak hour")
    assert answer.df.iloc[0, -1] == known[known.payment == "cash"]["at"].dt.hour.value_counts().max()
