"""Custom granularities: every moment against a calendar walked step by step in Python."""

# ruff: noqa: DTZ001 - times without a zone are what is asked for

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

OPERATOR = SecurityContext.operator()
#: name → (months, rest) of the interval, as text, and the origin
GRAINS: dict[str, tuple[int, timedelta, str, datetime]] = {
    "half_year": (6, timedelta(), "6 months", datetime(2024, 4, 1)),
    "fiscal_month": (1, timedelta(), "1 month", datetime(2022, 7, 15)),
    "two_months_at_ten": (2, timedelta(), "2 months", datetime(2021, 2, 1, 10)),
    "quarter_from_the_last": (3, timedelta(), "1 quarter", datetime(2020, 1, 28, 23, 59)),
    "mixed": (3, timedelta(days=3, hours=3), "3 months 3 days 3 hours", datetime(2022, 3, 15)),
    "ten_days": (0, timedelta(days=10), "10 days", datetime(2022, 1, 5, 6)),
}
DRAW = random.Random(20241118)
EDGES = [datetime(2024, 4, 1), datetime(2024, 3, 31, 23, 59, 59), datetime(2022, 7, 15), datetime(2022, 7, 14, 23)]
MOMENTS = EDGES + [datetime(2016, 1, 1) + timedelta(minutes=DRAW.randrange(60 * 24 * 4000)) for _ in range(400)]


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    grains = [{"name": n, "interval": i, "origin": o.isoformat(" ")} for n, (_, _, i, o) in GRAINS.items()]
    at: dict[str, Any] = {"name": "at", "sql": "at", "type": "time", "granularities": grains}
    cube = {"name": "x", "sql_table": "x", "dimensions": [at], "measures": [{"name": "n", "type": "count"}]}
    table = pa.table({"at": pa.array(MOMENTS, pa.timestamp("us"))})
    opened = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"x": table}))
    yield opened
    opened.close()


@pytest.mark.parametrize("name", GRAINS)
def test_a_moment_lies_in_its_period(layer: SemanticLayer, name: str) -> None:
    months, rest, _, origin = GRAINS[name]
    table = layer.query(OPERATOR, f"SELECT at, date_trunc('{name}', at) FROM x").table
    for moment, start in zip(*[column.to_pylist() for column in table.columns], strict=True):
        assert start == _period(moment, origin, months, rest), moment


def _period(moment: datetime, origin: datetime, months: int, rest: timedelta) -> datetime:
    """The last step from the origin, forwards or backwards, that is not after the moment."""
    step = 0
    while _after(origin, step + 1, months, rest) <= moment:
        step += 1
    while _after(origin, step, months, rest) > moment:
        step -= 1
    return _after(origin, step, months, rest)


def _after(origin: datetime, steps: int, months: int, rest: timedelta) -> datetime:
    year, month = divmod(origin.year * 12 + origin.month - 1 + steps * months, 12)
    return origin.replace(year=year, month=month + 1) + rest * steps
