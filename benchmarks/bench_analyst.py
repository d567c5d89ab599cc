"""The offline analyst: from question to final frame on the demo, and reading against a large model.

The floor of an answer is its own query, run again through the semantic layer; the floor of a large model's reading is one
pass over the names that it must not walk through.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from svc_notebook.analyst.base import ToolFinished, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.offline.schema.profiles import Profile
from svc_notebook.analyst.offline.schema.values import ValueIndex
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.catalog import Catalog, Member, Relation
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .report import Measurement

NOW = datetime(2024, 11, 20, tzinfo=UTC)
QUESTIONS = (
    "how many flights were there",
    "average arrival delay by airline",
    "flights per month by origin",
    "share of cancelled flights by month",
    "top 10 destinations by number of flights",
    "which airline has the worst departure delay in December?",
    "busiest airport",
    "is the average delay at EWR higher than at LGA?",
    "flights from JFK or LGA but not with Delta",
    "heat map of flights by weekday and hour",
)
_NOUNS = "order customer product invoice payment shipment region store supplier ticket".split()
_WORDS = (
    "red blue green north south fast slow big small old new open closed high low first last inner outer main".split()
)
_LARGE = (
    "number of order 3 by red north of customer 7",
    "average amount red 5 by blue south 12",
    "how many order 9 with value 77 x5 in 2023",
    "busiest customer 3",
    "qwerty by zxcvb",
)


def large() -> Metadata:
    """A model of 2,000 members with 100,000 values."""
    relations, index = {}, ValueIndex()
    for number in range(100):
        name = f"{_NOUNS[number % 10]}_{number}"
        members = {}
        for place in range(20):
            short = f"{_WORDS[place]}_{_WORDS[(place * 7 + number) % 20]}_{number % 13}"
            kind = "string" if place < 10 else "number" if place < 19 else "time"
            members[short] = Member(name, short, "dimension", kind, short.replace("_", " ").title())
        relations[name] = Relation(name, "view", name.replace("_", " ").title(), members)
        for member in list(members.values())[:10]:
            index.add(member.path, [f"value {n} x{number}" for n in range(100)], complete=True)
    return Metadata(Catalog(relations, "large"), index, lambda member: Profile(1000, 500, 0, 0, 1000))


async def _answered(layer: SemanticLayer, question: str) -> tuple[float, str]:
    toolbox, sql = Toolbox(layer, SecurityContext.operator()), ""
    started = time.perf_counter()
    async for event in OfflineAnalyst().answer(Turn(question, (), now=NOW), toolbox, toolbox.cancel):
        if isinstance(event, ToolFinished) and event.name == "svcSqlApi":
            sql = event.input
    return (time.perf_counter() - started) * 1e3, sql


def _seconds(work: Callable[[], Any], rounds: int) -> float:
    spent = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        spent.append((time.perf_counter() - started) * 1e3)
    return statistics.median(spent)


def run(*, quick: bool = False) -> list[Measurement]:
    import json

    rounds = 2 if quick else 5
    layer = SemanticLayer(load_model(model_folder()), DuckDBEngine.open(None, data=data_files()))
    ctx = SecurityContext.operator()
    layer.catalog(ctx)
    first = _seconds(lambda: load_metadata(Toolbox(layer, ctx)), 1)
    shared = _seconds(lambda: load_metadata(Toolbox(layer, SecurityContext.operator())), 1)
    answers, queries = [], []
    for _ in range(rounds):
        for question in QUESTIONS:
            spent, request = asyncio.run(_answered(layer, question))
            answers.append(spent)
            sql = json.loads(request)["sqlQuery"]
            queries.append(_seconds(lambda sql=sql: layer.query(ctx, sql), 1))
    layer.close()
    metadata, now = large(), NOW.replace(tzinfo=None)
    read("warm up", metadata, now)
    readings = [_seconds(lambda q=q: read(q, metadata, now), rounds) for q in _LARGE]
    names = _seconds(lambda: [m.title.lower().split() for m in metadata.members.values()], rounds)
    answer, query = statistics.median(answers), statistics.median(queries)
    return [
        Measurement("question to final frame, demo (median)", answer, "ms", query, "its query alone", note="under 100 ms"),
        Measurement("first question of a context: the value index", first, "ms", shared, "the index kept"),
        Measurement("reading, 2,000 members and 100,000 values", statistics.median(readings), "ms", names,
                    "one pass over the names", note="under 500 ms"),
    ]  # fmt: skip
