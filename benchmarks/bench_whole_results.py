"""What it costs to ask and then load all rows, beside the same rows as Arrow straight from the engine."""

from __future__ import annotations

import gc
import statistics
import time
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pyarrow as pa

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone, Event, ToolFinished, ToolStarted
from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, dump
from svc_notebook.results.frames import to_frame
from svc_notebook.results.rows import rows_of_table
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine

from .report import Measurement

SQL = "SELECT id, city, amount, at FROM orders"
ROUNDS = 7


class Lists:
    """Answers with the statement that the question is."""

    name = "lists"

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        request = SqlInput(sql_query=turn.question)
        yield ToolStarted("call", SQL_TOOL, dump(request))
        yield ToolFinished("call", SQL_TOOL, dump(request), dump(await toolbox.sql_api(request)))
        yield AnswerDone("Here they are.")

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


def table(rows: int) -> pa.Table:
    """Whole numbers, texts, fractions and times."""
    numbers = pa.array(range(rows), pa.int64())
    return pa.table(
        {
            "id": numbers,
            "city": pa.array([f"city {number % 500}" for number in range(rows)]),
            "amount": numbers.cast(pa.float64()),
            "at": pa.array(range(rows), pa.timestamp("us")),
        }
    )


def run(quick: bool = False) -> list[Measurement]:
    return [each for rows in (100_000, 1_000_000) for each in measured(rows, 3 if quick else ROUNDS)]


def measured(rows: int, rounds: int) -> list[Measurement]:
    """Both ways in turns, by processor time; a question of one row is what a turn costs without its rows."""
    with svc.embedded({"orders": table(rows)}, analyst=Lists(), config={"reload_interval": 0}) as client:
        layer, chat = client.service.layer, client.chat()
        plan = layer.compile(SecurityContext.operator(), SQL)
        asked, one, raw, queries = [], [], [], []
        gc.collect()
        gc.freeze()  # or each search for garbage would go through all that was imported, and leave nothing in the caches
        for number in range(rounds):
            with counted() as ran:
                asked.append(cpu(partial(whole, chat, f"{SQL} WHERE id >= {-number}", rows)))
            queries.append(len(ran))
            one.append(cpu(partial(whole, chat, f"{SQL} WHERE id = {number}", 1)))
            raw.append(cpu(lambda: to_frame(rows_of_table(layer.engine.execute(plan.sql, plan.params, max_rows=rows)))))
        gc.unfreeze()
    spent, bare, turn = (statistics.median(each) * 1000 for each in (asked, raw, one))
    name = f"{rows:,} rows, ask → load_all, processor time"
    floor = "the same rows as Arrow from the engine, as a DataFrame"
    return [
        Measurement(name, spent, "ms", bare, floor, limit=1.5 if rows >= 1_000_000 else None),
        Measurement(f"{name} beyond that of a turn over one row", spent - turn, "ms", bare, floor, limit=1.5),
        Measurement(f"{rows:,} rows, ask → load_all, queries", max(queries), "", 1, "one", limit=1),
    ]


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that engines run meanwhile."""
    ran: list[str] = []
    run_one = DuckDBEngine._run

    def noted(engine: Any, sql: str, *others: Any) -> Any:
        ran.append(sql)
        return run_one(engine, sql, *others)

    DuckDBEngine._run = noted  # type: ignore[method-assign]
    try:
        yield ran
    finally:
        DuckDBEngine._run = run_one  # type: ignore[method-assign]


def whole(chat: Any, sql: str, rows: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(chat.ask(sql).result.load_all()) == rows


def cpu(work: Callable[[], object]) -> float:
    """Seconds of this process's processor time, over all its threads."""
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began
