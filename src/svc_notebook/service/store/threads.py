"""Threads, their turns and messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, or_, select, update

from ...protocol.errors import Conflict
from .schema import messages, threads, turns
from .upsert import insert_for, upsert_into

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
    "list_threads",
    "rename_thread",
    "renew_leases",
    "request_stop",
    "running_turns",
    "save_messages",
    "settle",
    "thread_messages",
    "thread_turns",
]  # fmt: skip

IN_PROGRESS = "Streaming for thread is in progress"
INTERRUPTED = "The service stopped while this answer was being written."

STOPPING = "stopping"
"""The status of a running turn that another service was asked to abort: its own service finds it there."""
RUNNING = ("running", STOPPING)

Alive = Callable[[str, float], bool]


def add_thread(connection: Connection, **fields: Any) -> None:
    connection.execute(insert_for(connection, threads).values(**fields))


def find_thread(
    connection: Connection, thread_id: str, tenant_id: int, *, lock: bool = False
) -> Row[*tuple[Any, ...]] | None:
    if "\0" in thread_id:  # no id holds it, and PostgreSQL does not take it for a text
        return None
    query = select(threads).where(threads.c.id == thread_id, threads.c.tenant_id == tenant_id)
    return connection.execute(query.with_for_update() if lock else query).first()


def list_threads(
    connection: Connection,
    user_id: int,
    agent: str,
    deployment: int,
    first: int,
    after: tuple[float, str] | None,
    *,
    branches: bool = True,
) -> tuple[list[Row[*tuple[Any, ...]]], bool]:
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


def settle(connection: Connection, thread_id: str, alive: Alive, now: float) -> bool:
    """Mark a turn whose service died as failed; returns whether a turn is really running."""
    running = connection.execute(
        select(turns.c.number, turns.c.runner, turns.c.lease_until).where(
            turns.c.thread_id == thread_id, turns.c.status.in_(RUNNING)
        )
    ).all()
    dead = [row.number for row in running if not alive(row.runner or "", row.lease_until or 0.0)]
    if dead:
        connection.execute(
            update(turns)
            .where(turns.c.thread_id == thread_id, turns.c.number.in_(dead))
            .values(status="failed", error=INTERRUPTED, finished_at=now, runner=None, lease_until=None)
        )
    return len(dead) < len(running)


def begin_turn(
    connection: Connection,
    thread: Row[*tuple[Any, ...]],
    question: str,
    *,
    runner: str,
    lease_until: float,
    alive: Alive,
    now: float,
    after: int,
) -> tuple[int, int]:
    """Open the next turn of a locked thread, following turn ``after``; returns its number and first free ``sort``.

    Raises
    ------
    Conflict
        A turn of this thread is still streaming.
    """
    if settle(connection, thread.id, alive, now):
        raise Conflict(IN_PROGRESS)
    last = connection.execute(
        select(turns.c.number).where(turns.c.thread_id == thread.id).order_by(turns.c.number.desc()).limit(1)
    ).scalar()
    number = (last or 0) + 1
    connection.execute(
        insert_for(connection, turns).values(
            thread_id=thread.id, number=number, question=question, status="running", started_at=now, runner=runner,
            lease_until=lease_until, after=after,
        )
    )  # fmt: skip
    connection.execute(update(threads).where(threads.c.id == thread.id).values(updated_at=now))
    kept = connection.execute(select(func.max(messages.c.sort)).where(messages.c.thread_id == thread.id)).scalar()
    return number, max(int(thread.next_sort), (kept or 0) + 1)


def save_messages(connection: Connection, thread_id: str, turn: int, frames: Sequence[tuple[str, int, str]]) -> None:
    """Keep messages (id, sort, JSON) as they are now; repeating is fine."""
    if not frames:
        return
    rows = [
        {"thread_id": thread_id, "turn": turn, "id": key, "sort": sort, "frame": frame} for key, sort, frame in frames
    ]
    connection.execute(upsert_into(connection, messages, "sort", "frame"), rows)


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
    found = connection.execute(
        update(turns)
        .where(turns.c.thread_id == thread_id, turns.c.number == number)
        .values(runner=None, lease_until=None, **fields)
    ).rowcount
    if not found:
        return False
    save_messages(connection, thread_id, number, frames)
    connection.execute(
        update(threads).where(threads.c.id == thread_id).values(next_sort=next_sort, updated_at=fields["finished_at"])
    )
    return True


def renew_leases(connection: Connection, runner: str, lease_until: float) -> int:
    return connection.execute(
        update(turns).where(turns.c.runner == runner, turns.c.status.in_(RUNNING)).values(lease_until=lease_until)
    ).rowcount


def running_turns(connection: Connection, thread_ids: Sequence[str]) -> dict[str, Row[*tuple[Any, ...]]]:
    """Those of the threads with a turn that is marked as running, with its number, status, runner and lease."""
    known = (turns.c.thread_id, turns.c.number, turns.c.status, turns.c.runner, turns.c.lease_until)
    query = select(*known).where(turns.c.thread_id.in_(thread_ids), turns.c.status.in_(RUNNING))
    return {row.thread_id: row for row in connection.execute(query)}


def request_stop(connection: Connection, thread_id: str) -> None:
    """Ask the service that runs the thread's turn to abort it."""
    connection.execute(
        update(turns).where(turns.c.thread_id == thread_id, turns.c.status == "running").values(status=STOPPING)
    )


def thread_turns(connection: Connection, thread_id: str) -> list[Row[*tuple[Any, ...]]]:
    return list(connection.execute(select(turns).where(turns.c.thread_id == thread_id).order_by(turns.c.number)))


def thread_messages(connection: Connection, thread_id: str) -> list[dict[str, Any]]:
    """Every kept message of the thread, in order."""
    rows = connection.execute(
        select(messages.c.frame).where(messages.c.thread_id == thread_id).order_by(messages.c.sort)
    ).scalars()
    return [json.loads(row) for row in rows]
