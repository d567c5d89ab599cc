"""What is said of rows that are not there, were missed or are over: *clients without an order in 2024*, *current ones*."""

from __future__ import annotations

import pytest
from asking import Asked, ask
from framers import framers, framers_world


def _ask(question: str) -> Asked:
    return ask(framers_world(), question)


def _names(question: str) -> set[object]:
    return {row[0] for row in _ask(question).rows()}


def _one(question: str) -> object:
    asked = _ask(question)
    return asked.rows()[0][0] if asked.table is not None and asked.table.num_rows == 1 else None


@pytest.mark.parametrize("said", ["without an order in 2024", "without orders in 2024", "with no orders in 2024"])
def test_what_is_said_behind_a_denial_is_of_the_rows_that_are_denied(said: str) -> None:
    clients, orders = framers()["clients"], framers()["orders"]
    had = orders.client_id[orders.received_on.dt.year == 2024]
    assert _names(f"clients {said}") == set(clients.client_name[~clients.client_id.isin(had)])


def test_what_is_asked_of_other_rows_than_those_denied_is_not_turned_round() -> None:
    asked = _ask("clients without a gilt frame in 2024")
    assert asked.table is None or "NOT" in asked.tool["input"]["sqlQuery"].upper()


def test_who_never_did_anything_for_us_has_no_rows() -> None:
    clients, orders = framers()["clients"], framers()["orders"]
    assert _names("which clients never sent us anything") == set(
        clients.client_name[~clients.client_id.isin(orders.client_id)]
    )


def test_to_belong_to_none_is_to_be_without() -> None:
    helpers = framers()["helpers"]
    assert _names("helpers that belong to no room") == set(helpers.full_name[helpers.room_id.isna()])


@pytest.mark.parametrize("said", ["how many helpers do we have now", "how many helpers are still with us"])
def test_those_who_left_are_not_there_now(said: str) -> None:
    assert _one(said) == int(framers()["helpers"].left_on.isna().sum())


def test_current_ones_are_those_of_the_rows_that_end() -> None:
    helpers = framers()["helpers"]
    there = helpers[helpers.left_on.isna()].merge(framers()["rooms"], on="room_id").groupby("room_name").size()
    assert dict(there).items() <= dict(_ask("helpers per room, current ones only").rows()).items()


@pytest.mark.parametrize("question", ["who missed the most shifts", "clients who owe us for more than 5 orders"])
def test_what_was_missed_is_not_all_there_was(question: str) -> None:
    asked = _ask(question)
    assert asked.table is None or "WHERE" in asked.tool["input"]["sqlQuery"].replace("IS NOT NULL", "")


def test_by_number_sold_is_by_pieces() -> None:
    lines = framers()["order_lines"].merge(framers()["goods"], on="good_id")
    most = lines.groupby("good_name").quantity.sum().nlargest(2)
    assert [row[0] for row in _ask("top 2 goods by number sold").rows()] == list(most.index)


def test_late_is_after_it_was_due_where_the_rows_begin_with_a_receipt() -> None:
    orders = framers()["orders"]
    assert _one("how many late orders") == int((orders.dispatched_on > orders.due_on).sum())


def test_who_was_trained_is_not_who_trained() -> None:
    helpers = framers()["helpers"]
    assert _names(f"who was trained by {helpers.full_name[1]}") == set(helpers.full_name[helpers.trained_by == 2])
    assert _names(f"who trained {helpers.full_name[3]}") == {helpers.full_name[1]}


def test_who_trained_most_of_the_others() -> None:
    assert _ask("which helper trained the most others").rows()[0][:2] == (framers()["helpers"].full_name[1], 5)


def test_who_referred_most_is_none_of_those_who_were_referred() -> None:
    assert _ask("who referred the most clients").rows()[0][:2] == (framers()["clients"].client_name[0], 9)


def test_keys_of_the_same_table_do_not_say_who_it_was() -> None:
    asked = _ask("clients with who referred them")
    assert asked.table is None or "client_name" in asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize("said", ["whose town we don't know", "whose home town we do not know"])
def test_what_we_do_not_know_is_missing(said: str) -> None:
    clients = framers()["clients"]
    assert _names(f"clients {said}") == set(clients.client_name[clients.home_town.isna()])


def test_out_of_use_is_not_in_use() -> None:
    assert _names("which room is out of use") == {"yard"}


def test_a_rate_of_what_was_done_is_no_other_rate() -> None:
    asked = _ask("cancellation rate per helper")
    assert asked.table is None or "hourly_rate" not in asked.tool["input"]["sqlQuery"]
