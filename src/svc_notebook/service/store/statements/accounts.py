"""Statements of accounts and their keys."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, delete, select, update

from ..schema import api_keys, tenants, threads, users

__all__ = ["DROP_KEYS", "INTERNAL", "KEY", "NAMED", "PLACE_THREADS", "TENANT", "changed"]

TENANT = select(tenants).where(tenants.c.id == bindparam("tenant_id"))
NAMED = select(tenants.c.id).where(tenants.c.name == bindparam("name"))
KEY = (
    select(
        api_keys.c.digest, api_keys.c.admin, api_keys.c.deployments, api_keys.c.branches, api_keys.c.tenant_id,
        tenants.c.name, tenants.c.plan, tenants.c.use_creator_mode,
    )
    .join(tenants, tenants.c.id == api_keys.c.tenant_id)
    .where(api_keys.c.digest == bindparam("digest"))
)  # fmt: skip
DROP_KEYS = delete(api_keys).where(
    api_keys.c.tenant_id == bindparam("tenant"), api_keys.c.digest.not_in(bindparam("kept", expanding=True))
)
INTERNAL = select(users.c.id).where(
    users.c.tenant_id == bindparam("tenant_id"), users.c.kind == "internal", users.c.scope == bindparam("scope"),
    users.c.name == bindparam("name"),
)  # fmt: skip
PLACE_THREADS = (
    update(threads)
    .where(threads.c.tenant_id == bindparam("tenant"), threads.c.deployment.is_(None))
    .values(deployment=bindparam("first"))
)


def changed(name: str, settings: dict[str, Any]) -> Any:
    """An account with other settings."""
    return update(tenants).where(tenants.c.name == name).values(**settings)
