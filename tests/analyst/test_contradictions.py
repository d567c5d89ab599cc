"""Of rows that cannot be there is no answer: above a number and that number at once."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc


@pytest.fixture(scope="module")
def walks() -> Any:
    rows = pd.DataFrame({
        "walk_id": range(60), "town": ["Ayr", "Bute", "Cove"] * 20, "rainfall": [0.0, 0.0, 1.5, 0.2] * 15,
        "minutes": range(30, 90),
    })  # fmt: skip
    with svc.embedded({"walks": rows}) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "average minutes of walks with rainfall above 0 and rainfall of 0",
        "walks of more than 60 minutes and under 60 minutes",
    ],
)
def test_both_at_once_is_not_answered(walks: Any, question: str) -> None:
    answer = walks.chat().ask(question)
    assert answer.outcome != "complete" or "no rows" not in answer.text.lower()


def test_between_two_bounds_is(walks: Any) -> None:
    found = walks.chat().ask("how many walks of at least 60 minutes and at most 60 minutes").df
    assert found.iloc[0, 0] == 1
