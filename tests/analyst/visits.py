"""Seeded visits to a clinic, and what an analysis of them gave: its results and its numbers as they are written."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from asking import Asked
from worlds import World

from svc_notebook.analyst.base import ToolFinished
from svc_notebook.analyst.offline.telling import figure as written
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

__all__ = ["SEEDS", "Case", "case", "close", "figure", "figures", "results"]

MODEL = """
cubes:
  - name: visits
    sql_table: visits
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: seen, sql: seen, type: time}
      - {name: ward, sql: ward, type: string}
      - {name: channel, sql: channel, type: string}
      - {name: patient, sql: patient, type: string}
      - {name: cost, sql: cost, type: number}
      - {name: stay, sql: stay, type: number}
    measures:
      - {name: count, type: count}
      - {name: total_cost, sql: cost, type: sum}
      - {name: average_stay, sql: stay, type: avg}
"""


@dataclass(frozen=True)
class Case:
    rows: pd.DataFrame
    world: World

    def year(self, year: int) -> pd.DataFrame:
        return self.rows[self.rows.seen.dt.year == year]


@lru_cache(4)
def case(seed: int) -> Case:
    """Two and a half years of visits; costs and stays lie askew, some are missing, wards grow at different paces."""
    random = np.random.default_rng(seed)
    count = int(random.integers(800, 2500))
    wards = np.array(["Surgery", "Eyes", "Heart", "Children", "Skin"])[: int(random.integers(2, 6))]
    seen = pd.Timestamp("2021-01-01") + pd.to_timedelta(random.integers(0, 900, count), unit="D")
    ward = random.choice(wards, count, p=random.dirichlet(np.full(len(wards), 3.0)))
    cost = np.round(random.lognormal(3, random.uniform(0.3, 1.2), count), 2)
    stay = np.round(
        random.gamma(2, 3, count) + (ward == wards[0]) * 4 * (seen.year == 2022) + cost * random.uniform(-0.05, 0.1), 1
    )
    cost[random.random(count) < 0.04] = np.nan
    rows = pd.DataFrame({
        "id": range(count), "seen": seen, "ward": ward, "channel": random.choice(["web", "phone", "desk"], count),
        "cost": cost, "stay": stay,
    })  # fmt: skip
    rows.loc[random.random(count) < 0.02, "ward"] = None
    rows["patient"] = [f"P{number:04d}" for number in random.integers(0, count // 4, count)]
    engine = DuckDBEngine.open(None, data={"visits": rows})
    # What is drawn goes by the version of NumPy, and so does what is said of it.
    return Case(rows, World(SemanticLayer(load_model(yaml.safe_load(MODEL)), engine), None))


SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 204))]


def results(asked: Asked) -> list[dict[str, Any]]:
    calls = [e for e in asked.events if isinstance(e, ToolFinished) and e.name == "svcSqlApi"]
    return [json.loads(call.result) for call in reversed(calls)]  # the one that was asked for is told last


def close(one: Any, other: float) -> bool:
    return math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-9)


def figure(value: float) -> str:
    """A number as an answer writes it."""
    return written(float(value))


def figures(value: float, plus: str = "") -> set[str]:
    """A number as it may be written: a half goes either way."""
    return {f"{plus * bool(value > 0)}{figure(value * near)}" for near in (1 - 1e-12, 1 + 1e-12)}
