"""Plain questions over one table of one's own, as ``init`` makes a model of it: what a row is called, and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

import pytest
from scaffolded import scaffolded

from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reading.reading import Reading, read
from svc_notebook.analyst.offline.schema.metadata import Metadata

AREAS = ["Old Town", "Harbour", "West End", "Airport", "Hill"]


@cache
def deliveries() -> Metadata:
    rows = [
        {
            "picked_up": datetime.fromisoformat("2022-03-01") + timedelta(hours=5 * n),
            "couriers": 1 + n % 3, "km": round(0.5 + n * 7 % 113 / 10, 1), "price": round(3 + n * 13 % 200 / 10, 2),
            "tip": [0.0, 0.0, 1.0, 2.5][n % 4], "vehicle": ["van", "bike"][n % 2], "paid_by": ["card", "cash", "voucher"][n % 3],
            "from_area": AREAS[n % 5], "to_area": AREAS[n // 3 % 5], "damage": ["none", "none", "scratched", "lost"][n // 2 % 4],
        }
        for n in range(400)
    ]  # fmt: skip
    return scaffolded("deliveries", rows)


def reading(question: str) -> Reading:
    return read(question, deliveries(), datetime.fromisoformat("2022-06-15"), (), 2022)


ANSWERED = {
    "how many trips were there": 'MEASURE("count")',
    "trips by vehicle": "GROUP BY",
    "how many rides paid by cash": "\"paid_by\" = 'cash'",
    "how many trips from harbour to airport": "\"from_area\" = 'Harbour' AND \"to_area\" = 'Airport'",
    "how many trips were longer than 10 km": '"km" > 10',
    "average price per trip": '"avg_price"',
    "trips without a tip": '"tip" = 0',
    "which area has the highest average tip": '"from_area"',
    "how many different areas are there": "COUNT(DISTINCT",
    "what percentage of trips have a tip": '"tip" > 0',
}

REFUSED = {
    "which vehicle is more popular": "more",
    "what share of deliveries were damaged": "what share of",
    "how did the number of trips change from march to april": "change",
    "median trips": "median",
    "how many pilots were there": "pilots",
    "trips of Foobar": "Foobar",
    "how many trips were repainted": "repainted",
    "why are tips so low": "why",
}


@pytest.mark.parametrize(("question", "part"), ANSWERED.items())
def test_a_row_has_many_names(question: str, part: str) -> None:
    plan = reading(question).plan
    assert plan is not None and plan.confidence >= 0.4
    assert part in write_sql(plan, deliveries()).sql


@pytest.mark.parametrize(("question", "word"), REFUSED.items())
def test_what_would_be_left_out_is_refused_by_name(question: str, word: str) -> None:
    found = reading(question)
    assert found.plan is None or found.plan.confidence < 0.4
    assert word in (*found.lost, *found.missed, *found.unread)
