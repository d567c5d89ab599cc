"""No pure Python holds the loop, or the interpreter, for more than 50 ms: hostile questions, a large model, large results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pandas as pd

import svc_notebook as svc
from svc_notebook.client.engine.portal import engine
from svc_notebook.embedded import EmbeddedClient

from .holds import Holds, watched
from .report import Measurement

BOUND = 0.05
ARROW = {"Accept": "application/vnd.apache.arrow.stream"}
WIDE = "SELECT COUNT(*) FROM orders WHERE " + " OR ".join(f"id = {number}" for number in range(1_500))
QUESTIONS = {
    "a question of 10 kB": "revenue by region and " * 450,
    "a question of numbers and negations": "top 5 " * 200 + "of " + "not " * 300 + "between 1 and 2 " * 100,
    "a question of marks without letters": "".join(chr(0x300 + number % 100) for number in range(5_000)),
    "a question of names": "customer number 7 " * 300,
}
QUERIES = {
    "JSON lines of 100,000 rows": ("sql", {"query": "SELECT * FROM orders LIMIT 100000"}, {}),
    "Arrow of 100,000 rows": ("sql", {"query": "SELECT * FROM orders LIMIT 100000"}, ARROW),
    "10 MB of long cells": ("sql", {"query": "SELECT * FROM big"}, {}),
    "a JSON query of 50,000 rows": (
        "load", {"query": {"dimensions": ["orders.id", "orders.name", "orders.note"], "limit": 50_000}}, {},
    ),
    "a query in 300 brackets": ("sql", {"query": "SELECT " + "(" * 300 + "1" + ")" * 300 + " FROM orders"}, {}),
    "a query of 1,500 conditions": ("sql", {"query": WIDE}, {}),
}  # fmt: skip


def frames(rows: int) -> dict[str, pd.DataFrame]:
    return {
        "orders": pd.DataFrame({
            "id": range(rows), "region": ["EMEA", "APAC"] * (rows // 2), "amount": [n % 97 / 4 for n in range(rows)],
            "name": [f"customer number {n}" for n in range(rows)], "note": ["x" * 60] * rows,
        }),
        "big": pd.DataFrame({"k": range(100), "blob": ["wörd " * 20_000] * 100}),
    }  # fmt: skip


def model(cubes: int) -> dict[str, Any]:
    """Cubes over one table, with words of their own."""
    return {"cubes": [
        {
            "name": f"topic{number}", "sql_table": "orders", "title": f"Topic {number}",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True},
                {"name": f"region{number}", "sql": "region", "type": "string"},
            ],
            "measures": [{"name": "count", "type": "count"}, {"name": f"revenue{number}", "sql": "amount", "type": "sum"}],
            "access_policy": [{"group": "*", "member_level": {"includes": "*"}}],
        }
        for number in range(cubes)
    ]}  # fmt: skip


@contextmanager
def asked(client: EmbeddedClient) -> Iterator[Callable[[str, dict[str, Any], dict[str, str]], httpx.Response]]:
    """The data API of an embedded service."""
    key = client.service.config.tenants[0].api_keys[0].secret()
    headers = {"Authorization": f"Api-Key {key}"}
    with httpx.Client(base_url="http://svc.local", transport=client.transport, headers=headers, timeout=300) as http:
        yield lambda path, body, more: http.post(f"/svc-api/v1/{path}", json=body, headers=more)


def held(work: Callable[[], object]) -> Holds:
    with watched(engine().loop) as found:
        work()
    return found


def over_data(rows: int) -> Iterator[tuple[str, Holds]]:
    with svc.embedded(data=frames(rows)) as client, asked(client) as post:
        client.chat(external_id="ana").ask("orders by region")
        for name, question in QUESTIONS.items():
            yield name, held(lambda words=question: client.chat(external_id="ana").ask(words))
        for name, query in QUERIES.items():
            yield name, held(lambda query=query: post(*query))


def over_cubes(cubes: int) -> Iterator[tuple[str, Holds]]:
    with svc.embedded(model(cubes), data=frames(100)) as client:
        yield f"metadata of {cubes:,} cubes", held(client.meta)
        sql = f"SELECT region{cubes - 1}, MEASURE(revenue{cubes - 1}) FROM topic{cubes - 1} GROUP BY 1"
        yield f"the first query over {cubes:,} cubes", held(lambda: client.query(sql))
        ask = f"revenue{cubes - 1} by region{cubes - 1}"
        yield f"the first question over {cubes:,} cubes", held(lambda: client.chat(external_id="ana").ask(ask))


def run(*, quick: bool = False) -> list[Measurement]:
    found = [*over_data(20_000 if quick else 100_000), *over_cubes(30 if quick else 1_000)]
    return [
        Measurement(
            name, max(holds.loop, holds.lock) * 1e3, "ms", BOUND * 1e3, "the bound", 1,
            note=f"loop {holds.loop * 1e3:.0f}, lock {holds.lock * 1e3:.0f}, collector {holds.collector * 1e3:.0f} ms",
        )
        for name, holds in found
    ]  # fmt: skip
