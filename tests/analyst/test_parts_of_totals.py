"""Groups by their part of a total, what people call a market share, and people of an age, over three worlds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from carers import joined_tables, tables

import svc_notebook as svc
from svc_notebook.analyst.offline.reading.loosely import _YOUNG


def club() -> dict[str, pd.DataFrame]:
    """Members of a club with their births, and the boats that they have."""
    births = ["2016-03-01", "1950-07-09", "1980-01-30", "2011-11-11", "1941-12-24", "1999-05-05", "2019-08-08"]
    return {"members": pd.DataFrame({
        "member_id": range(1, 8), "name": ["Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gil"],
        "birth_date": pd.to_datetime(births), "town": ["Nes", "Vik", "Nes", "Vik", "Nes", "Vik", "Nes"],
    })}  # fmt: skip


@pytest.fixture(scope="module")
def care() -> Iterator[Any]:
    with svc.embedded(tables()) as opened:
        yield opened


@pytest.fixture(scope="module")
def members() -> Iterator[Any]:
    with svc.embedded(club()) as opened:
        yield opened


def _by(client: Any, question: str) -> dict[str, float]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return {str(row[0]): round(float(row[-1]), 6) for row in answer.result.load_all().itertuples(index=False)}


def _parts(by: str, number: str = "") -> pd.Series:
    rows = joined_tables()
    sums = rows.groupby(by)[number].sum() if number else rows.groupby(by).size()
    return (sums / sums.sum()).round(6)


@pytest.mark.parametrize(("question", "by", "number", "least", "most"), [
    ("carers that make up less than 20 percent of the charge", "carer", "charge", 0, 0.2),
    ("wards that account for more than 30% of the total charge", "ward", "charge", 0.3, 1),
    ("which carers have over 20 % of all treatments", "carer", "", 0.2, 1),
    ("carers with less than 20 % of the treatments", "carer", "", 0, 0.2),
    ("outcomes that make up at most 25 % of treatments", "outcome", "", 0, 0.25),
])  # fmt: skip
def test_groups_by_their_part_of_a_total(
    care: Any, question: str, by: str, number: str, least: float, most: float
) -> None:
    parts = _parts(by, number)
    expected = {name: part for name, part in parts.items() if least <= part <= most}
    assert 0 < len(expected) < len(parts)
    assert _by(care, question) == expected


def test_what_is_so_of_their_own_rows_is_no_part_of_all(care: Any) -> None:
    rows = joined_tables()
    missed = rows.assign(missed=rows["outcome"] == "missed").groupby("carer")["missed"]
    of_all = missed.sum() / missed.sum().sum()
    answer = care.chat().ask("carers that have more than 20 % of treatments missed")
    if answer.result is not None:
        names = {str(name) for name in answer.result.load_all().iloc[:, 0]}
        assert names != set(of_all[of_all > 0.2].index) or names == set(missed.mean()[missed.mean() > 0.2].index)


@pytest.mark.parametrize("question", [
    "who are the biggest carers, market share pls", "market share by carer", "what is the market share of each carer?",
])  # fmt: skip
def test_market_share_is_of_the_rows_there_are(care: Any, question: str) -> None:
    assert _by(care, question) == _parts("carer").to_dict()


@pytest.mark.parametrize(("question", "low", "high"), [
    ("how many kids under 12 do we have", 0, 12), ("how many seniors over 70 are there", 71, 200),
    ("number of people younger than 18 in Nes", 0, 18),
])  # fmt: skip
def test_people_of_an_age(members: Any, question: str, low: int, high: int) -> None:
    rows, today = club()["members"], pd.Timestamp.now()
    born = rows["birth_date"]
    age = today.year - born.dt.year - ((born.dt.month * 100 + born.dt.day) > today.month * 100 + today.day)
    own = rows[(age >= low) & (age < high) & (rows["town"].eq("Nes") | ("Nes" not in question))]
    answer = members.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    assert int(answer.result.load_all().iloc[0, -1]) == len(own)


@pytest.mark.parametrize("question", ["how many kids under 12 minutes", "kids under 5% of all"])
def test_no_age_where_another_unit_is_said(question: str) -> None:
    assert _YOUNG.search(question) is None
