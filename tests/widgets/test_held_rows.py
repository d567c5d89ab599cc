"""A chat's widget holds the rows of the tables that were looked at last, and fetches others again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone, Event, ToolFinished, ToolStarted
from svc_notebook.front.held_rows import HeldRows
from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, dump

from .test_conversation import Browser

COUNT = 3_000


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


@pytest.fixture
def client() -> Iterator[Any]:
    rows = pa.table({"id": range(COUNT), "kind": [f"kind {n % 7}" for n in range(COUNT)]})
    with svc.embedded({"orders": rows}, analyst=Lists()) as started:
        yield started


def asked(browser: Browser, sql: str) -> str:
    """Ask for rows; the id of their result."""
    known = len(browser.of("turn"))
    browser.conversation.handle({"t": "ask", "q": sql})
    browser.wait(lambda: len(browser.of("turn")) > known)
    (result,) = browser.of("turn")[-1]["turn"]["results"]
    assert result["table"]["far"] >= COUNT - 10 and len(result["table"]["rows"]) == 100
    return str(result["evidence"]["uuid"])


def looked(browser: Browser, result: str, **look: Any) -> dict[str, Any]:
    known = len(browser.of("rows"))
    browser.conversation.handle({"t": "rows", "id": known + 1, "result": result, **look})
    browser.wait(lambda: len(browser.of("rows")) > known)
    return browser.of("rows")[-1]


def test_rows_that_are_let_go_are_fetched_again(client: Any) -> None:
    browser = Browser(client.chat())
    browser.conversation.past.rows = held = HeldRows(room=1)
    results = [asked(browser, f"SELECT id, kind FROM orders WHERE id >= {n} ORDER BY id") for n in range(3)]
    assert held.nbytes == 0, "nobody has looked yet"
    first = weakref.ref(held.pages(results[0]))
    for _ in range(2):
        for n, result in enumerate(results):
            page = looked(browser, result, page=2)
            assert page["rows"][0][0] == str(50 + n) and page["all"] == COUNT - n and page["for"]
    gc.collect()
    assert first() is None and 0 < held.nbytes < 2 * pa.array(range(COUNT)).nbytes + 200_000


def test_as_many_rows_stay_as_there_is_room_for(client: Any) -> None:
    held = HeldRows()
    results = [client.chat().ask(f"SELECT id, kind FROM orders WHERE id >= {n}").result for n in range(2)]
    for result in results:
        held.add(result)
    first = held.pages(results[0].uuid)
    assert held.pages(results[1].uuid) is not first and held.pages(results[0].uuid) is first
    assert len(results[0]) == 100, "the result itself is as small as it came"


def test_rows_that_cannot_be_had_are_told_in_the_table(client: Any) -> None:
    browser = Browser(client.chat())
    result = asked(browser, "SELECT id, kind FROM orders")
    assert looked(browser, "unknown", page=1)["gone"].endswith("ask again.")
    client.service.stop()
    told = looked(browser, result, page=1)
    assert told["gone"].startswith("The rows of this table cannot be fetched any more:") and "rows" not in told
    client.restart()
    assert len(looked(browser, result, page=1)["rows"]) == 25
