"""What askers think of answers: right or wrong, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .prepared import Prepared
from .records import Record

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["accepted_turns", "list_feedback", "set_feedback"]

_SET = Prepared("feedback.SET")
_OWN, _EVERYONES = Prepared("feedback.accepted", "own"), Prepared("feedback.accepted", "everyone's")


def set_feedback(
    connection: Connection, thread_id: str, number: int, verdict: str | None, why: str | None, now: float
) -> bool:
    """Keep a verdict on a turn, or with None take it back; whether there is such a turn."""
    fields = {"verdict": verdict, "verdict_why": why if verdict else None, "verdict_at": now if verdict else None}
    return bool(_SET.run(connection, {"of": thread_id, "turn": number, **fields}))


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
    from .statements.feedback import judged

    return list(connection.execute(judged(tenant_id, verdict, agent, deployment, first, before)))


def accepted_turns(connection: Connection, thread_id: str, *, everyone: bool, first: int = 40) -> list[Record]:
    """``question`` and ``results`` of turns that were marked right, the latest first.

    They are of the agent, deployment and branch of a thread: of its own user, or of ``everyone`` in the account.
    """
    return (_EVERYONES if everyone else _OWN).all(connection, {"id": thread_id, "most": first})
