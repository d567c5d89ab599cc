"""Where a reading ends: one side without rows, groups that are drawn already, a second number, no answer before."""

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


def told(client: Any, *turns: str) -> Any:
    """The last answer of a conversation."""
    chat = client.chat()
    return [chat.ask(turn) for turn in turns][-1]


@pytest.mark.parametrize(("years", "missing"), [("2023 and 2024", "2023"), ("2024 and 2025", "2025")])
def test_what_one_side_lacks_did_not_change_from_nought(client: Any, years: str, missing: str) -> None:
    answer = told(client, f"why did the total charge change between {years}")
    assert answer.text.startswith(f"For {missing} there is no figure for total charge")


def test_groups_are_bars_as_they_stand(client: Any) -> None:
    before, after = told(client, "treatments per month"), told(client, "treatments per month", "histogram")
    pd.testing.assert_frame_equal(after.result.load_all(), before.result.load_all())


def test_when_was_that_of_several_keeps_them(client: Any) -> None:
    top = told(client, "top 3 months by treatments")
    assert len(top.result.load_all()) == 3
    pd.testing.assert_frame_equal(
        told(client, "top 3 months by treatments", "when was that?").result.load_all(), top.result.load_all()
    )


def test_both_are_the_numbers_of_two_answers_alike_in_all_else(client: Any) -> None:
    frame = told(client, "treatments by outcome", "average charge instead", "both").result.load_all()
    per = joined_tables().groupby("outcome").charge
    assert list(frame.iloc[:, 1]) == list(per.size()) and list(frame.iloc[:, 2]) == pytest.approx(list(per.mean()))


@pytest.mark.parametrize(
    "turns", [("treatments by outcome", "both"), ("average charge by ward", "average charge by outcome", "both")]
)
def test_both_of_nothing_or_of_more_is_refused(client: Any, turns: tuple[str, ...]) -> None:
    assert told(client, *turns).result is None


def test_a_second_number_over_groups_is_told_in_the_language_of_the_question() -> None:
    frame = pd.DataFrame({"Art": ["Bus", "Bahn", "Rad"] * 3, "Preis": range(9), "Dauer": range(30, 12, -2)})
    with svc.embedded({"fahrten": frame}) as opened:
        text = opened.chat().ask("Durchschnittspreis und durchschnittliche Dauer je Art").text
    assert "**Rad** hat den höchsten Wert" in text and "Durchschnitt von Dauer: am höchsten bei **Bus** (24)" in text


def test_that_rows_are_cut_is_told_in_the_language_of_the_question() -> None:
    frame = pd.DataFrame({"Fahrt": [f"F{n}" for n in range(150)], "Preis": range(150)})
    with svc.embedded({"fahrten": frame}) as opened:
        text = opened.chat().ask("Fahrt und Preis aller Fahrten mit Preis über 10").text
    assert "Die ersten 100 von 139 Zeilen" in text, text


STAFF = {
    "departments": pd.DataFrame({
        "department_id": [1, 2, 3], "department": ["Ore", "Tin", "Zinc"], "budget": [100.0, 250.0, 400.0],
        "city": ["Oslo", "Oslo", "Bergen"],
    }),
    "employees": pd.DataFrame({
        "employee_id": range(1, 7), "employee": ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"],
        "department_id": [1, 1, 2, 2, 3, 3], "salary": [10.0, 20, 30, 40, 50, 60],
    }),
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("departments whose budget is above the average", [("Zinc",)]),
        ("employees whose salary is above the average", [("Di",), ("Ed",), ("Flo",)]),
        ("employees whose department is in Oslo", [("Ada",), ("Bo",), ("Cy",), ("Di",)]),
        ("what salary do the employees get by department",
         [("Ore", 10), ("Ore", 20), ("Tin", 30), ("Tin", 40), ("Zinc", 50), ("Zinc", 60)]),
    ],
)  # fmt: skip
def test_rows_are_shown_that_something_of_theirs_is_said_of(question: str, wanted: list[tuple[Any, ...]]) -> None:
    with svc.embedded(STAFF) as opened:
        frame = opened.chat().ask(question).result.load_all()
    assert sorted(frame.itertuples(index=False, name=None)) == wanted
