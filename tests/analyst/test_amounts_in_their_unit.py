"""Amounts in a unit, said of rows or of one thing, and times by what was done: the number that pandas gives, or none."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from asking import ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def _tables() -> dict[str, pd.DataFrame]:
    """Barges with what they hold and what was pumped into them; berths that were taken; work of so many hours."""
    dice = np.random.default_rng(11)
    barges = pd.DataFrame(
        {
            "barge_id": range(1, 5),
            "barge_name": ["Alma", "Bruno", "Clio", "Dora"],
            "tank_litres": [900, 1200, 700, 1500],
        }
    )
    fillings = pd.DataFrame({
        "filling_id": range(1, 81), "barge_id": dice.integers(1, 5, 80), "pumped_litres": dice.integers(20, 400, 80),
        "filled_on": pd.Timestamp("2024-01-03") + pd.to_timedelta(dice.integers(0, 200, 80), unit="D"),
    })  # fmt: skip
    came = pd.Timestamp("2024-01-05") + pd.to_timedelta(dice.integers(0, 200, 90), unit="D")
    berths = pd.DataFrame({
        "berth_no": range(1, 91), "barge_id": dice.integers(1, 5, 90), "booked_on": came - pd.to_timedelta(dice.integers(1, 30, 90), unit="D"),
        "checkin_on": came, "checkout_on": came + pd.to_timedelta(dice.integers(1, 14, 90), unit="D"),
        "payment": dice.choice(["cash", "card"], 90), "paid_eur": dice.integers(40, 300, 90),
    })  # fmt: skip
    jobs = pd.DataFrame({
        "job_id": range(1, 121), "barge_id": dice.integers(1, 5, 120), "kind": dice.choice(["welding", "painting"], 120),
        "hours": dice.integers(1, 16, 120),
    })  # fmt: skip
    return {"barges": barges, "fillings": fillings, "berths": berths, "jobs": jobs}


@cache
def _world() -> World:
    tables = _tables()
    return World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=dict(tables))))


def _only(question: str) -> Any:
    asked = ask(_world(), question)
    return asked.rows()[0][-1] if asked.table is not None and asked.table.num_rows == 1 else None


def _days(one: str, other: str) -> float:
    berths = _tables()["berths"]
    return float((berths[other] - berths[one]).dt.days.mean())


def _filled(name: str) -> int:
    fillings = _tables()["fillings"].merge(_tables()["barges"], on="barge_id")
    return int(fillings[fillings.barge_name == name].pumped_litres.sum())


_HOURS = {
    "how many jobs of 10 hours": lambda j: j.hours == 10, "how many 10-hour jobs": lambda j: j.hours == 10,
    "how many jobs that took ten hours": lambda j: j.hours == 10,
    "how many jobs of at least 10 hours": lambda j: j.hours >= 10,
    "how many jobs of more than 10 hours": lambda j: j.hours > 10,
    "how many welding jobs of 10 hours": lambda j: (j.hours == 10) & (j.kind == "welding"),
    "how many 10 hour welding jobs": lambda j: (j.hours == 10) & (j.kind == "welding"),
}  # fmt: skip
_DAYS = {
    "average days from being checked in to being checked out": ("checkin_on", "checkout_on"),
    "average days between check-in and check-out": ("checkin_on", "checkout_on"),
    "average days from booking to check-in": ("booked_on", "checkin_on"),
    "average days from booking to check-out": ("booked_on", "checkout_on"),
    "how many days from being booked to being checked out, on average": ("booked_on", "checkout_on"),
}


@pytest.mark.parametrize("question", _HOURS)
def test_a_bound_behind_an_amount_is_a_bound(question: str) -> None:
    assert _only(question) == int(_HOURS[question](_tables()["jobs"]).sum())


@pytest.mark.parametrize("behind", ["or more", "or less", "or longer", "and up", "earlier", "late"])
def test_an_amount_with_something_behind_it_is_not_exactly_that(behind: str) -> None:
    assert _only(f"how many jobs of 10 hours {behind}") != int((_tables()["jobs"].hours == 10).sum())


@pytest.mark.parametrize("question", _DAYS)
def test_a_time_is_the_one_whose_particle_is_said(question: str) -> None:
    assert _only(question) == pytest.approx(_days(*_DAYS[question]))


@pytest.mark.parametrize(("name", "holds"), [("Alma", 900), ("Dora", 1500)])
def test_what_one_holds_is_its_own_and_what_went_in_is_in_the_rows_that_lead_there(name: str, holds: int) -> None:
    assert _only(f"how many litres does {name} hold") == holds
    assert _only(f"how many litres did {name} carry") == _filled(name)


@pytest.mark.parametrize("way", ["cash", "card"])
def test_how_rows_were_paid_is_not_answered_with_a_sum_alone(way: str) -> None:
    berths = _tables()["berths"]
    [row] = ask(_world(), f"how many berths paid in {way}").rows()
    assert row[0] == int((berths.payment == way).sum())
    for question in (f"berths paid in {way}", f"berths paid by {way} in total"):
        assert _only(question) in (None, row[0]), question
