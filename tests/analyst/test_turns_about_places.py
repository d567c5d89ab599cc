"""``where are they from?``, ``how many work there?``, and slips in the first word, answered as pandas does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pandas as pd
import pytest
from small_talk import answered, rides, rows_of

import svc_notebook as svc


def staff() -> pd.DataFrame:
    chance = random.Random("staff")
    return pd.DataFrame([
        {"employee_id": number, "name": f"Person {number:02d}", "town": chance.choice(["Lyon", "Turin", "Graz"]),
         "department": chance.choice(["Sales", "Support"]), "salary": 30_000 + 137 * chance.randint(1, 400)}
        for number in range(1, 41)
    ])  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded({"staff": staff()}) as client:
        yield client


def test_where_those_who_were_listed_are_from(client: svc.Client) -> None:
    chat = client.chat()
    chat.ask("who are the five best paid employees?")
    shown = chat.ask("where are they from?").df
    best = staff().nlargest(5, "salary")
    assert shown is not None and dict(zip(shown.name, shown.town, strict=True)) == dict(
        zip(best.name, best.town, strict=True)
    )


def test_where_those_who_were_counted_are_from(client: svc.Client) -> None:
    chat = client.chat()
    chat.ask("how many employees are in Sales?")
    shown = chat.ask("where do they live?").df
    known = staff()
    assert shown is not None
    assert rows_of(shown) == rows_of(known[known.department == "Sales"].groupby("town").size().reset_index())


def test_groups_that_are_nobody_have_no_place(client: svc.Client) -> None:
    chat = client.chat()
    chat.ask("average salary by department")
    assert chat.ask("where are they from?").df is None


def test_there_is_what_was_shown(client: svc.Client) -> None:
    chat, known = client.chat(), staff()
    chat.ask("which town has the highest average salary?")
    best = known.groupby("town").salary.mean().idxmax()
    shown = chat.ask("how many people work there?").df
    assert shown is not None and shown.iloc[0, -1] == (known.town == best).sum()
    everyone = chat.ask("how many employees are there?").df
    assert everyone is not None and everyone.iloc[0, -1] == len(known)


@pytest.mark.parametrize("turn", ["ony season", "jsut season"])
def test_a_slip_in_the_first_word(turn: str) -> None:
    known = rides()
    wanted = known[known.pass_kind == "season"].groupby("lift").price.sum().reset_index()
    assert answered("total price by lift", turn)[1] == rows_of(wanted)
