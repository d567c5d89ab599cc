"""Where one table lists people: *how many people*, *per person*, *who never*; the year that rows keep is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc

_NAMES = ("Ada Hill", "Ben Frost", "Cleo Marsh", "Dan Reed", "Eve Stone", "Finn Gale")
_VOLUNTEERS = pd.DataFrame({
    "volunteer_id": range(1, 7), "name": _NAMES, "team": ["Kitchen", "Kitchen", "Garden", "Garden", "Garden", "Office"],
    "position": ["Cook", "Helper", "Lead", "Helper", "Remote", "Clerk"],
    "joined": pd.to_datetime(["2022-02-01", "2022-05-01", "2023-03-01", "2023-04-01", "2023-09-01", "2024-01-10"]),
    "left": pd.to_datetime([None, "2024-03-01", None, None, "2024-08-01", None]),
    "birth_date": pd.to_datetime([
        "1950-04-01", "1980-05-02", "1990-06-03", "1959-07-04", "2000-08-05", "1985-09-06",
    ]),
})  # fmt: skip
_APPRAISALS = pd.DataFrame({
    "appraisal_id": range(1, 9), "volunteer_id": [1, 2, 3, 4, 1, 3, 4, 6], "year": [2023] * 4 + [2024] * 4,
    "mark": [2.0, 3.0, 4.0, 5.0, 4.0, 4.0, 5.0, 1.0],
    "appraiser": ["Ida Moss", "Jon Vale", "Kim Lake", "Ida Moss", "Jon Vale", "Kim Lake", "Ida Moss", "Jon Vale"],
})  # fmt: skip
_COURSES = pd.DataFrame({
    "workshop_id": range(1, 6), "volunteer_id": [1, 1, 2, 3, 3], "course": ["Hygiene"] * 3 + ["Tools"] * 2,
    "hours": [3, 3, 3, 5, 5], "attended_on": pd.to_datetime(["2023-05-05"] * 3 + ["2024-05-05"] * 2),
})  # fmt: skip


@pytest.fixture(scope="module")
def service() -> Iterator[Any]:
    with svc.embedded({"volunteers": _VOLUNTEERS, "appraisals": _APPRAISALS, "workshops": _COURSES}) as embedded:
        yield embedded


def _rows(service: Any, question: str) -> list[tuple[object, ...]]:
    result = service.chat().ask(question).result
    return [] if result is None else list(result.to_frame().itertuples(index=False, name=None))


def _firsts(service: Any, question: str) -> set[object]:
    return {row[0] for row in _rows(service, question)}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many people work here", 4), ("how many people work for us now", 4),
        ("how many people currently work here", 4),
        ("number of people in the garden team", 3), ("how many people work in the kitchen", 2),
        ("how many people joined in 2023", 3),
    ],
)  # fmt: skip
def test_people_are_those_of_the_one_list(service: Any, question: str, number: int) -> None:
    assert _rows(service, question) == [(number,)]


def test_who_left_is_nobody_of_another_column(service: Any) -> None:
    assert _firsts(service, "who left in 2024") == {"Ben Frost", "Eve Stone"}


def test_each_person_is_one_of_the_list(service: Any) -> None:
    assert dict(_rows(service, "total hours per person")) == {"Ada Hill": 6, "Ben Frost": 3, "Cleo Marsh": 10}


@pytest.mark.parametrize("question", ["who never attended a workshop", "who has no workshop"])
def test_who_has_none(service: Any, question: str) -> None:
    assert _firsts(service, question) == {"Dan Reed", "Eve Stone", "Finn Gale"}


def test_who_was_not_appraised_in_a_year_that_is_a_number(service: Any) -> None:
    assert _firsts(service, "who has no appraisal in 2024") == {"Ben Frost", "Eve Stone"}
    assert _rows(service, "average mark in 2023 in the garden team") == [(4.5,)]


def test_a_year_of_other_rows_groups_nobody(service: Any) -> None:
    joined = [(str(when)[:4], number) for when, number in _rows(service, "how many people joined each year")]
    assert joined == [("2022", 2), ("2023", 3), ("2024", 1)]
    assert dict(_rows(service, "appraisals per year")) == {2023: 4, 2024: 4}


def test_a_change_between_years_that_are_numbers(service: Any) -> None:
    answer = service.chat().ask("how did the average mark of the garden team change from 2023 to 2024")
    assert "joined" not in (answer.sql or "")
    assert service.chat().ask("did the average mark go up from 2023 to 2024").text.count("3.5")


def test_no_age_is_a_calendar_year(service: Any) -> None:
    answer = service.chat().ask("people older than 60")
    assert "appraisals" not in (answer.sql or "")


@pytest.mark.parametrize("question", ["number of attendees per course", "how many attendees by course"])
def test_attendees_are_people_and_no_moments(service: Any, question: str) -> None:
    assert dict(_rows(service, question)) == {"Hygiene": 2, "Tools": 1}


def test_moments_are_counted_where_they_are_said(service: Any) -> None:
    assert _rows(service, "number of different attended on dates") == [(2,)]
    asked = service.chat().ask("how many attendees in 2024")
    assert "DISTINCT" not in (asked.sql or "")
