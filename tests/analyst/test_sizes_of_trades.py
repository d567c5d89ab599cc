"""How large a donation is tells its money; how large a team is tells none."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import outcome_of
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
    }[question]


@pytest.mark.parametrize(
    "question",
    [
        "average donation size", "average donation size by country", "which donor has the largest total donation size",
        "biggest donation size",
    ],
)  # fmt: skip
def test_a_donation_is_as_large_as_its_amount(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"


def test_a_team_is_not_as_large_as_its_budget() -> None:
    teams = pd.DataFrame({"team_id": [1, 2, 3], "team": ["Ash", "Elm", "Oak"], "budget_amount": [100.0, 200.0, 600.0]})
    assert ask(opened({"teams": teams}), "average team size").table is None
