"""Questions drawn of what people ask and of which rows: each gives what pandas makes of those rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from drawn_questions import WHICH, Ask, Which, drawn
from ferries import crossings, ferries

import svc_notebook as svc

SEED, COUNT = 7, 110


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(ferries()) as opened:
        yield opened


def numbers(given: float | pd.Series) -> list[float]:
    return sorted(map(float, given)) if isinstance(given, pd.Series) else [float(given)]


@pytest.mark.parametrize(
    ("ask", "which"), [pytest.param(a, w, id=a.words.format(w.words)) for a, w in drawn(SEED, COUNT)]
)
def test_a_question_gives_what_pandas_makes_of_the_rows_it_is_about(client: Any, ask: Ask, which: Which) -> None:
    rows = crossings()
    answer = client.chat().ask(ask.words.format(which.words))
    assert answer.result is not None, answer.text
    shown = answer.result.load_all().iloc[:, -1]
    assert np.allclose(numbers(shown), numbers(ask.gives(rows[which.kept(rows)])), rtol=1e-6), answer.sql


@pytest.mark.parametrize(
    "bound",
    ["with at most 40 passengers", "with no more than 60 passengers", "delayed by more than half an hour",
     "of vessels with a capacity over 100"],
)  # fmt: skip
def test_the_most_rows_that_are_bounded_by_a_number_are_counted(client: Any, bound: str) -> None:
    rows, which = crossings(), next(each for each in WHICH if each.words == bound)
    shown = client.chat().ask(f"which harbour has the most crossings {bound}?").result.load_all()
    most = rows[which.kept(rows)].groupby("harbour").size()
    assert (shown.iloc[0, 0], shown.iloc[0, 1]) == (most.idxmax(), most.max())
