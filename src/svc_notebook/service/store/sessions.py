"""Sessions and the user tokens they are exchanged for. Only digests are stored."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from ...protocol.errors import Unauthorized
from .prepared import Prepared
from .records import Record
from .schema import sessions, tenants, tokens, users

__all__ = ["REFUSED", "add_session", "delete_stale", "open_session", "redeem", "revoke", "user_of_token"]

REFUSED = "This session id is unknown, expired, revoked or has been used: generate a new session."
"""One text for all of them: which it is would tell whoever guesses ids that there is such a session."""
_ADD = Prepared(insert(sessions))


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
    used = connection.execute(
        update(sessions)
        .where(
            sessions.c.digest == digest, sessions.c.redeemed_at.is_(None), sessions.c.revoked_at.is_(None),
            sessions.c.expires_at > now,
        )
        # Found and used in one statement: of two who come with the same session one gets nothing.
        .values(redeemed_at=now)
        .returning(sessions.c.user_id)
    ).first()  # fmt: skip
    if used is None:
        raise Unauthorized(REFUSED)
    connection.execute(
        insert(tokens).values(
            digest=token_digest, session_digest=digest, user_id=used.user_id, expires_at=now + token_ttl
        )
    )


def open_session(connection: Connection, digest: str, now: float) -> Record | None:
    """The account and deployment of a session that may still be exchanged."""
    return connection.execute(
        select(users.c.tenant_id, tenants.c.name, sessions.c.deployment)
        .select_from(sessions.join(users, users.c.id == sessions.c.user_id).join(tenants))
        .where(
            sessions.c.digest == digest, sessions.c.redeemed_at.is_(None), sessions.c.revoked_at.is_(None),
            sessions.c.expires_at > now,
        )
    ).first()  # fmt: skip


def revoke(connection: Connection, digest: str, now: float) -> None:
    """End a session and its token; unknown and ended ones are fine."""
    connection.execute(
        update(sessions).where(sessions.c.digest == digest, sessions.c.revoked_at.is_(None)).values(revoked_at=now)
    )
    connection.execute(delete(tokens).where(tokens.c.session_digest == digest))


def user_of_token(connection: Connection, token_digest: str, now: float) -> Record | None:
    """The user a valid token stands for, with its session's deployment, scope, mode and security context."""
    return connection.execute(
        select(
            tokens.c.digest, tokens.c.session_digest, sessions.c.deployment, sessions.c.creator_mode,
            sessions.c.scope.label("session_scope"), sessions.c.security_context.label("session_context"),
            users.c.id.label("user_id"), users.c.tenant_id, users.c.kind, users.c.name, users.c.email, users.c.scope,
        )
        .join(sessions, sessions.c.digest == tokens.c.session_digest)
        .join(users, users.c.id == tokens.c.user_id)
        .where(
            tokens.c.digest == token_digest, tokens.c.expires_at > now, sessions.c.revoked_at.is_(None),
            (users.c.expires_at.is_(None)) | (users.c.expires_at > now),
        )
    ).first()  # fmt: skip


def delete_stale(connection: Connection, before: float) -> int:
    """Remove sessions whose tokens have run out as well; returns how many."""
    return connection.execute(delete(sessions).where(sessions.c.expires_at < before)).rowcount
