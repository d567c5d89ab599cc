"""Ask the offline analyst a conversation and look at what came of it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from stored import hold
from worlds import World

from svc_notebook.analyst.base import AnswerDone, Event, PastTurn, ToolFinished, Turn, Working
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext

NOW = datetime(2024, 11, 20, tzinfo=UTC)


@dataclass(frozen=True)
class Asked:
    events: list[Event]
    table: pa.Table | None

    @property
    def answer(self) -> AnswerDone:
        done = [event for event in self.events if isinstance(event, AnswerDone)]
        assert len(done) == 1 and self.events[-1] is done[0]
        return done[0]

    @property
    def working(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Working))

    @property
    def tool(self) -> dict[str, Any]:
        calls = [event for event in self.events if isinstance(event, ToolFinished) and event.name == "svcSqlApi"]
        return {"input": json.loads(calls[-1].input), "result": json.loads(calls[-1].result)} if calls else {}

    @property
    def spec(self) -> dict[str, Any] | None:
        text = self.tool["input"].get("vegaSpec")
        return json.loads(text) if text else None

    @property
    def stored(self) -> str:
        """What is seen of it, in lines: the query, how it is drawn, what is said."""
        mark = (self.spec or {}).get("mark", "") if self.tool else ""
        drawn = mark["type"] if isinstance(mark, dict) else mark
        query = self.tool["input"]["sqlQuery"] if self.tool else ""
        return "\n".join(filter(None, (query, drawn, *self.answer.text.split("\n"))))

    def rows(self) -> list[tuple[Any, ...]]:
        assert self.table is not None
        return list(zip(*(column.to_pylist() for column in self.table.columns), strict=True))


def ask(world: World, *questions: str, ctx: SecurityContext | None = None) -> Asked:
    """The last answer of a conversation; in a world that has a name it is what was stored of it."""

    async def converse() -> Asked:
        history: list[PastTurn] = []
        asked = Asked([], None)
        for question in questions:
            toolbox: Toolbox = world.toolbox(ctx)
            turn = Turn(question, tuple(history), now=NOW)
            events = [event async for event in OfflineAnalyst().answer(turn, toolbox, toolbox.cancel)]
            asked = Asked(events, None)
            uuid = asked.tool.get("result", {}).get("uuid")
            asked = Asked(events, toolbox.table(uuid) if uuid else None)
            history.append(PastTurn(question, asked.answer.text, memory=asked.answer.memory))
        return asked

    asked = asyncio.run(converse())
    if world.name and ctx is None:
        hold(world.name, questions, asked.stored)
    return asked
