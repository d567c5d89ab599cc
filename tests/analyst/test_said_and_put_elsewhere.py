"""What was said has that part in the answer: a condition is no number, a deed no decoration, a period is of its deed."""

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


def _days(dice: np.random.Generator, start: str, span: int, count: int) -> pd.Series:
    return pd.Series(pd.Timestamp(start) + pd.to_timedelta(dice.integers(0, span, count), unit="D"))


def _world(tables: Tables) -> World:
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


@cache
def _tables() -> Tables:
    """A savings bank: branches with a year of their own, accounts that end, and what was moved."""
    dice, count = np.random.default_rng(1), 600
    branches = pd.DataFrame({
        "branch_id": range(1, 7), "branch_name": ["Altmarkt", "Hafen", "Nordstern", "Parkside", "Quay", "Rosengarten"],
        "opened_year": [1998, 2004, 2011, 1987, 2016, 2001],
    })  # fmt: skip
    accounts = pd.DataFrame({
        "account_id": range(1001, 1121), "branch_id": dice.integers(1, 7, 120), "opened_on": _days(dice, "2015-01-01", 3000, 120),
        "balance_eur": dice.normal(4000, 6000, 120).round(2), "overdraft_limit_eur": dice.choice([0, 500, 1000], 120),
    })  # fmt: skip
    ends = accounts.opened_on + pd.to_timedelta(dice.integers(100, 700, 120), unit="D")
    accounts["closed_on"] = ends.where(dice.random(120) < 0.2)
    moved = pd.DataFrame({
        "tx_id": range(1, count + 1), "account_id": 1001 + dice.integers(0, 100, count),
        "booked_on": _days(dice, "2023-01-01", 690, count), "amount_eur": dice.gamma(2, 120, count).round(2),
    })  # fmt: skip
    return {"branches": branches, "accounts": accounts, "transactions": moved}


@cache
def _farm() -> Tables:
    """A farm: fields with a size, harvests with two dates, animals of which some were sold, milk by morning and evening."""
    dice = np.random.default_rng(3)
    fields = pd.DataFrame({
        "field_id": range(1, 9), "field_name": ["Brook", "Chapel", "Dale", "Fallow", "Glebe", "Ings", "Kiln", "Mill"],
        "hectares": [4.1, 8.3, 12.9, 3.2, 20.4, 6.6, 9.8, 15.0],
    })  # fmt: skip
    harvests = pd.DataFrame({
        "harvest_id": range(1, 121), "field_id": dice.integers(1, 9, 120), "crop": dice.choice(["wheat", "potatoes"], 120),
        "sown_on": _days(dice, "2021-01-01", 1200, 120), "yield_t": dice.gamma(4, 8, 120).round(1),
    })  # fmt: skip
    harvests["harvested_on"] = harvests.sown_on + pd.to_timedelta(dice.integers(90, 200, 120), unit="D")
    animals = pd.DataFrame({
        "animal_id": range(1, 81), "species": dice.choice(["cow", "goat"], 80), "born_on": _days(dice, "2015-01-01", 3000, 80),
    })  # fmt: skip
    ends = animals.born_on + pd.to_timedelta(dice.integers(300, 900, 80), unit="D")
    animals["sold_on"] = ends.where(dice.random(80) < 0.3)
    milkings = pd.DataFrame({
        "milking_id": range(1, 401), "animal_id": dice.integers(1, 70, 400), "milked_on": _days(dice, "2024-01-01", 300, 400),
        "morning_l": (dice.random(400) * 12 + 4).round(1), "evening_l": (dice.random(400) * 10 + 3).round(1),
    })  # fmt: skip
    return {"fields": fields, "harvests": harvests, "animals": animals, "milkings": milkings}


@cache
def _bank_world() -> World:
    return _world(_tables())


@cache
def _farm_world() -> World:
    return _world(_farm())


def _values(asked: Asked) -> list[object]:
    return [value for row in asked.rows() for value in row] if asked.table is not None else []


def test_none_of_a_period_is_denied() -> None:
    tables = _tables()
    moved = tables["transactions"]
    busy = moved[moved.booked_on.dt.year == 2024].account_id
    wanted = int((~tables["accounts"].account_id.isin(busy)).sum())
    assert ask(_bank_world(), "how many accounts had no transactions in 2024").rows() == [(wanted,)]


def test_what_was_sold_has_a_time_of_sale() -> None:
    wanted = int(_farm()["animals"].sold_on.notna().sum())
    assert ask(_farm_world(), "how many animals have we sold").rows() == [(wanted,)]


def test_a_harvest_is_when_it_was_harvested() -> None:
    harvests = _farm()["harvests"]
    first = harvests[harvests.crop == "potatoes"].harvested_on.min()
    assert first.to_pydatetime() in _values(ask(_farm_world(), "when was the first potato harvest"))


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("how many accounts are overdrawn", "overdraft_limit_eur"),  # groups by a limit
        ("how many branches were opened before 2000", "opened_on"),  # when accounts were
        (
            "the biggest transaction of each branch",
            'MEASURE("transactions"."count")',
        ),  # the branch with the most of them
    ],
)
def test_is_not_put_to_another_use_at_the_bank(question: str, wrong: str) -> None:
    asked = ask(_bank_world(), question)
    assert asked.table is None or wrong not in asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize(
    "question",
    [
        "total milk per month",
        "morning versus evening milk",
        "which field is the largest",
        "how much did we harvest in 2023",
    ],
)
def test_is_not_counted_on_the_farm(question: str) -> None:
    asked = ask(_farm_world(), question)
    assert (
        asked.table is None
        or "count" not in asked.tool["input"]["sqlQuery"]
        and "harvest_id" not in asked.table.column_names
    )


def test_which_rows_are_meant_is_no_second_number() -> None:
    from worlds import flights

    for question in ("average arrival delay of flights that left on time", "average delay when it rains"):
        asked = ask(flights(), question)
        assert asked.table is None or len(asked.table.column_names) == 1 and "WHERE" in asked.tool["input"]["sqlQuery"]


def test_the_week_before_is_a_week() -> None:
    from worlds import flights

    asked = ask(flights(), "flights in the week before christmas")
    assert asked.table is None or asked.rows()[0][0] < 10_000
