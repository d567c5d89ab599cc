"""Statements of sessions and of the user tokens they are exchanged for."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert, or_, select, update

from ..schema import sessions, tenants, tokens, users

__all__ = ["ADD", "ADD_TOKEN", "DROP_TOKENS", "OPEN", "REDEEM", "REVOKE", "STALE", "USER"]

_FRESH = (
    sessions.c.digest == bindparam("session"), sessions.c.redeemed_at.is_(None), sessions.c.revoked_at.is_(None),
    sessions.c.expires_at > bindparam("now"),
)  # fmt: skip

ADD, ADD_TOKEN = insert(sessions), insert(tokens)
# Found and used in one statement: of two who come with the same session one gets nothing.
REDEEM = update(sessions).where(*_FRESH).values(redeemed_at=bindparam("now")).returning(sessions.c.user_id)
OPEN = (
    select(users.c.tenant_id, tenants.c.name, sessions.c.deployment)
    .select_from(sessions.join(users, users.c.id == sessions.c.user_id).join(tenants))
    .where(*_FRESH)
)
REVOKE = (
    update(sessions)
    .where(sessions.c.digest == bindparam("session"), sessions.c.revoked_at.is_(None))
    .values(revoked_at=bindparam("now"))
)
DROP_TOKENS = delete(tokens).where(tokens.c.session_digest == bindparam("session"))
USER = (
    select(
        tokens.c.digest, tokens.c.session_digest, sessions.c.deployment, sessions.c.creator_mode,
        sessions.c.scope.label("session_scope"), sessions.c.security_context.label("session_context"),
        users.c.id.label("user_id"), users.c.tenant_id, users.c.kind, users.c.name, users.c.email, users.c.scope,
    )
    .join(sessions, sessions.c.digest == tokens.c.session_digest)
    .join(users, users.c.id == tokens.c.user_id)
    .where(
        tokens.c.digest == bindparam("token"), tokens.c.expires_at > bindparam("now"), sessions.c.revoked_at.is_(None),
        or_(users.c.expires_at.is_(None), users.c.expires_at > bindparam("now")),
    )
)  # fmt: skip
STALE = delete(sessions).where(sessions.c.expires_at < bindparam("before"))
