"""What all rows of a group come to, how many in a hundred, and one kind to another, as people say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def rentals() -> pd.DataFrame:
    """Canoes that guests rented, few of them for long."""
    dice, count = np.random.default_rng(11), 400
    return pd.DataFrame({
        "rental_id": range(1, count + 1), "guest": dice.choice(["Ola", "Piet", "Runa", "Siv", "Tor"], count),
        "boat": dice.choice(["canoe", "kayak", "raft"], count, p=[0.5, 0.3, 0.2]),
        "outcome": dice.choice(["returned", "capsized"], count, p=[0.9, 0.1]),
        "paddles": dice.integers(1, 5, count), "hours": np.round(dice.uniform(1, 6, count), 1),
    })  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"rentals": rentals()}) as opened:
        yield opened


def frame(client: Any, question: str) -> pd.DataFrame:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return answer.result.load_all()


def _above(per: pd.Series) -> tuple[list[str], int]:
    """Those in the upper half, and the whole number that parts them from the others."""
    bound = int(per.median())
    return sorted(per[per > bound].index), bound


@pytest.mark.parametrize(
    "question",
    ["which guests rented more than {} paddles in all?", "guests who rented over {} paddles altogether",
     "guests who rented more than {} paddles"],
)  # fmt: skip
def test_what_no_row_reaches_or_all_have_together_is_a_bound_of_the_sum(client: Any, question: str) -> None:
    wanted, bound = _above(rentals().groupby("guest").paddles.sum())
    assert sorted(frame(client, question.format(bound)).iloc[:, 0]) == wanted


@pytest.mark.parametrize("question", ["which guests rented more than {} times?", "guests that rented over {} times"])
def test_times_are_rows_that_are_called_by_what_was_done(client: Any, question: str) -> None:
    wanted, bound = _above(rentals().groupby("guest").size())
    assert sorted(frame(client, question.format(bound)).iloc[:, 0]) == wanted


@pytest.mark.parametrize(
    "question", ["boats averaging more than 3.5 hours a rental", "which boats average over 3.5 hours?"]
)
def test_what_a_group_averages_is_a_bound_of_its_average(client: Any, question: str) -> None:
    per = rentals().groupby("boat").hours.mean()
    assert sorted(frame(client, question).iloc[:, 0]) == sorted(per[per > 3.5].index)


@pytest.mark.parametrize(
    "question",
    ["how many in a hundred rentals capsized?", "how many rentals out of a hundred capsized?",
     "out of every 100 rentals, how many capsized?"],
)  # fmt: skip
def test_so_many_in_a_hundred_are_a_share(client: Any, question: str) -> None:
    share = float(frame(client, question).iloc[0, -1])
    assert share == pytest.approx((rentals().outcome == "capsized").mean())


@pytest.mark.parametrize("question", ["canoe to kayak ratio of rentals", "what is the canoe to kayak ratio?"])
def test_a_ratio_that_is_named_behind_its_two_sides(client: Any, question: str) -> None:
    kinds = rentals().boat.value_counts()
    assert float(frame(client, question).iloc[0, -1]) == pytest.approx(kinds["canoe"] / kinds["kayak"])
