"""Groups bounded by what some of their rows come to, by sums that no noun names, and by averages."""

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


def first(client: Any, question: str) -> list[Any]:
    """The first column of an answer, in order."""
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return sorted(answer.result.load_all().iloc[:, 0])


def _above(per: pd.Series) -> tuple[list[Any], int]:
    """Those in the upper half, and the whole number that parts them from the others."""
    bound = int(per.median())
    return sorted(per[per > bound].index), bound


@pytest.mark.parametrize(
    "question",
    ["carers with more than {} missed treatments", "which carers have more than {} missed treatments?",
     "carers who had over {} missed treatments"],
)  # fmt: skip
def test_so_many_of_some(client: Any, joined: pd.DataFrame, question: str) -> None:
    wanted, bound = _above(joined[joined.outcome == "missed"].groupby("carer").size())
    assert first(client, question.format(bound)) == wanted


@pytest.mark.parametrize(
    "question",
    [
        "carers who lost more than {} in missed treatments",
        "carers with more than {} in missed treatments",
        "carers whose total charge of missed treatments is above {}",
    ],
)
def test_so_much_in_some(client: Any, joined: pd.DataFrame, question: str) -> None:
    wanted, bound = _above(joined[joined.outcome == "missed"].groupby("carer").charge.sum())
    assert first(client, question.format(bound)) == wanted


@pytest.mark.parametrize(
    "question",
    ["carers whose treatments add up to more than {}", "carers whose treatments come to over {}",
     "carers who gave treatments worth more than {} in total"],
)  # fmt: skip
def test_what_rows_add_up_to(client: Any, joined: pd.DataFrame, question: str) -> None:
    wanted, bound = _above(joined.groupby("carer").charge.sum())
    assert first(client, question.format(bound)) == wanted


@pytest.mark.parametrize(
    ("question", "is_so"),
    [("treatments with a charge at least 1.2 times the average charge", lambda t: t.charge >= 1.2 * t.charge.mean()),
     ("treatments over one and a half times the average charge", lambda t: t.charge > 1.5 * t.charge.mean()),
     ("treatments dearer than the average treatment", lambda t: t.charge > t.charge.mean()),
     ("missed treatments cheaper than the average missed treatment",
      lambda t: (t.outcome == "missed") & (t.charge < t.charge[t.outcome == "missed"].mean())),
     ("treatments with a charge above the average of the same outcome",
      lambda t: t.charge > t.groupby("outcome").charge.transform("mean")),
     ("treatments dearer than their outcome's average",
      lambda t: t.charge > t.groupby("outcome").charge.transform("mean"))],
)  # fmt: skip
def test_averages_of_all_of_some_and_times_one(client: Any, joined: pd.DataFrame, question: str, is_so: Any) -> None:
    assert first(client, question) == sorted(joined.treatment_id[is_so(joined)])


def test_how_many_are_above_the_average_of_those_like_them(client: Any, joined: pd.DataFrame) -> None:
    mean = joined.groupby("outcome").charge.transform("mean")
    found = first(client, "how many treatments have a charge above the average of the same outcome?")
    assert found == [int((joined.charge > mean).sum())]
