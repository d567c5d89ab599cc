"""Statements of threads, their turns and messages."""

from __future__ import annotations

from sqlalchemy import Select, and_, bindparam, delete, func, insert, or_, select, update

from ..schema import messages, threads, turns

__all__ = [
    "ADD", "BEGIN", "CLOSE", "DELETE", "END", "FAIL", "FIND", "FIND_LOCKED", "FREE", "LATEST", "MESSAGES", "READ",
    "RENAME", "RENEW", "RUNNING", "STOP", "TOUCH", "TURNS", "page",
]  # fmt: skip

_STATUSES = ("running", "stopping")
_RUNS = turns.c.status.in_(_STATUSES)
_ENDED = (
    "status", "error", "answer", "memory", "results", "suggestions", "usage", "finished_at", "runner", "lease_until",
)  # fmt: skip

FIND = select(threads).where(threads.c.id == bindparam("id"), threads.c.tenant_id == bindparam("tenant_id"))
FIND_LOCKED = FIND.with_for_update()
ADD = insert(threads)
RENAME = update(threads).where(threads.c.id == bindparam("of")).values(title=bindparam("title"))
DELETE = delete(threads).where(threads.c.id == bindparam("of"))
TOUCH = update(threads).where(threads.c.id == bindparam("of")).values(updated_at=bindparam("now"))
LATEST = (
    select(turns)
    .where(turns.c.thread_id == bindparam("id"), turns.c.number <= bindparam("upto"))
    .order_by(turns.c.number.desc())
    .limit(bindparam("most"))
)
BEGIN = insert(turns)
FREE = select(func.max(messages.c.sort)).where(messages.c.thread_id == bindparam("id"))
_OF_TURN = (turns.c.thread_id == bindparam("of"), turns.c.number == bindparam("turn"))
FAIL = (
    update(turns)
    .where(*_OF_TURN)
    .values(
        status="failed", error=bindparam("why"), finished_at=bindparam("now"), runner=None, lease_until=None
    )
)  # fmt: skip
END = update(turns).where(*_OF_TURN).values({name: bindparam(name) for name in _ENDED})
CLOSE = (
    update(threads)
    .where(threads.c.id == bindparam("of"))
    .values(next_sort=bindparam("sort"), updated_at=bindparam("now"))
)
RUNNING = select(
    turns.c.thread_id, turns.c.number, turns.c.status, turns.c.runner, turns.c.lease_until, turns.c.read_until
).where(
    turns.c.thread_id.in_(bindparam("ids", expanding=True)), or_(*(turns.c.status == status for status in _STATUSES))
)
RENEW = (
    update(turns)
    .where(turns.c.thread_id.in_(bindparam("ids", expanding=True)), turns.c.runner == bindparam("by"), _RUNS)
    .values(lease_until=bindparam("until"))
)
STOP = (
    update(turns)
    .where(turns.c.thread_id == bindparam("of"), turns.c.status == "running")
    .values(status="stopping")
)  # fmt: skip
READ = update(turns).where(turns.c.thread_id == bindparam("of"), _RUNS).values(read_until=bindparam("until"))
TURNS = select(turns).where(turns.c.thread_id == bindparam("id")).order_by(turns.c.number)
MESSAGES = select(messages.c.frame).where(messages.c.thread_id == bindparam("id")).order_by(messages.c.sort)


def page(
    user_id: int, agent: str, deployment: int, first: int, after: tuple[float, str] | None, *, branches: bool
) -> Select[tuple[object, ...]]:
    """A user's threads, latest first, at most so many."""
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
    return query.order_by(threads.c.updated_at.desc(), threads.c.id.desc()).limit(first)
