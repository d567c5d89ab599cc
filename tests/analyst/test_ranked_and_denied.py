"""Shares that are ranked by, numbers divided by numbers, somebody, the last, and groups without any such row."""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from asking import ask
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

ORCHARDS = ["Hillside", "Riverbank", "Old Wood", "Southfield", "Greystones"]


@cache
def _pickings() -> pd.DataFrame:
    """What was picked in an orchard: by whom, what became of it, how many kilos in how many crates."""
    dice, count = np.random.default_rng(11), 600
    orchard = dice.choice(ORCHARDS, count)
    bruised = np.where(orchard == "Greystones", 0, dice.choice([0, 0, 0, 2, 5], count))
    days = dice.integers(0, 640, count)
    days = np.where((orchard == "Old Wood") & (days >= 366), days - 366, days)
    return pd.DataFrame({
        "batch": [f"B{n:04d}" for n in range(count)], "picked_on": pd.Timestamp("2023-01-01") + pd.to_timedelta(days, unit="D"),
        "orchard": orchard, "picker": dice.choice(["Ada Lund", "Bo Strand", "Cy Moe", "Di Vik"], count),
        "weather": dice.choice(["sunny", "cloudy", "rainy"], count), "use": dice.choice(["juice", "market", "cider"], count, p=[0.5, 0.3, 0.2]),
        "kilos": dice.integers(20, 400, count), "crates": dice.integers(1, 20, count), "bruised_count": bruised,
    })  # fmt: skip


@cache
def _incidents() -> pd.DataFrame:
    """What happened in mines: how many workers it injured, how many deaths there were."""
    dice, count = np.random.default_rng(2), 500
    return pd.DataFrame({
        "incident_id": range(count), "happened_at": pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 700, count), unit="D"),
        "site": dice.choice(["North Pit", "South Pit", "Mill"], count), "shift": dice.choice(["day", "night"], count),
        "workers_injured": dice.choice([0, 0, 0, 1, 2], count), "number_of_deaths": dice.choice([0] * 30 + [1], count),
    })  # fmt: skip


@cache
def _mines() -> World:
    return _opened({"incidents": _incidents()})


@cache
def _world() -> World:
    return _opened({"pickings": _pickings()})


def _opened(tables: Tables) -> World:
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


def _plain(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        connection.register("pickings", _pickings())
        connection.register("incidents", _incidents())
        return connection.execute(sql).fetchall()


def _tidy(rows: list[tuple[Any, ...]]) -> list[str]:
    return sorted(
        repr(tuple(round(float(v), 6) if isinstance(v, (int, float)) else str(v) for v in row)) for row in rows
    )


SHARES = "SELECT orchard, avg((use = 'cider')::INT) FROM pickings GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
UNBRUISED = "SELECT orchard, sum(bruised_count) FROM pickings GROUP BY 1 HAVING sum(bruised_count) = 0"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("orchard with the highest % in cider", SHARES),
        ("which orchard has the largest proportion of pickings for cider", SHARES),
        ("for which orchard is the proportion of pickings for cider the greatest?", SHARES),
        ("kilos per crate by orchard", "SELECT orchard, sum(kilos) * 1.0 / sum(crates) FROM pickings GROUP BY 1"),
        ("orchards with no bruised", UNBRUISED),
        ("which orchards had zero bruised", UNBRUISED),
        (
            "which orchards had no pickings in 2024",
            "SELECT orchard FROM pickings GROUP BY 1 HAVING count(*) FILTER (WHERE year(picked_on) = 2024) = 0",
        ),
        (
            "in which months were there no pickings by Bo Strand in Hillside",
            "SELECT date_trunc('month', picked_on) FROM pickings GROUP BY 1 HAVING count(*) FILTER (WHERE picker = 'Bo Strand' AND orchard = 'Hillside') = 0",
        ),
        ("who picked the most kilos", "SELECT picker, sum(kilos) FROM pickings GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
    ],
)
def test_is_what_plain_sql_says(question: str, sql: str) -> None:
    assert _tidy(ask(_world(), question).rows()) == _tidy(_plain(sql))


def test_a_ratio_is_called_by_both_numbers() -> None:
    assert "kilos per total crates" in ask(_world(), "kilos per crate by orchard").answer.text


@pytest.mark.parametrize("question", ["who had the most pickings in the rain", "who had the most pickings"])
def test_nobody_is_a_kind_of_weather(question: str) -> None:
    told = ask(_world(), question).answer.text
    assert "sunny" not in told and "cloudy" not in told


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "how many people died last year",
            "SELECT sum(number_of_deaths) FROM incidents WHERE year(happened_at) = 2023",
        ),
        ("how many workers were injured by site", "SELECT site, sum(workers_injured) FROM incidents GROUP BY 1"),
        ("incidents in which somebody died", "SELECT count(*) FROM incidents WHERE number_of_deaths > 0"),
        ("fatal incidents by shift", "SELECT shift, count(*) FROM incidents WHERE number_of_deaths > 0 GROUP BY 1"),
        (
            "sites with no deaths",
            "SELECT site, sum(number_of_deaths) FROM incidents GROUP BY 1 HAVING sum(number_of_deaths) = 0",
        ),
    ],
)
def test_what_happened_to_so_many_is_what_is_counted_of_them(question: str, sql: str) -> None:
    assert _tidy(ask(_mines(), question).rows()) == _tidy(_plain(sql))
