"""Ask the offline analyst a conversation and look at what came of it."""

from __future__ import annotations

import asyncio
import json
import os
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pyarrow as pa
from stored import hold
from worlds import World

from svc_notebook.analyst.base import AnswerDone, Event, PastTurn, ToolFinished, Turn, Working
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer

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


_PAST: WeakKeyDictionary[SemanticLayer, dict[tuple[str, ...], PastTurn]] = WeakKeyDictionary()
"""The turns before the last, by all that was said until then: many conversations of a world begin alike."""


def ask(world: World, *questions: str, ctx: SecurityContext | None = None) -> Asked:
    """The last answer of a conversation, which is what was stored of it."""
    asked = asyncio.run(_asked(world, questions, ctx, _PAST.setdefault(world.layer, {}) if ctx is None else {}))
    if world.name is not None and ctx is None:
        hold(world.name or f"asked/{_asking()}", questions, asked.stored)
    return asked


def _asking() -> str:
    """The file of the test that is running."""
    return Path(os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]).stem


async def _asked(
    world: World, said: tuple[str, ...], ctx: SecurityContext | None, past: dict[tuple[str, ...], PastTurn]
) -> Asked:
    for before in (said[:number] for number in range(1, len(said))):
        if before not in past:
            answer = (await _asked(world, before, ctx, past)).answer
            past[before] = PastTurn(before[-1], answer.text, memory=answer.memory)
    # A memory that a turn has written into would be another one for the next.
    history = tuple(deepcopy(past[said[:number]]) for number in range(1, len(said)))
    toolbox: Toolbox = world.toolbox(ctx)
    turn = Turn(said[-1], history, now=NOW)
    asked = Asked([event async for event in OfflineAnalyst().answer(turn, toolbox, toolbox.cancel)], None)
    uuid = asked.tool.get("result", {}).get("uuid")
    return Asked(asked.events, toolbox.table(uuid) if uuid else None)
