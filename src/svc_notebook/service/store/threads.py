"""Threads, their turns and messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...protocol.errors import Conflict
from .prepared import Prepared
from .records import Record
from .upsert import upserting

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "INTERRUPTED",
    "IN_PROGRESS",
    "RUNNING",
    "STOPPING",
    "Alive",
    "add_thread",
    "begin_turn",
    "delete_thread",
    "find_thread",
    "finish_turn",
    "latest_turns",
    "list_threads",
    "mark_read",
    "rename_thread",
    "renew_leases",
    "request_stop",
    "running_turns",
    "save_messages",
    "thread_messages",
    "thread_turns",
    "touch",
]  # fmt: skip

IN_PROGRESS = "Streaming for thread is in progress"
INTERRUPTED = "The service stopped while this answer was being written."

STOPPING = "stopping"
"""The status of a running turn that another service was asked to abort: its own service finds it there."""
RUNNING = ("running", STOPPING)

Alive = Callable[[str, float], bool]


_FIND, _FIND_LOCKED = Prepared("threads.FIND"), Prepared("threads.FIND_LOCKED")
_ADD, _RENAME, _DELETE = Prepared("threads.ADD"), Prepared("threads.RENAME"), Prepared("threads.DELETE")
_TOUCH, _LATEST, _BEGIN = Prepared("threads.TOUCH"), Prepared("threads.LATEST"), Prepared("threads.BEGIN")
_FREE, _FAIL, _END = Prepared("threads.FREE"), Prepared("threads.FAIL"), Prepared("threads.END")
_CLOSE, _RUNNING, _RENEW = Prepared("threads.CLOSE"), Prepared("threads.RUNNING"), Prepared("threads.RENEW")
_STOP, _READ = Prepared("threads.STOP"), Prepared("threads.READ")
_TURNS, _MESSAGES = Prepared("threads.TURNS"), Prepared("threads.MESSAGES")
# The largest number that the column can hold: no limit at all.
_NEWEST = 2**31 - 1


def add_thread(connection: Connection, **fields: Any) -> None:
    _ADD.run(connection, fields)


def find_thread(connection: Connection, thread_id: str, tenant_id: int, *, lock: bool = False) -> Record | None:
    if "\0" in thread_id:  # no id holds it, and PostgreSQL does not take it for a text
        return None
    return (_FIND_LOCKED if lock else _FIND).first(connection, {"id": thread_id, "tenant_id": tenant_id})


def list_threads(
    connection: Connection,
    user_id: int,
    agent: str,
    deployment: int,
    first: int,
    after: tuple[float, str] | None,
    *,
    branches: bool = True,
) -> tuple[list[Record], bool]:
    """The user's threads, latest first, and whether there are more; without ``branches`` those of what is served."""
    from .statements.threads import page

    rows = list(connection.execute(page(user_id, agent, deployment, first + 1, after, branches=branches)))
    return rows[:first], len(rows) > first


def rename_thread(connection: Connection, thread_id: str, title: str) -> None:
    _RENAME.run(connection, {"of": thread_id, "title": title})


def delete_thread(connection: Connection, thread_id: str) -> None:
    _DELETE.run(connection, {"of": thread_id})


def latest_turns(connection: Connection, thread_id: str, most: int, upto: int = _NEWEST) -> list[Record]:
    """The thread's turns up to that number, at most so many, the latest first."""
    return _LATEST.all(connection, {"id": thread_id, "most": most, "upto": upto})


