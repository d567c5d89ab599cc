"""Columns as people name them: written short, and a yes or no kept as 1 and 0."""

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

N = 24


@cache
def tables() -> dict[str, pd.DataFrame]:
    houses = pd.DataFrame({
        "prop_cd": ["A", "B", "C", "D"], "prop_nm": ["Ash", "Birch", "Cedar", "Dogwood"],
        "mkt_rent": [900, 1_200, 700, 1_500],
    })  # fmt: skip
    begun = pd.Timestamp("2024-01-03") + pd.to_timedelta([n * 9 for n in range(N)], unit="D")
    orders = pd.DataFrame({
        "wo_id": range(1, N + 1), "prop_cd": [houses.prop_cd[n % 3] for n in range(N)], "opened_dt": begun,
        "done_dt": [pd.NaT if n % 4 == 0 else begun[n] + pd.Timedelta(days=n) for n in range(N)],
        "meth": [("phone", "web")[n % 2] for n in range(N)], "dep_amt": [50.0 + 10 * (n % 7) for n in range(N)],
        "urgent": [int(n % 3 == 1) for n in range(N)], "due_dt": begun + pd.Timedelta(days=9),
        "tch_cd": ["KV" if n % 5 else "LM" for n in range(N)],
    })  # fmt: skip
    # Patients are like cases, and these are rows of anything: where there is ``pat`` they are its rows.
    guests = pd.DataFrame({"pat_no": range(1, 6), "pat_nm": ["Ola", "Pia", "Rik", "Sia", "Tor"]})
    people = pd.DataFrame({"tch_cd": ["KV", "LM"], "tch_nm": ["Kim Vance", "Lou Marsh"]})
    return {"properties": houses, "work_orders": orders, "tch": people, "pat": guests}


@cache
def world() -> World:
    held = tables()
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def wanted(question: str) -> Any:
    homes, orders = tables()["properties"], tables()["work_orders"]
    waiting, late = orders[orders.done_dt.isna()], orders[orders.done_dt > orders.due_dt]
    return {
        "average market rent": homes.mkt_rent.mean(),
        "total deposits by method": dict(orders.groupby("meth").dep_amt.sum()),
        "how many buildings are there": len(homes),
        "work orders per building": dict(orders.prop_cd.map(homes.set_index("prop_cd").prop_nm).value_counts()),
        "urgent work orders per method": dict(orders[orders.urgent == 1].meth.value_counts()),
        "how many work orders were not urgent": int((orders.urgent == 0).sum()),
        "open urgent work orders": Near(int((waiting.urgent == 1).sum()), set(waiting[waiting.urgent == 1].wo_id)),
        "late work orders per method": dict(late.meth.value_counts()),
        "how many work orders were done late": len(late),
        "work orders that were not late": len(orders) - len(late) - len(waiting),
        "work orders per technician": dict(orders.tch_cd.map({"KV": "Kim Vance", "LM": "Lou Marsh"}).value_counts()),
        "how many patients are there": len(tables()["pat"]),
        "which technician has the most urgent work orders": "Kim Vance",
        "buildings without urgent work orders": set(
            homes.prop_nm[~homes.prop_cd.isin(orders[orders.urgent == 1].prop_cd)]
        ),
    }[question]


@pytest.mark.parametrize(
    "question",
    [
        "average market rent", "total deposits by method", "how many buildings are there", "work orders per building",
        "urgent work orders per method", "how many work orders were not urgent", "open urgent work orders",
        "late work orders per method", "how many work orders were done late", "work orders that were not late",
        "buildings without urgent work orders", "work orders per technician",
        "which technician has the most urgent work orders", "how many patients are there",
    ],
)  # fmt: skip
def test_names_are_read_as_people_write_them(question: str) -> None:
    assert outcome_of(ask(world(), question), wanted(question)) == "right"
