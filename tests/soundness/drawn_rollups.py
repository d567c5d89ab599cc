"""Random rollups for generated models: some dimensions and keys, a time by some period, some of the measures."""

from __future__ import annotations

import random
from typing import Any

from .questions import GRAINS
from .stars import Star

_MEASURES = (
    "count", "sum_n", "sum_d", "avg_d", "min_n", "max_d", "true_count", "late_sum", "filled_sum", "true_share", "total",
    "near_count", "near_sum", "near_product", "cross", "words", "written", "mixed",
)  # fmt: skip


def draw_rollups(star: Star, model: dict[str, Any], rng: random.Random) -> None:
    """Give the cubes of ``model`` rollups; what one cannot hold is declared as well."""
    for table, cube in zip(star.tables, model["cubes"], strict=True):
        if table.extends is not None or rng.random() < 0.15:
            continue
        names = [measure["name"] for measure in cube["measures"] if measure["name"] in _MEASURES]
        plain = [column for column, kind in table.columns.items() if kind != "time"]
        wanted = ["s", *(column for column in plain if column.startswith("fk_") or column in table.keys)]
        cube["pre_aggregations"] = []
        for number in range(rng.choice([1, 1, 2, 3])):
            dimensions = {column for column in plain if rng.random() < (0.8 if column in wanted else 0.4)}
            rollup: dict[str, Any] = {
                "name": f"r{number}",
                "measures": [name for name in names if rng.random() < 0.8],
                "dimensions": sorted(dimensions),
            }
            if rng.random() < 0.7:
                rollup |= {"time_dimension": "t", "granularity": rng.choice(GRAINS)}
            cube["pre_aggregations"].append(rollup)
