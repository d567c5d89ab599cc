"""A workshop that frames pictures: clients, orders that are due and then sent, their lines, helpers, shifts, money."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

__all__ = ["framers", "framers_world"]


def _days(dice: np.random.Generator, start: str, span: int, count: int) -> pd.Series:
    return pd.Series(pd.Timestamp(start) + pd.to_timedelta(dice.integers(0, span, count), unit="D"))


@cache
def framers() -> Tables:
    dice, count = np.random.default_rng(5), 200
    clients = pd.DataFrame(
        {"client_id": range(1, 31), "client_name": [f"Bo {chr(97 + n % 26) * (n // 26 + 4)}" for n in range(30)]}
    )
    orders = pd.DataFrame({
        "order_id": range(1, count + 1), "client_id": dice.integers(1, 28, count),
        "received_on": _days(dice, "2023-01-01", 700, count),
    })  # fmt: skip
    orders["due_on"] = orders.received_on + pd.to_timedelta(10, unit="D")
    orders["dispatched_on"] = orders.received_on + pd.to_timedelta(dice.integers(5, 16, count), unit="D")
    orders.loc[orders.index % 11 == 0, "dispatched_on"] = pd.NaT
    orders.loc[orders.client_id > 20, "received_on"] = pd.Timestamp("2023-05-05")
    goods = pd.DataFrame(
        {
            "good_id": range(1, 5),
            "good_name": ["oak frame", "gilt frame", "mount", "hook"],
            "list_price": [80, 300, 9, 1],
        }
    )
    lines = pd.DataFrame({
        "line_id": range(1, 401), "order_id": dice.integers(1, count + 1, 400), "good_id": dice.integers(1, 5, 400),
        "quantity": dice.integers(1, 5, 400),
    })  # fmt: skip
    lines.loc[lines.good_id == 4, "quantity"] += 30
    lines["unit_price"] = lines.good_id.map(dict(zip(goods.good_id, goods.list_price, strict=True)))
    goods["category"] = ["frames", "frames", "mounts", "hooks"]
    rooms = pd.DataFrame({"room_id": [1, 2, 3], "room_name": ["cellar", "yard", "attic"]})
    helpers = pd.DataFrame({
        "helper_id": range(1, 13), "full_name": [f"Cy {chr(97 + n) * 4}" for n in range(12)],
        "room_id": pd.array([1, 2, None, 3, 1, 2, 3, None, 1, 2, 2, 2], "Int64"), "joined": _days(dice, "2020-01-01", 900, 12),
        "left_on": [pd.NaT] * 9 + [pd.Timestamp("2024-02-02")] * 3, "trained_by": pd.array([None, 1, 1, 2, 2, 2, 3, 2, 1, 2, None, 1], "Int64"),
    })  # fmt: skip
    helpers["hourly_rate"] = [12 + n % 5 for n in range(12)]
    helpers["role"] = ["frames", "yard", "mounts"] * 4
    orders["helper_id"] = dice.integers(1, 13, count)
    payments = pd.DataFrame(
        {"payment_id": range(1, 121), "order_id": dice.choice(range(1, count + 1), 120, replace=False)}
    )
    payments["amount"] = dice.integers(5, 900, 120)
    payments["paid_on"] = _days(dice, "2024-01-01", 200, 120)
    expenses = pd.DataFrame({
        "expense_id": range(1, 61), "room_id": dice.integers(1, 4, 60), "spent_on": _days(dice, "2024-01-01", 200, 60),
        "kind": dice.choice(["repairs", "heating", "van"], 60), "amount": dice.integers(5, 400, 60),
    })  # fmt: skip
    shifts = pd.DataFrame({
        "shift_id": range(1, 101), "helper_id": dice.integers(1, 13, 100), "day": _days(dice, "2024-01-01", 200, 100),
        "showed_up": dice.choice(["Y", "Y", "N"], 100),
    })  # fmt: skip
    clients["home_town"] = ["Arden", None, "Birk"] * 10
    clients["referred_by"] = pd.array([None, None, None] + [1, 1, 3, None, 1, 2, None] * 3 + [None] * 6, "Int64")
    rooms["state"] = ["in use", "closed", "in use"]
    orders["cancelled_on"] = orders.received_on.where(orders.index % 7 == 0)
    return {
        "clients": clients, "orders": orders, "goods": goods, "order_lines": lines, "rooms": rooms, "helpers": helpers,
        "shifts": shifts, "payments": payments, "expenses": expenses,
    }  # fmt: skip


@cache
def framers_world() -> World:
    tables = framers()
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))
