"""All rows of a group and some of them beside each other, in one question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from carers import joined_tables, tables

import svc_notebook as svc


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(tables()) as opened:
        yield opened


@pytest.fixture(scope="module")
def joined() -> pd.DataFrame:
    return joined_tables()


def frame(client: Any, question: str) -> pd.DataFrame:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return answer.result.load_all()


def _rows(found: pd.DataFrame) -> dict[str, tuple[float, ...]]:
    return {str(row[0]): tuple(round(float(value), 2) for value in row[1:]) for row in found.itertuples(index=False)}


def _by(joined: pd.DataFrame, key: str, of: Any) -> dict[str, tuple[float, ...]]:
    return {str(name): tuple(round(float(value), 2) for value in of(rows)) for name, rows in joined.groupby(key)}


@pytest.mark.parametrize(
    "question",
    ["treatments and how many of them were missed, per carer", "treatments, and how many were missed, by carer",
     "how many treatments did each carer have and how many of those were missed?",
     "for each carer, how many treatments and how many missed ones", "total and missed treatments by carer",
     "number of treatments per carer and number of missed treatments per carer",
     "treatments per carer with the number of missed ones"],
)  # fmt: skip
def test_all_of_them_stand_beside_those_that_are_so(client: Any, joined: pd.DataFrame, question: str) -> None:
    wanted = _by(joined, "carer", lambda rows: (len(rows), (rows.outcome == "missed").sum()))
    assert _rows(frame(client, question)) == wanted


@pytest.mark.parametrize(
    "question", ["treatments, missed treatments and refused treatments per ward",
                 "for each ward treatments, missed treatments and refused treatments"],
)  # fmt: skip
def test_more_than_two_are_told_too(client: Any, joined: pd.DataFrame, question: str) -> None:
    wanted = _by(
        joined, "ward", lambda rows: (len(rows), (rows.outcome == "missed").sum(), (rows.outcome == "refused").sum())
    )
    assert _rows(frame(client, question)) == wanted


@pytest.mark.parametrize(
    "question",
    ["total charge and charge of missed treatments by ward", "total charge per ward and how much of it was missed"],
)
def test_sums_of_all_and_of_some(client: Any, joined: pd.DataFrame, question: str) -> None:
    wanted = _by(joined, "ward", lambda rows: (rows.charge.sum(), rows.charge[rows.outcome == "missed"].sum()))
    assert _rows(frame(client, question)) == wanted


def test_over_all_rows_there_is_one_row(client: Any, joined: pd.DataFrame) -> None:
    found = frame(client, "how many treatments were there and how many of them were at home?")
    assert [int(value) for value in found.iloc[0]] == [len(joined), int(joined.at_home.sum())]


def test_two_values_are_no_two_numbers(client: Any, joined: pd.DataFrame) -> None:
    found = frame(client, "how many treatments were missed and refused?")
    assert found.iloc[:, -1].sum() == joined.outcome.isin(["missed", "refused"]).sum()
