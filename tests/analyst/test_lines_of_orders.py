"""Orders by their lines, pieces by what was sold, and money that went out or is still to come in."""

from __future__ import annotations

import pandas as pd
import pytest
from asking import Asked, ask
from framers import framers, framers_world


def _ask(question: str) -> Asked:
    return ask(framers_world(), question)


def _one(question: str) -> object:
    asked = _ask(question)
    return asked.rows()[0][0] if asked.table is not None and asked.table.num_rows == 1 else None


def _names(question: str) -> set[object]:
    return {row[0] for row in _ask(question).rows()}


def _lines() -> pd.DataFrame:
    lines = framers()["order_lines"].merge(framers()["goods"], on="good_id")
    return lines.assign(amount=lines.quantity * lines.unit_price)


@pytest.mark.parametrize(
    "question", ["average order value per order", "average order value", "average basket per order"]
)
def test_an_order_is_as_large_as_its_lines(question: str) -> None:
    assert _one(question) == pytest.approx(_lines().groupby("order_id").amount.sum().mean())


def test_the_most_expensive_orders_are_those_whose_lines_come_to_most() -> None:
    most = _lines().groupby("order_id").amount.sum().nlargest(3)
    assert [row[0] for row in _ask("the three most expensive orders").rows()] == list(most.index)


def test_items_of_orders_are_their_lines() -> None:
    many = framers()["order_lines"].groupby("order_id").size()
    assert _names("orders with more than three items") == set(many[many > 3].index)


def test_of_two_things_sold_each_has_its_pieces() -> None:
    pieces = _lines().groupby("category").quantity.sum()[["frames", "hooks"]]
    assert dict(_ask("how many frames and how many hooks did we sell").rows()) == dict(pieces)


def test_what_went_out_are_pieces() -> None:
    assert _one("how many hooks went out") == _lines().groupby("category").quantity.sum()["hooks"]


def test_what_is_sold_is_no_kind_of_helper() -> None:
    lines = _lines().merge(framers()["orders"], on="order_id")
    frames = lines[lines.category == "frames"]
    months = frames.groupby(frames.received_on.dt.to_period("M")).quantity.sum()
    assert sorted(row[1] for row in _ask("frames sold per month").rows()) == sorted(months)


def test_who_brought_most_brought_most_in_all() -> None:
    payments = (
        framers()["payments"].merge(framers()["orders"], on="order_id").merge(framers()["clients"], on="client_id")
    )
    most = payments.groupby("client_name").amount.sum().nlargest(2)
    assert [row[0] for row in _ask("top 2 clients by payment amount").rows()] == list(most.index)


def test_expenses_are_money() -> None:
    spent = framers()["expenses"].groupby("kind").amount.sum()
    assert dict(_ask("expenses by kind").rows()) == dict(spent)
    assert _one("what did repairs cost us") == spent["repairs"]


@pytest.mark.parametrize("question", ["how many orders are unpaid", "how many orders has nobody paid for yet"])
def test_what_nobody_paid_for_has_no_payment(question: str) -> None:
    orders = framers()["orders"]
    assert _one(question) == int((~orders.order_id.isin(framers()["payments"].order_id)).sum())


def test_a_rate_of_rows_is_no_part_of_all_of_them() -> None:
    asked = _ask("payment rate per helper")
    assert asked.table is None or "OVER ()" not in asked.tool["input"]["sqlQuery"]


def test_what_nobody_knows_is_not_set_against_what_is_known() -> None:
    assert _ask("list price versus blurps per category").table is None
