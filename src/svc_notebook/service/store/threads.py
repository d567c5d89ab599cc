"""Threads, their turns and messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update

from ...protocol.errors import Conflict
from .prepared import Prepared
from .records import Record
from .schema import messages, threads, turns
from .upsert import upserting

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


# Built once: making a statement costs more than running it.
_THREAD = select(threads).where(threads.c.id == bindparam("id"), threads.c.tenant_id == bindparam("tenant_id"))
_FIND, _FIND_LOCKED = Prepared(_THREAD), Prepared(_THREAD.with_for_update())
_ADD = Prepared(insert(threads))
_LATEST = Prepared(
    select(turns)
    .where(turns.c.thread_id == bindparam("id"), turns.c.number <= bindparam("upto"))
    .order_by(turns.c.number.desc())
    .limit(bindparam("most"))
)
# The largest number that the column can hold: no limit at all.
_NEWEST = 2**31 - 1
_BEGIN = Prepared(insert(turns))
_TOUCH = Prepared(update(threads).where(threads.c.id == bindparam("of")).values(updated_at=bindparam("now")))
_FREE = Prepared(select(func.max(messages.c.sort)).where(messages.c.thread_id == bindparam("id")))
_OF_TURN = (turns.c.thread_id == bindparam("of"), turns.c.number == bindparam("turn"))
_ENDED = (
    "status", "error", "answer", "memory", "results", "suggestions", "usage", "finished_at", "runner", "lease_until",
)  # fmt: skip
_END = Prepared(update(turns).where(*_OF_TURN).values({name: bindparam(name) for name in _ENDED}))
_CLOSE = Prepared(
    update(threads)
    .where(threads.c.id == bindparam("of"))
    .values(next_sort=bindparam("sort"), updated_at=bindparam("now"))
)
_RUNNING = Prepared(
    select(
        turns.c.thread_id, turns.c.number, turns.c.status, turns.c.runner, turns.c.lease_until, turns.c.read_until
    ).where(
        turns.c.thread_id.in_(bindparam("ids", expanding=True)),
        or_(*(turns.c.status == status for status in RUNNING)),
    )
)
_READ = (
    update(turns)
    .where(turns.c.thread_id == bindparam("of"), turns.c.status.in_(RUNNING))
    .values(read_until=bindparam("until"))
)


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
    query = select(threads).where(
        threads.c.user_id == user_id, threads.c.agent == agent, threads.c.deployment == deployment
    )
    if not branches:
        query = query.where(threads.c.branch == "")
    if after is not None:
        moment, thread_id = after
        query = query.where(
            or_(threads.c.updated_at < moment, and_(threads.c.updated_at == moment, threads.c.id < thread_id))
        )
    rows = list(connection.execute(query.order_by(threads.c.updated_at.desc(), threads.c.id.desc()).limit(first + 1)))
    return rows[:first], len(rows) > first


def rename_thread(connection: Connection, thread_id: str, title: str) -> None:
    connection.execute(update(threads).where(threads.c.id == thread_id).values(title=title))


def delete_thread(connection: Connection, thread_id: str) -> None:
    connection.execute(delete(threads).where(threads.c.id == thread_id))


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
    connection.execute(
        update(turns)
        .where(turns.c.thread_id == turn.thread_id, turns.c.number == turn.number)
        .values(status="failed", error=INTERRUPTED, finished_at=now, runner=None, lease_until=None)
    )


def save_messages(connection: Connection, thread_id: str, turn: int, frames: Sequence[tuple[str, int, str]]) -> None:
    """Keep messages (id, sort, JSON) as they are now; repeating is fine."""
    if not frames:
        return
    rows = [
        {"thread_id": thread_id, "turn": turn, "id": key, "sort": sort, "frame": frame} for key, sort, frame in frames
    ]
    upserting(connection, messages, "sort", "frame").run_each(connection, rows)


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
    here = turns.c.thread_id.in_(bindparam("ids", expanding=True))
    marked = update(turns).where(here, turns.c.runner == runner, turns.c.status.in_(RUNNING))
    connection.execute(marked.values(lease_until=lease_until), {"ids": list(thread_ids)})


def running_turns(connection: Connection, thread_ids: Sequence[str]) -> dict[str, Record]:
    """Those of the threads with a turn that is marked as running, with its number, status, runner and lease."""
    return {row.thread_id: row for row in _RUNNING.all(connection, {"ids": list(thread_ids)})}


def request_stop(connection: Connection, thread_id: str) -> None:
    """Ask the service that runs the thread's turn to abort it."""
    connection.execute(
        update(turns).where(turns.c.thread_id == thread_id, turns.c.status == "running").values(status=STOPPING)
    )


def mark_read(connection: Connection, thread_id: str, until: float) -> None:
    """Tell the service that runs the thread's turn that somebody follows it elsewhere."""
    connection.execute(_READ, {"of": thread_id, "until": until})


def thread_turns(connection: Connection, thread_id: str) -> list[Record]:
    return list(connection.execute(select(turns).where(turns.c.thread_id == thread_id).order_by(turns.c.number)))


def thread_messages(connection: Connection, thread_id: str) -> list[dict[str, Any]]:
    """Every kept message of the thread, in order."""
    rows = connection.execute(
        select(messages.c.frame).where(messages.c.thread_id == thread_id).order_by(messages.c.sort)
    ).scalars()
    return [json.loads(row) for row in rows]
