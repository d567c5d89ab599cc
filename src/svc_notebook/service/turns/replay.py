"""A thread read again: what is kept of it, then, while a turn runs, what comes of it.

A turn of this service is followed frame by frame. One that another service runs over the same store is followed by
what that one keeps, a message at a time.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...protocol.chat import SessionSettings
from ...protocol.errors import NotFound, ServiceError
from ...protocol.ndjson import encode_line
from ..callers.auth import Caller
from ..callers.identity import existing_asker
from ..store import threads as store
from ..store.records import Record
from ..store.turn_tree import followed
from .bell import rung_within
from .frames import OUTCOME, branching, cutoff_frame, error_frame, state_frame, usage_frame
from .threads import NO_THREAD, Room, named_user, own_thread
from .turns import RunningTurn

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..runtime import Service

__all__ = ["replay"]

_INTERVAL = 0.25
"""Seconds between two looks at a turn that another service runs."""
_RARELY = 1.0
"""The same where it is told when there is something new."""
_MARK = 5.0
_HOLDS = 15.0
"""Seconds that a reader here counts as one for the service that runs the turn, and after which it is told again."""


class _Kept(Struct, frozen=True):
    """A thread as it is kept, each turn with the status that is true now."""

    user: str
    turns: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    suggestions: list[str]
    usage: dict[str, Any]
    ended: dict[str, Any]

    @property
    def running(self) -> bool:
        return bool(self.turns) and self.turns[-1]["status"] == "running"

    def marked(self) -> list[dict[str, Any]]:
        """The messages; a question says how its turn ended."""
        turns = {turn["number"]: turn for turn in self.turns}
        for message in self.messages:
            number = (message.get("state") or {}).get("turn")
            if message.get("role") == "user" and number in turns:
                told = {name: value for name, value in turns[number].items() if name != "number"}
                message["state"] = {"turn": number, **told}
        return self.messages


async def replay(
    service: Service, caller: Caller, settings: SessionSettings | None, *, chat_id: str, room: Room
) -> AsyncGenerator[bytes, None]:
    """The lines of a replay.

    Raises
    ------
    NotFound
        No such thread, or somebody else's.
    """

    async def read() -> _Kept:
        work = partial(_load, alive=service.turns.alive_in(chat_id))
        return await service.read(work, caller, settings, chat_id=chat_id, room=room, now=service.now())

    turn = service.turns.get(chat_id)  # before reading: a turn that ends meanwhile is then seen in both places
    kept = await read()
    return _followed(chat_id, kept, turn) if turn is not None else _read_on(service, chat_id, kept, read)


async def _followed(chat_id: str, kept: _Kept, turn: RunningTurn) -> AsyncGenerator[bytes, None]:
    yield encode_line(cutoff_frame(chat_id, True, kept.user))
    # What the store has of the running turn may be older than what the turn tells itself.
    live = set(turn.frames.messages)
    earlier = [message for message in kept.marked() if message["id"] not in live]
    if earlier:
        yield b"".join(map(encode_line, earlier))
    async for lines in turn.follow(late=True):
        yield lines


async def _read_on(service: Service, chat_id: str, kept: _Kept, read: Any) -> AsyncGenerator[bytes, None]:
    yield encode_line(cutoff_frame(chat_id, kept.running, kept.user))
    told: dict[str, dict[str, Any]] = {}
    marked = -_MARK
    with service.bell.listening(chat_id) as rung:
        while True:
            news = [message for message in kept.marked() if told.get(message["id"]) != message]
            if news:
                told |= {message["id"]: message for message in news}
                yield b"".join(map(encode_line, news))
            if not kept.running:
                break
            if time.monotonic() - marked >= _MARK:
                marked = time.monotonic()
                await _tell_of_reader(service, chat_id)
            try:
                await rung_within(rung, _RARELY if service.bell.hears else _INTERVAL)
                kept = await read()
            except ServiceError as error:
                yield encode_line(error_frame(error.message)) + encode_line(usage_frame({}))
                return
    sort = max((int(message["sort"]) for message in kept.messages), default=0) + 1
    yield encode_line(state_frame(chat_id, sort, kept.suggestions, kept.turns, kept.ended))
    yield encode_line(usage_frame(kept.usage))


async def _tell_of_reader(service: Service, chat_id: str) -> None:
    """Have the service that runs the turn know that somebody reads it."""
    with suppress(ServiceError):  # a store that takes no writes can be read all the same
        await service.note(store.mark_read, chat_id, service.now() + _HOLDS)
        service.bell.ring(chat_id)


def _load(
    connection: Connection,
    caller: Caller,
    settings: SessionSettings | None,
    *,
    chat_id: str,
    room: Room,
    now: float,
    alive: store.Alive,
) -> _Kept:
    """Reads only: works when the store takes no more writes, and creates nobody."""
    asker = existing_asker(connection, caller, *named_user(settings), now=now)
    if asker is None:
        raise NotFound(NO_THREAD)
    own_thread(connection, caller, asker, chat_id, room=room)
    rows = store.thread_turns(connection, chat_id)
    last = rows[-1] if rows else None
    return _Kept(
        asker.label,
        [_summary(row, alive) for row in rows],
        store.thread_messages(connection, chat_id),
        json.loads(last.suggestions) if last is not None and last.suggestions else [],
        json.loads(last.usage) if last is not None and last.usage else {},
        json.loads(last.memory) if last is not None and last.memory else {},
    )


def _summary(row: Record, alive: store.Alive) -> dict[str, Any]:
    status, error = row.status, row.error
    if status in store.RUNNING:
        running = alive(row.runner or "", row.lease_until or 0.0)
        status, error = ("running", None) if running else ("failed", store.INTERRUPTED)
    feedback = {"feedback": {"verdict": row.verdict, "why": row.verdict_why or ""}} if row.verdict else {}
    told = {"number": row.number, "status": status} | ({"error": error} if error else {})
    # Looked for in the text first: most turns have none, and a long thread would parse each one's memory for it.
    if row.memory and '"outcome"' in row.memory:
        ended = json.loads(row.memory)
        told |= {name: str(ended[name]) for name in OUTCOME if ended.get(name)}
    if row.usage and '"llmCalls"' in row.usage:
        told["usage"] = json.loads(row.usage)
    return told | branching(row.number, followed(row)) | feedback
