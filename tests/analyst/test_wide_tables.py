"""One wide table whose columns are called as words that steer: color, time of day; by pandas."""

from __future__ import annotations

import pytest
from small_talk import answered, falls, rows_of

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
