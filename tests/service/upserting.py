"""A process to be killed: creator-mode calls one after the other (or a chat), each acknowledged on standard output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

from svc_notebook.analyst.base import AnswerDelta, ToolFinished, ToolStarted

from .service_world import World, embedded_world

CALLS = 200


def call(w: World, index: int) -> int:
    """The ``index``-th call of a fixed list; some repeat names of others, some change them."""
    user = index % 40
    return w.creator(
        f"user-{user}", f"tenant-{index % 3}", email=f"u{user}@example.com",
        groupDefinitions=[{"name": f"g{index % 7}", "description": f"d{index % 7}"}, {"name": f"h{index}"}],
        userAttributeDefinitions=[{"name": f"a{index}", "type": "string"}, {"name": "level", "type": "number"}],
        groups=[f"g{index % 7}", f"h{index}"],
        userAttributes=[{"name": f"a{index}", "value": f"v{index}"}, {"name": "level", "value": index}],
    ).status_code  # fmt: skip


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def upsert(w: World) -> None:
    for index in range(CALLS):
        assert call(w, index) == 200
        say(str(index))


def chat(w: World) -> None:
    @w.analyst.on("endless")
    async def endless(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield ToolStarted("t", "svcSqlApi", "{}")
        yield ToolFinished("t", "svcSqlApi", "{}", '{"error": "none"}')
        while True:
            yield AnswerDelta("word ")
            await asyncio.sleep(0.001)

    with w.streaming("endless", "ana") as stream:
        say(stream.chat_id)
        stream.until(lambda frame: frame.get("content") == "word ")
        say("answering")
        stream.rest()


if __name__ == "__main__":
    with embedded_world(sys.argv[2]) as running:
        {"upsert": upsert, "chat": chat}[sys.argv[1]](running)
