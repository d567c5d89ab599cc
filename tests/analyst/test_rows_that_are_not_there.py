"""What is said of rows that are not there, were missed or are over: *clients without an order in 2024*, *current ones*."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from asking import Asked, ask
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

YEAR = "2024"


def _days(dice: np.random.Generator, start: str, span: int, count: int) -> pd.Series:
    return pd.Series(pd.Timestamp(start) + pd.to_timedelta(dice.integers(0, span, count), unit="D"))


@cache
def _framers() -> Tables:
    """A workshop that frames pictures: clients, orders that are due and then sent, their lines, helpers and shifts."""
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
    rooms = pd.DataFrame({"room_id": [1, 2, 3], "room_name": ["cellar", "yard", "attic"]})
    helpers = pd.DataFrame({
        "helper_id": range(1, 13), "full_name": [f"Cy {chr(97 + n) * 4}" for n in range(12)],
        "room_id": pd.array([1, 2, None, 3, 1, 2, 3, None, 1, 2, 2, 2], "Int64"), "joined": _days(dice, "2020-01-01", 900, 12),
        "left_on": [pd.NaT] * 9 + [pd.Timestamp("2024-02-02")] * 3, "trained_by": pd.array([None, 1, 1, 2, 2, 2, 3, 2, 1, 2, None, 1], "Int64"),
    })  # fmt: skip
    shifts = pd.DataFrame({
        "shift_id": range(1, 101), "helper_id": dice.integers(1, 13, 100), "day": _days(dice, "2024-01-01", 200, 100),
        "showed_up": dice.choice(["Y", "Y", "N"], 100),
    })  # fmt: skip
    return {
        "clients": clients, "orders": orders, "goods": goods, "order_lines": lines, "rooms": rooms, "helpers": helpers,
        "shifts": shifts,
    }  # fmt: skip


@cache
def _world() -> World:
    tables = _framers()
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


def _ask(question: str) -> Asked:
    return ask(_world(), question)


def _names(question: str) -> set[object]:
    return {row[0] for row in _ask(question).rows()}


def _one(question: str) -> object:
    asked = _ask(question)
    return asked.rows()[0][0] if asked.table is not None and asked.table.num_rows == 1 else None


@pytest.mark.parametrize("said", ["without an order in 2024", "without orders in 2024", "with no orders in 2024"])
def test_what_is_said_behind_a_denial_is_of_the_rows_that_are_denied(said: str) -> None:
    clients, orders = _framers()["clients"], _framers()["orders"]
    had = orders.client_id[orders.received_on.dt.year == int(YEAR)]
    assert _names(f"clients {said}") == set(clients.client_name[~clients.client_id.isin(had)])


def test_what_is_asked_of_other_rows_than_those_denied_is_not_turned_round() -> None:
    asked = _ask("clients without a gilt frame in 2024")
    assert asked.table is None or "NOT" in asked.tool["input"]["sqlQuery"].upper()


def test_who_never_did_anything_for_us_has_no_rows() -> None:
    clients, orders = _framers()["clients"], _framers()["orders"]
    assert _names("which clients never sent us anything") == set(
        clients.client_name[~clients.client_id.isin(orders.client_id)]
    )


def test_to_belong_to_none_is_to_be_without() -> None:
    helpers = _framers()["helpers"]
    assert _names("helpers that belong to no room") == set(helpers.full_name[helpers.room_id.isna()])


@pytest.mark.parametrize("said", ["how many helpers do we have now", "how many helpers are still with us"])
def test_those_who_left_are_not_there_now(said: str) -> None:
    assert _one(said) == int(_framers()["helpers"].left_on.isna().sum())


def test_current_ones_are_those_of_the_rows_that_end() -> None:
    helpers = _framers()["helpers"]
    there = helpers[helpers.left_on.isna()].merge(_framers()["rooms"], on="room_id").groupby("room_name").size()
    assert dict(there).items() <= dict(_ask("helpers per room, current ones only").rows()).items()


@pytest.mark.parametrize("question", ["who missed the most shifts", "clients who owe us for more than 5 orders"])
def test_what_was_missed_is_not_all_there_was(question: str) -> None:
    asked = _ask(question)
    assert asked.table is None or "WHERE" in asked.tool["input"]["sqlQuery"].replace("IS NOT NULL", "")


def test_by_number_sold_is_by_pieces() -> None:
    lines = _framers()["order_lines"].merge(_framers()["goods"], on="good_id")
    most = lines.groupby("good_name").quantity.sum().nlargest(2)
    assert [row[0] for row in _ask("top 2 goods by number sold").rows()] == list(most.index)


def test_late_is_after_it_was_due_where_the_rows_begin_with_a_receipt() -> None:
    orders = _framers()["orders"]
    assert _one("how many late orders") == int((orders.dispatched_on > orders.due_on).sum())


def test_who_was_trained_is_not_who_trained() -> None:
    helpers = _framers()["helpers"]
    assert _names(f"who was trained by {helpers.full_name[1]}") == set(helpers.full_name[helpers.trained_by == 2])
    assert _names(f"who trained {helpers.full_name[3]}") == {helpers.full_name[1]}


def test_who_trained_most_of_the_others() -> None:
    assert _ask("which helper trained the most others").rows()[0][:2] == (_framers()["helpers"].full_name[1], 5)
