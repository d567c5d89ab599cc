"""Two columns of a row at once, what is to be shown beside the rows, and which of them alone are meant."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 40
KINDS = ("X-ray", "Vaccination", "Check-up")


@cache
def tables() -> dict[str, pd.DataFrame]:
    growers = pd.DataFrame(
        {
            "grower_id": [1, 2, 3],
            "grower": ["Alba", "Brio", "Corva"],
            "phone": ["1", None, "3"],
            "opened": [1950, 1980, 2000],
        }
    )
    wines = pd.DataFrame({
        "wine_id": range(1, 13), "grower_id": [1 + n % 3 for n in range(12)], "label": [f"Cuvee {n}" for n in range(12)],
        "colour": [("red", "white", "rose")[n * 7 % 5 % 3] for n in range(12)],
        "list_price": [20 + n for n in range(12)], "cost_price": [12 + 3 * (n % 8) for n in range(12)],
    })  # fmt: skip
    return {"growers": growers, "wines": wines}


@cache
def visits() -> pd.DataFrame:
    return pd.DataFrame({
        "visit_no": range(1, N + 1), "booked": pd.date_range("2024-01-02", periods=N, freq="5D"),
        "patient": [f"Patient {n * n % 11}" for n in range(N)], "treatment": [KINDS[n * n % 11 % 3] for n in range(N)],
        "planned_minutes": [15 + 15 * (n % 3) for n in range(N)], "actual_minutes": [10 + n * 7 % 50 for n in range(N)],
        "fee": [40 + 5 * (n % 4) for n in range(N)], "tip": [n % 3 for n in range(N)], "missed": [n % 6 == 0 for n in range(N)],
    })  # fmt: skip


@cache
def world(name: str) -> World:
    held = tables() if name == "wines" else {"visits": visits()}
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def of_wines() -> dict[str, Any]:
    wines = tables()["wines"].merge(tables()["growers"], on="grower_id")
    dear, red = wines[wines.cost_price > wines.list_price], wines[wines.colour == "red"]
    margin = (wines.list_price - wines.cost_price).groupby(wines.colour)
    return {
        "wines with cost price above list price": Near(len(dear), set(dear.label)),
        "list price minus cost price by colour": Near(dict(margin.sum()), dict(margin.mean())),
        "red wines with their grower": [(row.label, row.grower) for row in red.itertuples()],
        "average list price per grower, red wines only": dict(red.groupby("grower").list_price.mean()),
        "how many wines does a grower have on average": 4,
        "which growers pressed a rose": set(wines[wines.colour == "rose"].grower),
        "which label has wine id no-3": Near("Cuvee 2"),
        "list price of wine 7": 26,
        "list price of wine no. 8": 27,
        "growers with no known phone": Near(1, {"Brio"}),
        "name of the grower of the wine with the largest list price": "Corva",
        "average age of growers": float((2024 - tables()["growers"].opened).mean()),
    }


def of_visits() -> dict[str, Any]:
    held = visits()
    longer = held[held.actual_minutes > held.planned_minutes]
    missed = held[held.missed]
    had, rate = set(held[held.treatment == "X-ray"].patient), held.groupby("treatment").missed.mean()
    return {
        "visits that took longer than planned": Near(len(longer), set(longer.visit_no)),
        "share of visits where actual minutes exceed planned minutes": Pct(len(longer) / N),
        "total fee plus tip per treatment": dict((held.fee + held.tip).groupby(held.treatment).sum()),
        "patients without an x-ray": Near(len(set(held.patient) - had), set(held.patient) - had),
        "who never had a vaccination": set(held.patient) - set(held[held.treatment == "Vaccination"].patient),
        "treatments where more than 16% of visits were missed": set(rate[rate > 0.16].index),
        "treatments with less than 16 percent missed visits": set(rate[rate < 0.16].index),
        "which visit has the earliest booking": Near(1, pd.Timestamp("2024-01-02")),
        "missed visits with their patient and fee": [(r.visit_no, r.patient, r.fee) for r in missed.itertuples()],
        "Hmm, how many patients are there?": held.patient.nunique(),
        "I hate waiting. What is the total fee?": int(held.fee.sum()),
    }


CASES = [("wines", question) for question in of_wines()] + [("visits", question) for question in of_visits()]


@pytest.mark.parametrize(("name", "question"), CASES)
def test_what_two_columns_say_together(name: str, question: str) -> None:
    wanted = (of_wines() if name == "wines" else of_visits())[question]
    assert outcome_of(ask(world(name), question), wanted) == "right"


def test_what_is_to_be_shown_beside_is_never_left_out_silently() -> None:
    answer = ask(world("visits"), "missed visits with their surgeon").answer
    assert "surgeon" in answer.text


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("wines", "growers with wines over 28 and wines under 22"), ("wines", "how many bottles does Alba have"),
        ("wines", "wines below opened"),
        ("visits", "compare the fee of Patient 1 and Check-up"), ("visits", "what is the highest fee? who paid it"),
    ],
)  # fmt: skip
def test_what_no_row_is_and_what_was_not_counted_is_not_answered(name: str, question: str) -> None:
    asked = ask(world(name), question)
    assert asked.table is None, asked.answer.text


def test_less_than_a_part_of_the_total_is_of_each_group() -> None:
    fees = visits().groupby("treatment").fee.sum()
    asked = ask(world("visits"), "which treatments bring in less than 20% of the fees")
    assert {row[0] for row in asked.rows()} == set(fees[fees < 0.2 * fees.sum()].index) != set()


def test_a_refusal_names_what_its_choices_leave_out() -> None:
    answer = ask(world("wines"), "wines from growers with more room than before").answer
    assert "Without  I" not in answer.text
