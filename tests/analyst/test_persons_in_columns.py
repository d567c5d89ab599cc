"""Persons that only a column names are asked for by what they did; the verb says which column."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from asking import Asked, ask
from outcomes import outcome_of
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_FIRST = ("Ada", "Bo", "Cem", "Dora", "Eli", "Fay", "Gil", "Hana", "Ivo", "Jette")
_LAST = ("Acker", "Bauer", "Cole", "Dorn", "Eck", "Falk")


def _tables() -> Tables:
    """A town's fault reports: who reported what, and who was to mend it; couriers are a table of their own."""
    dice = np.random.default_rng(11)
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    citizens, menders = names[:24], names[40:46]
    weights = 1 / np.arange(1, len(citizens) + 1)
    count = 500
    roads = pd.DataFrame({
        "road_id": range(1, 9), "road": ["Elm", "Ash", "Oak", "Fir", "Bay", "Yew", "Box", "Sloe"],
        "district": ["West", "East"] * 4, "courier_id": [1, 2, 3, 1, 2, 3, 1, 2],
    })  # fmt: skip
    couriers = pd.DataFrame({"courier_id": [1, 2, 3], "courier_name": ["Kai Lind", "Lara Moor", "Max Nagel"]})
    faults = pd.DataFrame({
        "fault_id": range(1, count + 1), "road_id": dice.integers(1, 9, count),
        "reported_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 300, count), unit="D"),
        "reported_by": dice.choice(citizens, count, p=weights / weights.sum()),
        "assigned_to": np.where(dice.random(count) < 0.1, None, dice.choice(menders, count, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])),
        "kind": dice.choice(["lamp", "pothole", "drain"], count),
        "state": dice.choice(["open", "mended"], count), "voucher": dice.choice(["V5", "V9", None], count),
        "cost": dice.permutation(count) + 0.5,
    })  # fmt: skip
    return {"roads": roads, "couriers": couriers, "faults": faults}


@cache
def _world() -> tuple[Tables, World]:
    tables = _tables()
    return tables, World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=tables)))


def _asked(question: str) -> Asked:
    return ask(_world()[1], question)


def _counted(rows: pd.DataFrame, column: str, least: int) -> list[tuple[Any, ...]]:
    sizes = rows.groupby(column).size()
    return [(name, int(size)) for name, size in sizes[sizes >= least].items()]


def _first(rows: pd.DataFrame, column: str) -> list[tuple[Any, ...]]:
    sizes = rows.groupby(column).size().sort_values(ascending=False)
    return [(sizes.index[0], int(sizes.iloc[0]))]


def _open(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows.state == "open"]


QUESTIONS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "who reported the most faults": lambda f: _first(f, "reported_by"),
    "the person who reported the most faults": lambda f: _first(f, "reported_by"),
    "who has been assigned the most open faults?": lambda f: _first(_open(f), "assigned_to"),
    "who handles the most faults": lambda f: _first(f, "assigned_to"),
    "people who reported more than 20 faults": lambda f: _counted(f, "reported_by", 21),
    "anyone who reported 20 or more faults": lambda f: _counted(f, "reported_by", 20),
    "who raised at least 10 open faults": lambda f: _counted(_open(f), "reported_by", 10),
    "people who reported a pothole fault 8 times or more": lambda f: _counted(f[f.kind == "pothole"], "reported_by", 8),
    "list of people who reported something more than twice": lambda f: _counted(f, "reported_by", 3),
    "how many people reported a fault in 2024": lambda f: f.reported_by.nunique(),
    "how many different people are assigned to open faults": lambda f: _open(f).assigned_to.nunique(),
    "how many people used a voucher, by voucher": lambda f: list(
        f.groupby("voucher").reported_by.nunique().items()
    ),
    "number of people per kind who reported a fault": lambda f: list(f.groupby("kind").reported_by.nunique().items()),
    "everyone who reported a drain fault": lambda f: set(f[f.kind == "drain"].reported_by),
    "who reported fault 12": lambda f: f.set_index("fault_id").reported_by[12],
    "top 3 people by number of faults reported": lambda f: list(
        f.groupby("reported_by").size().sort_values(ascending=False).head(3).items()
    ),
    "average number of faults per person": lambda f: f.groupby("reported_by").size().mean(),
    "most expensive fault and who reported it": lambda f: f.sort_values("cost").reported_by.iloc[-1],
    "what was the cheapest fault and who was assigned to it": lambda f: f[f.cost == f.cost.min()].cost.iloc[0],
}  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_persons_of_a_column_are_asked_for_by_what_they_did(question: str) -> None:
    tables, _ = _world()
    assert outcome_of(_asked(question), QUESTIONS[question](tables["faults"])) == "right"


def test_who_bid_or_paid_the_most_is_known_by_the_amount() -> None:
    dice = np.random.default_rng(3)
    names = ["Ada Acker", "Bo Bauer", "Cem Cole", "Dora Dorn"]
    bids = pd.DataFrame({
        "bid_id": range(1, 61), "lot": dice.choice(["vase", "clock"], 60), "bidder": dice.choice(names, 60),
        "amount": dice.permutation(60) * 7.0 + 10,
    })  # fmt: skip
    tables = {"bids": bids}
    world = World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=tables)))
    vases = bids[bids.lot == "vase"].sort_values("amount")
    assert outcome_of(ask(world, "who bid the most for the vase?"), vases.bidder.iloc[-1]) == "right"


def test_nobody_is_no_person() -> None:
    rows = _asked("who has been assigned the fewest faults?").rows()
    assert [name for name, *_ in rows if name is None] == []


@pytest.mark.parametrize("question", ["who shifted the most faults", "who swept the most faults"])
def test_what_no_column_says_is_not_guessed(question: str) -> None:
    asked = _asked(question)
    assert asked.table is None or "left out" in asked.answer.text


def test_whoever_it_was_done_by_is_told_in_words() -> None:
    text = _asked("people who reported more than 20 faults").answer.text
    assert "reporteds" not in text
