"""What askers think of answers: right or wrong, and why."""

from __future__ import annotations

from sqlalchemy import Connection, and_, or_, select, update

from .records import Record
from .schema import threads, turns, users

__all__ = ["accepted_turns", "list_feedback", "set_feedback"]


def set_feedback(
    connection: Connection, thread_id: str, number: int, verdict: str | None, why: str | None, now: float
) -> bool:
    """Keep a verdict on a turn, or with None take it back; whether there is such a turn."""
    fields = {"verdict": verdict, "verdict_why": why if verdict else None, "verdict_at": now if verdict else None}
    chosen = (turns.c.thread_id == thread_id) & (turns.c.number == number)
    return bool(connection.execute(update(turns).where(chosen).values(**fields)).rowcount)


def list_feedback(
    connection: Connection,
    tenant_id: int,
    *,
    verdict: str | None = None,
    agent: str | None = None,
    deployment: int | None = None,
    first: int = 100,
    before: tuple[float, str, int] | None = None,
) -> list[Record]:
    """Judged turns of an account, the latest judged first.

    Each row has ``thread_id``, ``number``, ``question``, ``answer``, ``status``, ``verdict``, ``verdict_why``,
    ``verdict_at``, ``results``, ``memory``, ``agent``, ``deployment``, ``branch``, and ``kind`` and ``name`` of the
    user. ``before`` is ``(verdict_at, thread_id, number)`` of the last row that was read.
    """
    wanted = {threads.c.agent: agent, threads.c.deployment: deployment, turns.c.verdict: verdict}
    moment = (turns.c.verdict_at, turns.c.thread_id, turns.c.number)
    query = (
        select(
            *moment, turns.c.question, turns.c.answer, turns.c.status, turns.c.verdict, turns.c.verdict_why,
            turns.c.results, turns.c.memory, threads.c.agent, threads.c.deployment, threads.c.branch, users.c.kind,
            users.c.name,
        )
        .join(threads, threads.c.id == turns.c.thread_id)
        .join(users, users.c.id == threads.c.user_id)
        .where(threads.c.tenant_id == tenant_id, turns.c.verdict_at.is_not(None))
        .where(*(column == value for column, value in wanted.items() if value is not None))
    )  # fmt: skip
    if before is not None:
        at, thread, number = before
        earlier = and_(
            turns.c.verdict_at == at,
            or_(turns.c.thread_id < thread, and_(turns.c.thread_id == thread, turns.c.number < number)),
        )
        query = query.where(or_(turns.c.verdict_at < at, earlier))
    return list(connection.execute(query.order_by(*(column.desc() for column in moment)).limit(first)))


def accepted_turns(connection: Connection, thread_id: str, *, everyone: bool, first: int = 40) -> list[Record]:
    """``question`` and ``results`` of turns that were marked right, the latest first.

    They are of the agent, deployment and branch of a thread: of its own user, or of ``everyone`` in the account.
    """
    here = threads.alias()
    alike = [threads.c[name] == here.c[name] for name in ("tenant_id", "agent", "branch", "deployment")]
    query = (
        select(turns.c.question, turns.c.results)
        .join(threads, threads.c.id == turns.c.thread_id)
        .join(here, and_(*alike))
        .where(here.c.id == thread_id, turns.c.verdict == "right", turns.c.status == "complete")
        .where(*(() if everyone else (threads.c.user_id == here.c.user_id,)))
    )
    return list(connection.execute(query.order_by(turns.c.verdict_at.desc()).limit(first)))
