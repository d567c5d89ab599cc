"""``the first one``, ``the second``, ``the last one`` of what was shown, what is asked of it next, and other pictures."""

from __future__ import annotations

import pandas as pd
import pytest
from small_talk import answered, rides, rows_of

import svc_notebook as svc


def sums() -> pd.Series:
    return rides().groupby("lift").price.sum().sort_values(ascending=False)


@pytest.mark.parametrize(
    ("first", "turn", "place"),
    [("top 3 lifts by total price", "the first one", 0), ("top 3 lifts by total price", "the second one", 1),
     ("top 3 lifts by total price", "the last one", 2), ("top 2 lifts by total price", "the last one", 1),
     ("bottom 2 lifts by total price", "the second one", 1), ("total price by lift", "just the first one", 0),
     ("total price by lift", "the last one", 2)],
)  # fmt: skip
def test_one_of_the_groups_that_were_shown(first: str, turn: str, place: int) -> None:
    _, rows = answered(first, turn)
    assert rows is not None and [row[0] for row in rows] == [sums().index[place]]


def test_one_after_the_other() -> None:
    asked = ("top 3 lifts by total price", "the first one", "the second one", "and the third one")
    _, rows = answered(*asked)
    assert rows is not None and rows[0][0] == sums().index[2]


def test_one_row_of_a_list_in_its_order() -> None:
    dearest = rides().nlargest(5, "price").ride_id.tolist()
    for turn, place in (("the first one", 0), ("the third one", 2), ("the last one", 4)):
        _, rows = answered("the 5 most expensive rides", turn)
        assert rows is not None and len(rows) == 1 and dearest[place] in rows[0]


def test_periods_come_one_after_the_other() -> None:
    for turn, wanted in (("the first one", "2024-01-01"), ("the last one", "2024-12-01")):
        _, rows = answered("total price per month in 2024", turn)
        assert rows is not None and [str(row[0]) for row in rows] == [wanted]


def test_one_number_has_no_rows() -> None:
    assert answered("how many rides are there?", "the first one")[1] is None


@pytest.mark.parametrize("turn", ["by pass kind", "break it down by pass kind"])
def test_what_is_asked_of_the_one_that_was_singled_out_is_of_it(turn: str) -> None:
    known = rides()
    wanted = known[known.lift == sums().index[0]].groupby("pass_kind").price.sum().reset_index()
    assert answered("top 3 lifts by total price", "the first one", turn)[1] == rows_of(wanted)


def test_small_multiples_of_what_was_shown() -> None:
    with svc.embedded({"rides": rides()}) as client:
        chat = client.chat()
        chat.ask("total price per month by pass kind in 2024")
        answer = chat.ask("as small multiples")
        assert answer.chart is not None and "facet" in str(answer.chart.to_dict())
        alone = client.chat()
        alone.ask("total price by lift")
        assert "two groups" in alone.ask("as small multiples").text
