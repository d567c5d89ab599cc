"""Who calls: an account key, or a user token from a session exchange."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from ...protocol.errors import Forbidden, NotFound, Unauthorized
from ...records import dataclass
from ..config import PLANS_WITH_EMBEDDING, ApiKey, TenantConfig
from ..store.accounts import account_by_key, tenant_by_id
from ..store.records import Record
from ..store.sessions import user_of_token
from .secrets import digest, same_digest

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Caller", "TemporaryKeys", "authenticate", "caller_by_temporary"]

TemporaryKeys = Mapping[str, tuple[int, TenantConfig, ApiKey]]
"""Account and key by the key's digest: keys that live in this service alone."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller. ``token`` is the row of a user token, else the caller holds an account key."""

    tenant_id: int
    account: str
    plan: str
    use_creator_mode: bool
    admin: bool
    deployments: tuple[int, ...] | None
    branches: bool = False
    token: Record | None = None

    def require_admin(self) -> None:
        if not self.admin:
            raise Forbidden("This needs an account key with admin access.")

    def require_key(self) -> None:
        if self.token is not None:
            raise Unauthorized("This needs an account key: Authorization: Api-Key <key>.")

    def require_embedding(self) -> None:
        if self.plan not in PLANS_WITH_EMBEDDING:
            raise Forbidden("Embedding and chat are part of the Premium and Enterprise plans.")

    @property
    def may_branch(self) -> bool:
        """Whether the caller may ask for development branches at all."""
        return self.token is None and self.branches

    def require_branches(self) -> None:
        if not self.may_branch:
            raise Forbidden("activeBranchName needs an account key with the right `branches`.")

    def may_use(self, deployment: int) -> bool:
        return self.deployments is None or deployment in self.deployments

    def require_deployment(self, deployment: int, known: Collection[int]) -> None:
        if deployment not in known:
            raise NotFound(f"No deployment {deployment} in this account.")
        if not self.may_use(deployment):
            raise Forbidden(f"This key gives no access to deployment {deployment}.")


def caller_by_temporary(header: bytes | None, temporary: TemporaryKeys) -> Caller | None:
    """The caller behind a key that lives in this service alone: the store knows nothing of it, and is not asked."""
    scheme, _, secret = (header or b"").strip().partition(b" ")
    own = temporary.get(digest(secret)) if scheme.lower() == b"api-key" and temporary else None
    if own is None:
        return None
    tenant_id, tenant, key = own
    scope = None if key.deployments is None else tuple(key.deployments)
    plan, creator = tenant.plan.lower(), tenant.use_creator_mode
    return Caller(tenant_id, tenant.name, plan, creator, key.admin, scope, key.branches)


def authenticate(connection: Connection, header: bytes | None, now: float, *, tokens: bool = True) -> Caller:
    """The caller behind an ``Authorization`` header.

    Raises
    ------
    Unauthorized
        No header, an unknown scheme, a bad key or an ended token; the text never repeats what was sent.
    """
    scheme, _, secret = (header or b"").strip().partition(b" ")
    kind = scheme.lower()
    if kind == b"api-key" and secret:
        return _by_key(connection, digest(secret))
    if kind == b"bearer" and secret and tokens:
        return _by_token(connection, digest(secret), now)
    wanted = "Authorization: Api-Key <key>" + (" or Bearer <user token>" if tokens else "")
    raise Unauthorized(f"Authentication is required: send {wanted}.")


def _by_key(connection: Connection, hashed: str) -> Caller:
    row = account_by_key(connection, hashed)
    # Found by its digest; compared once more in constant time, whatever the database's collation thinks equal.
    if row is None or not same_digest(row.digest, hashed):
        raise Unauthorized("The API key is not valid.")
    scope = None if row.deployments is None else tuple(json.loads(row.deployments))
    return Caller(row.tenant_id, row.name, row.plan, row.use_creator_mode, row.admin, scope, row.branches)


def _by_token(connection: Connection, hashed: str, now: float) -> Caller:
    row = user_of_token(connection, hashed, now)
    if row is None or not same_digest(row.digest, hashed):
        raise Unauthorized("The user token is not valid, has expired or was revoked.")
    tenant = tenant_by_id(connection, row.tenant_id)
    return Caller(row.tenant_id, tenant.name, tenant.plan, tenant.use_creator_mode, False, (row.deployment,), token=row)
