"""An analyst of the tests' own: speaks slowly, or runs a query that would take minutes, and notices when it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from svc_notebook.analyst.base import AnswerDelta, AnswerDone, Event, Thinking, ToolStarted, Turn
from svc_notebook.cancellation import CancellationToken

PIECES = {"short": 3, "medium": 60, "long": 3_000}
HEAVY = """SELECT COUNT(*) AS n FROM (SELECT a.carrier AS c FROM flights a CROSS JOIN flights b CROSS JOIN flights d
WHERE a.distance + b.distance + d.distance > 7000) AS x"""


class SlowAnalyst:
    """Emits twenty pieces a second; ``query`` starts a query first."""

    name = "slow"

    def __init__(self) -> None:
        self.running = 0
        self.cancelled = 0

    async def answer(self, turn: Turn, toolbox: Any, cancel: CancellationToken) -> AsyncIterator[Event]:
        self.running += 1
        try:
            yield Thinking("Taking my time.")
            if turn.question == "query":
                from svc_notebook.protocol.tools import SqlInput, dump

                given = SqlInput(sql_query=HEAVY, query_title="A heavy query")
                yield ToolStarted("c1", "svcSqlApi", dump(given))
                await toolbox.sql_api(given)
            text = ""
            for number in range(PIECES.get(turn.question, 3)):
                await asyncio.sleep(0.05)
                cancel.raise_if_cancelled()
                piece = f"piece {number} of the answer, "
                text += piece
                yield AnswerDelta(piece)
            yield AnswerDone(text)
        except BaseException:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return ["short"]
