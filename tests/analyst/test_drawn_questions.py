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


BY_WORD = [
    (f"{asked} {of}", said, descending)
    for of in ("harbours by average delay", "vessels by total passengers", "operators by average rating", "weathers by total fuel litres")
    for asked, said, descending in (("top 2", "highest", True), ("bottom 2", "lowest", False))
] + [
    (f"5 {asked} bookings", said, descending)
    for asked, said, descending in (("most expensive", "highest", True), ("cheapest", "lowest", False))
]  # fmt: skip


@pytest.mark.parametrize(("question", "said", "descending"), BY_WORD)
def test_the_first_is_told_as_what_it_is(client: Any, question: str, said: str, descending: bool) -> None:
    answer = client.chat().ask(question)
    ranked = answer.result.load_all().select_dtypes("number").drop(columns=["booking_id", "seats"], errors="ignore")
    assert ranked.iloc[:, 0].tolist() == sorted(ranked.iloc[:, 0], reverse=descending)
    first = answer.text.split(",")[0]
    assert (said in first, {"highest": "lowest", "lowest": "highest"}[said] in first) == (True, False), answer.text


@pytest.mark.parametrize(
    ("question", "column"),
    [("vessel id by operator", "vessel_id"), ("year built by operator", "year_built"),
     ("year built by vessel", "year_built"), ("vessel id by vessel", "vessel_id")],
)  # fmt: skip
def test_a_key_or_year_is_shown_and_never_added_up_unasked(client: Any, question: str, column: str) -> None:
    shown = client.chat().ask(question).result.load_all()
    assert sorted(shown.select_dtypes("number").iloc[:, 0]) == sorted(ferries()["vessels"][column])
