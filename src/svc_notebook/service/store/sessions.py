"""Sessions and the user tokens they are exchanged for. Only digests are stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...protocol.errors import Unauthorized
from .prepared import Prepared
from .records import Record

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["REFUSED", "add_session", "delete_stale", "open_session", "redeem", "revoke", "user_of_token"]

REFUSED = "This session id is unknown, expired, revoked or has been used: generate a new session."
"""One text for all of them: which it is would tell whoever guesses ids that there is such a session."""
_ADD, _ADD_TOKEN = Prepared("sessions.ADD"), Prepared("sessions.ADD_TOKEN")
_REDEEM, _OPEN, _USER = Prepared("sessions.REDEEM"), Prepared("sessions.OPEN"), Prepared("sessions.USER")
_REVOKE, _DROP_TOKENS = Prepared("sessions.REVOKE"), Prepared("sessions.DROP_TOKENS")
_STALE = Prepared("sessions.STALE")


def add_session(
    connection: Connection,
    digest: str,
    *,
    user_id: int,
    deployment: int,
    scope: int,
    creator_mode: bool,
    security_context: dict[str, Any] | None,
    expires_at: float,
) -> None:
    context = None if security_context is None else json.dumps(security_context)
    _ADD.run(
        connection,
        {
            "digest": digest, "user_id": user_id, "deployment": deployment, "scope": scope,
            "creator_mode": creator_mode, "security_context": context, "expires_at": expires_at,
        },
    )  # fmt: skip


def redeem(connection: Connection, digest: str, token_digest: str, *, now: float, token_ttl: float) -> None:
    """Use a session, once, for the token with ``token_digest``.

    Raises
    ------
    Unauthorized
        Unknown, used, expired, revoked, or its user has expired: one text for all.
    """
    used = _REDEEM.first(connection, {"session": digest, "now": now})
    if used is None:
        raise Unauthorized(REFUSED)
    token = {"digest": token_digest, "session_digest": digest, "user_id": used.user_id, "expires_at": now + token_ttl}
    _ADD_TOKEN.run(connection, token)


def open_session(connection: Connection, digest: str, now: float) -> Record | None:
    """The account and deployment of a session that may still be exchanged."""
    return _OPEN.first(connection, {"session": digest, "now": now})


def revoke(connection: Connection, digest: str, now: float) -> None:
    """End a session and its token; unknown and ended ones are fine."""
    _REVOKE.run(connection, {"session": digest, "now": now})
    _DROP_TOKENS.run(connection, {"session": digest})


def user_of_token(connection: Connection, token_digest: str, now: float) -> Record | None:
    """The user a valid token stands for, with its session's deployment, scope, mode and security context."""
    return _USER.first(connection, {"token": token_digest, "now": now})


def delete_stale(connection: Connection, before: float) -> int:
    """Remove sessions whose tokens have run out as well; returns how many."""
    return _STALE.run(connection, {"before": before})
