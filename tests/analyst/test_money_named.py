"""Money by what it is for, beside a number of the same name in another unit, and by how many of something each row has."""

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

RUNS = pd.DataFrame({
    "RUN_NO": [f"R{n}" for n in range(12)], "RUN_DT": pd.date_range("2024-01-03", periods=12, freq="W"),
    "LINE": ["North", "South", "West"] * 4, "ENERGY_KWH": [100 + 37 * n for n in range(12)],
    "ENERGY_EUR": [50 + 11 * n for n in range(12)], "WAGON_TYPE": ["FLAT", "TANK"] * 6,
    "WAGON_QTY": [3 + n % 5 for n in range(12)], "FRT_EUR": [400.0 + 31 * n for n in range(12)],
    "PAID": ["Y", "Y", "N"] * 4, "CR_LIMIT": [500.0, None] * 6, "LAST_CHECKUP": [pd.Timestamp("2024-02-01"), None] * 6,
})  # fmt: skip


@cache
def world() -> World:
    held = {"runs": RUNS}
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def wanted(question: str) -> Any:
    north = list(RUNS[RUNS.LINE == "North"].RUN_NO)[::-1]
    unpaid, kinds = RUNS[RUNS.PAID == "N"], RUNS.groupby("WAGON_TYPE")
    return {
        "freight revenue by line": dict(RUNS.groupby("LINE").FRT_EUR.sum()),
        "energy cost by line": dict(RUNS.groupby("LINE").ENERGY_EUR.sum()),
        "average energy cost by line": dict(RUNS.groupby("LINE").ENERGY_EUR.mean()),
        "total energy cost": RUNS.ENERGY_EUR.sum(),
        "how much freight is unpaid": unpaid.FRT_EUR.sum(),
        "how much freight is unpaid by wagon type": dict(unpaid.groupby("WAGON_TYPE").FRT_EUR.sum()),
        "freight per wagon for each wagon type": dict(kinds.FRT_EUR.sum() / kinds.WAGON_QTY.sum()),
        "average credit limit by line": dict(RUNS.groupby("LINE").CR_LIMIT.mean()),
        "which runs have never had a check-up": set(RUNS[RUNS.LAST_CHECKUP.isna()].RUN_NO),
        "North runs, latest first": north,
        "freight per wagon": RUNS.FRT_EUR.sum() / RUNS.WAGON_QTY.sum(),
    }[question]


@pytest.mark.parametrize(
    "question",
    [
        "freight revenue by line", "energy cost by line", "average energy cost by line", "total energy cost",
        "how much freight is unpaid", "how much freight is unpaid by wagon type",
        "freight per wagon for each wagon type", "freight per wagon", "average credit limit by line",
        "which runs have never had a check-up", "North runs, latest first",
    ],
)  # fmt: skip
def test_money_is_named_by_what_it_is_for(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"


def test_money_for_what_nothing_is_called_is_not_guessed() -> None:
    assert ask(world(), "labour cost by line").table is None
