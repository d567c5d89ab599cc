"""Statements of what askers think of answers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Executable, and_, bindparam, or_, select, update

from ..schema import threads, turns, users

__all__ = ["SET", "accepted", "judged"]

SET = (
    update(turns)
    .where(turns.c.thread_id == bindparam("of"), turns.c.number == bindparam("turn"))
    .values({name: bindparam(name) for name in ("verdict", "verdict_why", "verdict_at")})
)


def accepted(whose: str) -> Executable:
    """Turns marked right of a thread's agent, deployment and branch: of its user (``"own"``), or of everyone."""
    here = threads.alias()
    alike = [threads.c[name] == here.c[name] for name in ("tenant_id", "agent", "branch", "deployment")]
    return (
        select(turns.c.question, turns.c.results)
        .join(threads, threads.c.id == turns.c.thread_id)
        .join(here, and_(*alike))
        .where(here.c.id == bindparam("id"), turns.c.verdict == "right", turns.c.status == "complete")
        .where(*((threads.c.user_id == here.c.user_id,) if whose == "own" else ()))
        .order_by(turns.c.verdict_at.desc())
        .limit(bindparam("most"))
    )


def judged(
    tenant_id: int,
    verdict: str | None,
    agent: str | None,
    deployment: int | None,
    first: int,
    before: tuple[float, str, int] | None,
) -> Any:
    """Judged turns of an account, the latest judged first."""
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
    return query.order_by(*(column.desc() for column in moment)).limit(first)
