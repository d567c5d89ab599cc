"""What is counted is what was said: cars and not their makes, different makes and not rows, the main cause, no street."""

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

N = 240


@cache
def tows() -> pd.DataFrame:
    """Cars that were taken away, by their makes; one of the streets is called Main St."""
    return pd.DataFrame({
        "tow_no": range(1, N + 1),
        "towed_at": pd.Timestamp("2024-01-02 08:00") + pd.to_timedelta([31 * n for n in range(N)], unit="h"),
        "veh_make": [("Fiat", "Ford", "Opel", "Skoda", "Volvo")[n * n % 11 % 5] for n in range(N)],
        "street": [("Main St", "Mill Lane", "Quay Road")[n * n % 7 % 3] for n in range(N)],
        "reason": [("Blocked gate", "No permit", "Bus stop")[n * n % 13 % 4 % 3] for n in range(N)],
        "damaged": [n % 9 == 0 for n in range(N)],
        "fee_eur": [60.0 + n * 7 % 90 for n in range(N)],
    })  # fmt: skip


@cache
def world() -> World:
    held = {"tows": tows()}
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def read(question: str, wanted: Any) -> str:
    return outcome_of(ask(world(), question), wanted)


@pytest.mark.parametrize("noun", ["cars", "vehicles"])
def test_things_are_not_counted_by_what_they_have(noun: str) -> None:
    held = tows()
    assert read(f"how many {noun} were damaged", int(held.damaged.sum())) == "right"
    assert read("how many different vehicle makes were damaged", held[held.damaged].veh_make.nunique()) == "right"


def test_different_ones_are_no_rows() -> None:
    asked = ask(world(), "how many different makes were damaged")
    wanted = tows().query("damaged").veh_make.nunique()
    assert not asked.tool or asked.rows() == [(wanted,)]


@pytest.mark.parametrize("cause", ["main reason", "leading cause", "chief reason"])
def test_the_main_reason_is_the_most_common_and_no_street(cause: str) -> None:
    first = tows().reason.value_counts()
    assert ask(world(), f"what is the {cause} for tows").rows()[0] == (first.index[0], int(first.iloc[0]))
    assert read("how many tows on main st", int((tows().street == "Main St").sum())) == "right"


@pytest.mark.parametrize(
    "question", ["how many tows did people turn up for", "how many tows were there where they showed up"]
)
def test_whether_people_came_is_not_passed_over(question: str) -> None:
    asked = ask(world(), question)
    assert not asked.tool or "left out" in asked.answer.text or "can also be read" in asked.answer.text