def begin_turn(
    connection: Connection,
    thread_id: str,
    question: str,
    *,
    last: Record | None,
    free: int,
    runner: str,
    lease_until: float,
    alive: Alive,
    now: float,
    after: int,
) -> tuple[int, int]:
    """Open the next turn of a locked thread, following turn ``after``; returns its number and first free ``sort``.

    Parameters
    ----------
    last
        The thread's newest turn.
    free
        The first free ``sort``, as far as the thread knows: it does not where a service died with the last turn.

    Raises
    ------
    Conflict
        A turn of this thread is still streaming.
    """
    if last is not None and last.status in RUNNING:
        if alive(last.runner or "", last.lease_until or 0.0):
            raise Conflict(IN_PROGRESS)
        _fail(connection, last, now)
        # The dead service kept messages without telling the thread how far their numbers went.
        free = max(free, 1 + (_FREE.scalar(connection, {"id": thread_id}) or 0))
    number = 1 if last is None else last.number + 1
    turn = {
        "thread_id": thread_id, "number": number, "question": question, "status": "running", "started_at": now,
        "runner": runner, "lease_until": lease_until, "after": after,
    }  # fmt: skip
    _BEGIN.run(connection, turn)
    return number, free


def touch(connection: Connection, thread_id: str, now: float) -> None:
    """The thread has changed."""
    _TOUCH.run(connection, {"of": thread_id, "now": now})


def _fail(connection: Connection, turn: Record, now: float) -> None:
    """Mark a turn whose service died as failed."""
    _FAIL.run(connection, {"of": turn.thread_id, "turn": turn.number, "why": INTERRUPTED, "now": now})


def save_messages(connection: Connection, thread_id: str, turn: int, frames: Sequence[tuple[str, int, str]]) -> None:
    """Keep messages (id, sort, JSON) as they are now; repeating is fine."""
    if not frames:
        return
    rows = [
        {"thread_id": thread_id, "turn": turn, "id": key, "sort": sort, "frame": frame} for key, sort, frame in frames
    ]
    upserting(connection, "messages", "sort", "frame").run_each(connection, rows)


def save_messages_of(connection: Connection, turns: Sequence[tuple[str, int, Sequence[tuple[str, int, str]]]]) -> None:
    """:func:`save_messages` of several turns (thread, number, messages)."""
    for thread_id, turn, frames in turns:
        save_messages(connection, thread_id, turn, frames)


def finish_turn(
    connection: Connection,
    thread_id: str,
    number: int,
    frames: Sequence[tuple[str, int, str]],
    *,
    next_sort: int,
    fields: dict[str, Any],
) -> bool:
    """Keep the outcome of a turn; returns false when the thread is gone meanwhile (its user expired)."""
    outcome = {"of": thread_id, "turn": number, "runner": None, "lease_until": None, **fields}
    if not _END.run(connection, outcome):
        return False
    save_messages(connection, thread_id, number, frames)
    _CLOSE.run(connection, {"of": thread_id, "sort": next_sort, "now": fields["finished_at"]})
    return True


def renew_leases(connection: Connection, runner: str, thread_ids: Sequence[str], lease_until: float) -> None:
    """Keep the marks that ``runner`` made on the turns which it runs in these threads."""
    _RENEW.run(connection, {"ids": list(thread_ids), "by": runner, "until": lease_until})


def running_turns(connection: Connection, thread_ids: Sequence[str]) -> dict[str, Record]:
    """Those of the threads with a turn that is marked as running, with its number, status, runner and lease."""
    return {row.thread_id: row for row in _RUNNING.all(connection, {"ids": list(thread_ids)})}


def request_stop(connection: Connection, thread_id: str) -> None:
    """Ask the service that runs the thread's turn to abort it."""
    _STOP.run(connection, {"of": thread_id})


def mark_read(connection: Connection, thread_id: str, until: float) -> None:
    """Tell the service that runs the thread's turn that somebody follows it elsewhere."""
    _READ.run(connection, {"of": thread_id, "until": until})


def thread_turns(connection: Connection, thread_id: str) -> list[Record]:
    return _TURNS.all(connection, {"id": thread_id})


def thread_messages(connection: Connection, thread_id: str) -> list[dict[str, Any]]:
    """Every kept message of the thread, in order."""
    return [json.loads(row) for row in _MESSAGES.scalars(connection, {"id": thread_id})]
