"""``and by revenue`` after a ranking: as many of the same kind by the number named, within what was chosen before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def bazaar() -> dict[str, pd.DataFrame]:
    """Sales of stalls in two towns, of pieces and what was paid."""
    dice = np.random.default_rng(31)
    stalls = pd.DataFrame(
        {
            "stall_id": range(1, 7),
            "stall_name": ["Ash", "Birch", "Cedar", "Elm", "Fir", "Oak"],
            "town": ["Ayr", "Bray"] * 3,
        }
    )
    sales = pd.DataFrame({
        "sale_id": range(1, 601), "stall_id": dice.choice(range(1, 7), 600, p=[0.3, 0.25, 0.2, 0.1, 0.1, 0.05]),
        "sold_at": pd.Timestamp("2024-02-01") + pd.to_timedelta(dice.integers(0, 300, 600), "D"), "quantity": dice.integers(1, 9, 600),
    })  # fmt: skip
    return {"stalls": stalls, "sales": sales.assign(amount=sales.quantity * sales.stall_id)}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(bazaar()) as opened:
        yield opened


def _said(client: Any, *turns: str) -> list[tuple[str, float]]:
    chat = client.chat()
    *_, last = [chat.ask(turn) for turn in turns]
    return [(name, float(number)) for name, number in last.df.itertuples(index=False)]


@pytest.mark.parametrize(
    ("turns", "number", "first", "ascending"),
    [
        (["top 3 stalls by quantity", "and by amount"], "amount", 3, False),
        (["top 3 stalls by quantity", "by number of sales instead"], "count", 3, False),
        (["bottom 2 stalls by quantity", "ranked by amount"], "amount", 2, True),
        (["which stall has the highest total quantity", "and by amount"], "amount", 1, False),
        (["quantity by stall", "by number of sales"], "count", 6, None),
        (["quantity by stall", "by total amount"], "amount", 6, None),
    ],
)
def test_the_same_kind_is_shown_by_the_number_that_is_named(
    client: Any, turns: list[str], number: str, first: int, ascending: bool | None
) -> None:
    rows = bazaar()["sales"].merge(bazaar()["stalls"]).groupby("stall_name")
    wanted = rows.size() if number == "count" else rows[number].sum()
    if ascending is not None:
        wanted = wanted.sort_values(ascending=ascending, kind="stable").head(first)
    assert sorted(_said(client, *turns)) == sorted((name, float(value)) for name, value in wanted.items())


def test_what_was_chosen_before_is_kept(client: Any) -> None:
    rows = bazaar()["sales"].merge(bazaar()["stalls"])
    wanted = rows[rows.town == "Ayr"].groupby("stall_name").amount.sum().nlargest(2)
    assert _said(client, "top 2 stalls by quantity in Ayr", "by amount") == [(n, float(v)) for n, v in wanted.items()]


def test_a_group_that_is_named_is_a_group(client: Any) -> None:
    assert {name for name, _ in _said(client, "quantity by stall", "by town")} == {"Ayr", "Bray"}


@pytest.fixture(scope="module")
def desk() -> Iterator[Any]:
    """Tickets and contracts of firms, so that a firm has most of either."""
    dice = np.random.default_rng(61)
    firms = pd.DataFrame(
        {
            "firm_id": range(1, 9),
            "firm_name": [f"Firm {letter}" for letter in "ABCDEFGH"],
            "trade": dice.choice(["media", "retail"], 8),
        }
    )
    tickets = pd.DataFrame({
        "ticket_id": range(1, 301), "firm_id": dice.choice(range(1, 9), 300), "urgency": dice.choice(["low", "high"], 300),
        "opened_at": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 9000, 300), "h"), "minutes": dice.integers(1, 90, 300),
    })  # fmt: skip
    contracts = pd.DataFrame(
        {"contract_id": range(1, 41), "firm_id": dice.integers(1, 9, 40), "signed_on": pd.Timestamp("2023-01-01")}
    )
    with svc.embedded({"firms": firms, "tickets": tickets, "contracts": contracts}) as opened:
        opened.frames = firms, tickets
        yield opened


@pytest.mark.parametrize("first", ["tickets by urgency", "how many tickets are there"])
def test_who_has_the_most_has_most_of_what_was_counted(desk: Any, first: str) -> None:
    firms, tickets = desk.frames
    chat = desk.chat()
    chat.ask(first)
    found = chat.ask("which firm has the most").df
    counted = tickets.merge(firms).groupby("firm_name").size()
    assert (found.iloc[0, 0], found.iloc[0, 1]) == (counted.idxmax(), counted.max())


def test_the_oldest_is_the_earliest_of_the_rows_that_were_counted(desk: Any) -> None:
    _, tickets = desk.frames
    chat = desk.chat()
    chat.ask("how many high tickets are there")
    found = chat.ask("when was the oldest one opened").df
    assert tickets.opened_at[tickets.urgency == "high"].min() in set(found.iloc[0])
    assert desk.chat().ask("when was the oldest ticket opened").df.iloc[0, 0] == tickets.opened_at.min()


def test_a_median_is_no_slip_of_a_value(desk: Any) -> None:
    chat = desk.chat()
    chat.ask("how many tickets are there")
    assert "media" not in (chat.ask("median instead").sql or "").replace("median", "")


def test_which_one_is_one_of_the_groups_that_were_shown(desk: Any) -> None:
    _, tickets = desk.frames
    chat = desk.chat()
    chat.ask("tickets by urgency")
    assert chat.ask("which one has the most?").df.iloc[0, 0] == tickets.urgency.value_counts().idxmax()
