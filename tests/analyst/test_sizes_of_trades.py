"""How large a donation is tells its money; how large a team is tells none."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 12


@cache
def tables() -> dict[str, pd.DataFrame]:
    donors = pd.DataFrame({"donor_id": range(1, 5), "name": ["Ann", "Bob", "Cy", "Di"], "country": list("NSND")})
    donations = pd.DataFrame({
        "donation_id": range(1, N + 1), "donor_id": [1 + n % 4 for n in range(N)],
        "given_on": pd.Timestamp("2024-01-05") + pd.to_timedelta([n * 9 for n in range(N)], unit="D"),
        "amount": [10.0 * (n * n % 7 + 1) for n in range(N)],
    })  # fmt: skip
    return {"donors": donors, "donations": donations}


def opened(held: dict[str, pd.DataFrame]) -> World:
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


@cache
def world() -> World:
    return opened(tables())


def wanted(question: str) -> Any:
    given = tables()["donations"].merge(tables()["donors"])
    return {
        "average donation size": given.amount.mean(),
        "average donation size by country": dict(given.groupby("country").amount.mean()),
        "which donor has the largest total donation size": given.groupby("name").amount.sum().idxmax(),
        "biggest donation size": given.amount.max(),
        "how many donations were worth over 30": int((given.amount > 30).sum()),
        "donations worth at least 40 euros": Near(
            int((given.amount >= 40).sum()), set(given[given.amount >= 40].donation_id)
        ),
    }[question]


@pytest.mark.parametrize(
    "question",
    [
        "average donation size", "average donation size by country", "which donor has the largest total donation size",
        "biggest donation size", "how many donations were worth over 30", "donations worth at least 40 euros",
    ],
)  # fmt: skip
def test_a_donation_is_as_large_as_its_amount(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("courses worth more than 4 credits", Near(3, set("CDE"))), ("how many courses worth 6 credits are there", 1)],
)
def test_what_a_row_is_worth_in_a_unit_of_its_own(question: str, wanted: Any) -> None:
    courses = pd.DataFrame({"course_id": range(1, 6), "course": list("ABCDE"), "credits": [2, 4, 6, 8, 5]})
    asked = ask(opened({"courses": courses}), question)
    assert outcome_of(asked, wanted) == "right"
    assert "worth" not in asked.answer.text


def test_a_team_is_not_as_large_as_its_budget() -> None:
    teams = pd.DataFrame({"team_id": [1, 2, 3], "team": ["Ash", "Elm", "Oak"], "budget_amount": [100.0, 200.0, 600.0]})
    assert ask(opened({"teams": teams}), "average team size").table is None
