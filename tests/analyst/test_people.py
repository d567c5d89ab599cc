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
    "turns", [["number of sales without Jane Peacock"], ["number of sales", "without Jane Peacock"]]
)
def test_nobody_else_is_left_out_who_shares_a_name(client: svc.Client, turns: list[str]) -> None:
    chat = client.chat()
    rows = [chat.ask(turn) for turn in turns][-1].df
    assert rows is not None and rows.iloc[0, -1] == 16
