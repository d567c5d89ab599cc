"""People of a first and a last name: their title is what they do, and no name; where they work is no occupation."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

NAMES = ["Nancy Edwards", "Jane Peacock", "Margaret Park", "Steve Johnson", "Jane Callahan", "Andrew Adams"]
STAFF = pd.DataFrame(
    {
        "employee_id": range(1, 7), "first_name": [name.split()[0] for name in NAMES],
        "last_name": [name.split()[1] for name in NAMES], "title": ["Manager", "Agent", "Agent", "Agent", "Staff", "Boss"],
        "city": ["Bergen"] * 4 + ["Oslo"] * 2,
        "hired_on": pd.to_datetime([f"20{10 + place}-05-01" for place in range(6)]),
    }
)  # fmt: skip
SALES = pd.DataFrame(
    {"sale_id": range(21), "employee_id": [1] * 6 + [2] * 5 + [3] * 4 + [4] * 3 + [5] * 2 + [6], "amount": 2.5}
)


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded({"employees": STAFF, "sales": SALES}) as embedded:
        yield embedded


@pytest.mark.parametrize("question", ["which employees work in Bergen", "employees who work in Bergen"])
def test_where_somebody_works_is_no_occupation(client: svc.Client, question: str) -> None:
    rows = client.chat().ask(question).df
    assert rows is not None and len(rows) == 4
    assert {"Peacock", "Johnson"} <= {str(cell) for cell in rows.to_numpy().ravel()}


def test_sales_of_each_are_not_of_each_title(client: svc.Client) -> None:
    rows = client.chat().ask("sales by employee").df
    assert rows is not None and sorted(rows.iloc[:, -1]) == [1, 2, 3, 4, 5, 6]


def test_a_title_that_is_asked_for_is_one(client: svc.Client) -> None:
    rows = client.chat().ask("number of employees by title").df
    assert rows is not None and dict(zip(rows.iloc[:, 0], rows.iloc[:, 1], strict=True))["Agent"] == 3


@pytest.mark.parametrize(
    "turns",
    [
        ["number of sales without Jane Peacock"],
        ["number of sales", "without Jane Peacock"],
        ["number of sales", "only Jane Peacock", "without Jane Peacock"],
    ],
)
def test_nobody_else_is_left_out_who_shares_a_name(client: svc.Client, turns: list[str]) -> None:
    chat = client.chat()
    rows = [chat.ask(turn) for turn in turns][-1].df
    assert rows is not None and rows.iloc[0, -1] == 16


@pytest.mark.parametrize("turns", [["number of sales without Jane Peacock and Steve Johnson"],
                                   ["number of sales", "without Jane Peacock and Steve Johnson"]])  # fmt: skip
def test_two_who_are_left_out_at_once_are_refused(client: svc.Client, turns: list[str]) -> None:
    """No plan can say it, and no query of the model's numbers over joined rows: none is made that fails."""
    chat = client.chat()
    answer = [chat.ask(turn) for turn in turns][-1]
    assert answer.outcome == "refused" and "could not be run" not in answer.text, answer.text


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [(["which employees work in Oslo", "since when are they with us?"], {("Jane", "2014"), ("Andrew", "2015")}),
     (["list the titles", "also show the city"], {("Manager", "Bergen"), ("Agent", "Bergen"), ("Staff", "Oslo"), ("Boss", "Oslo")}),
     (["which cities are there", "That's great! Can you update this list to include the number of employees?"],
      {("Bergen", "4"), ("Oslo", "2")}),
     (["number of sales by city", "only Oslo", "who made those?"], {("Jane", "2"), ("Andrew", "1")})],
)  # fmt: skip
def test_a_list_tells_more_of_whom_it_shows(client: svc.Client, turns: list[str], wanted: set[tuple[str, str]]) -> None:
    chat = client.chat()
    rows = [chat.ask(turn) for turn in turns][-1].df
    assert rows is not None and {(str(row[0]), str(row[-1]).split("-")[0]) for row in rows.to_numpy()} == wanted


def test_those_who_sell_have_bought_nothing(client: svc.Client) -> None:
    chat = client.chat()
    assert [chat.ask(turn) for turn in ("number of sales", "who bought those?")][-1].df is None
