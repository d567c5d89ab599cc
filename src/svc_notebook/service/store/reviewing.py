"""The turns that whoever is responsible for a data model should look at."""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from .records import Record
from .schema import threads, turns

__all__ = ["turns_to_review"]


def turns_to_review(connection: Connection, since: float = 0.0) -> list[Record]:
    """Turns of all threads since a time, each with its thread, oldest first; what ran well is among them, because a
    turn may correct the one before it.
    """
    wanted = (turns.c.thread_id, turns.c.number, turns.c.after, turns.c.question, turns.c.answer, turns.c.status,
              turns.c.memory, turns.c.verdict, turns.c.verdict_why, turns.c.started_at)  # fmt: skip
    query = (
        select(*wanted)
        .join(threads, threads.c.id == turns.c.thread_id)
        .where(or_(turns.c.started_at >= since, turns.c.verdict_at >= since), turns.c.status != "running")
        .order_by(turns.c.thread_id, turns.c.number)
    )
    return list(connection.execute(query))
