"""People of a staff: where they work, who of them earns most though two are called alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc


def cinema() -> dict[str, pd.DataFrame]:
    """Halls with employees, of whom two share a name: one earns the most, the other the least."""
    halls = pd.DataFrame(
        {"hall_id": [1, 2, 3], "hall": ["Astra", "Bijou", "Capitol"], "town": ["Gera", "Gera", "Jena"]}
    )
    employees = pd.DataFrame({
        "employee_id": range(1, 41), "name": ["Mia Roth", "Mia Roth", *(f"Person {n}" for n in range(38))], "hall_id": [1, 2, *([1, 2, 3] * 13)][:40],
        "salary": [5000, 1500, *(2000 + 50 * n for n in range(38))], "hired_on": pd.date_range("2020-01-01", periods=40, freq="20D"),
    })  # fmt: skip
    return {"halls": halls, "employees": employees}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(cinema()) as client:
        yield client


def rows() -> pd.DataFrame:
    tables = cinema()
    return tables["employees"].merge(tables["halls"])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many people work at the Astra", (rows().hall == "Astra").sum()),
        ("number of people working in Gera", (rows().town == "Gera").sum()),
    ],
)
def test_they_are_counted_where_they_work(opened: Any, question: str, expected: int) -> None:
    assert opened.chat().ask(question).df.iloc[0, 0] == expected


@pytest.mark.parametrize(
    "question", ["who works at the Bijou", "which employees work at the Bijou", "who is working at the Bijou"]
)
def test_who_works_there_is_a_list_of_them(opened: Any, question: str) -> None:
    told = opened.chat().ask(question).df
    assert len(told) == (rows().hall == "Bijou").sum()


def test_they_are_counted_in_each_place(opened: Any) -> None:
    told = opened.chat().ask("how many people work in each hall").df
    assert dict(zip(told.iloc[:, 0], told.iloc[:, -1], strict=True)) == rows().groupby("hall").size().to_dict()


@pytest.mark.parametrize(
    ("question", "expected"),
    [("who earns the most", 5000), ("who has the highest salary", 5000), ("who earns the least", 1500)],
)
def test_two_of_one_name_are_two(opened: Any, question: str, expected: int) -> None:
    answer = opened.chat().ask(question)
    assert answer.df.iloc[0, -1] == expected
    assert "rests on" not in answer.text
