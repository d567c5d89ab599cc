"""Accounts, their keys and what the configuration seeds: tenant-wide catalogs and internal users."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from ...protocol.errors import BadRequest
from ..config import ConfigError, InternalUser, TenantConfig
from .catalog import define
from .prepared import Prepared
from .records import Record
from .schema import TENANT_WIDE, api_keys, tenants, threads, users
from .upsert import insert_for
from .users import set_groups, set_values

__all__ = ["account_by_key", "seed", "tenant_by_id"]


# Built once: making a statement costs more than running it.
_TENANT = Prepared(select(tenants).where(tenants.c.id == bindparam("tenant_id")))
_KEY = Prepared(
    select(
        api_keys.c.digest, api_keys.c.admin, api_keys.c.deployments, api_keys.c.branches, api_keys.c.tenant_id,
        tenants.c.name, tenants.c.plan, tenants.c.use_creator_mode,
    )
    .join(tenants, tenants.c.id == api_keys.c.tenant_id)
    .where(api_keys.c.digest == bindparam("digest"))
)  # fmt: skip


def tenant_by_id(connection: Connection, tenant_id: int) -> Record:
    found = _TENANT.first(connection, {"tenant_id": tenant_id})
    assert found is not None
    return found


def account_by_key(connection: Connection, digest: str) -> Record | None:
    """The key with that digest, joined to its account."""
    return _KEY.first(connection, {"digest": digest})


def seed(connection: Connection, config: TenantConfig, digests: dict[str, str], check: Any) -> int:
    """Bring the account up to its configuration: settings, keys, catalogs, internal users. Idempotent.

    Parameters
    ----------
    digests
        The digest of each key to be stored, by the key itself; keys that are no longer configured stop working.
    """
    settings = {
        "plan": config.plan.lower(),
        "use_creator_mode": config.use_creator_mode,
        "user_limit": config.user_limit,
    }
    insert = insert_for(connection, tenants).values(name=config.name, **settings)
    connection.execute(insert.on_conflict_do_update(index_elements=[tenants.c.name], set_=settings))
    tenant_id = int(connection.execute(select(tenants.c.id).where(tenants.c.name == config.name)).scalar_one())
    try:
        define(connection, tenant_id, TENANT_WIDE, "group", [
            {"name": group.name, "description": group.description} for group in config.groups
        ])  # fmt: skip
        define(connection, tenant_id, TENANT_WIDE, "attribute", [
            msgspec.structs.asdict(attribute) for attribute in config.attributes
        ])  # fmt: skip
        for person in config.internal_users:
            _internal(connection, tenant_id, person, check)
    except BadRequest as error:
        raise ConfigError(f"account {config.name}: {error.message}") from None
    _keys(connection, tenant_id, config, digests)
    first = next(iter(config.deployments_by_id()), None)  # of threads that are older than that column
    connection.execute(
        update(threads).where(threads.c.tenant_id == tenant_id, threads.c.deployment.is_(None)).values(deployment=first)
    )
    return tenant_id


def _internal(connection: Connection, tenant_id: int, person: InternalUser, check: Any) -> None:
    fields = {
        "email": person.email.lower(), "unrestricted": person.unrestricted,
        "security_context": json.dumps(person.security_context) if person.security_context else None,
    }  # fmt: skip
    key = {"tenant_id": tenant_id, "kind": "internal", "scope": TENANT_WIDE, "name": person.username}
    insert = insert_for(connection, users).values(**key, **fields)
    connection.execute(insert.on_conflict_do_update(index_elements=[users.c[name] for name in key], set_=fields))
    user_id = connection.execute(select(users.c.id).where(*(users.c[name] == key[name] for name in key))).scalar_one()
    set_groups(connection, user_id, tenant_id, TENANT_WIDE, person.groups)
    set_values(connection, user_id, tenant_id, TENANT_WIDE, person.user_attributes, check)


def _keys(connection: Connection, tenant_id: int, config: TenantConfig, digests: dict[str, str]) -> None:
    connection.execute(
        delete(api_keys).where(api_keys.c.tenant_id == tenant_id, api_keys.c.digest.not_in(list(digests.values())))
    )
    for key in config.api_keys:
        if key.temporary:
            continue
        fields = {
            "tenant_id": tenant_id, "name": key.name, "admin": key.admin, "branches": key.branches,
            "deployments": None if key.deployments is None else json.dumps(key.deployments),
        }  # fmt: skip
        insert = insert_for(connection, api_keys).values(digest=digests[key.secret()], **fields)
        connection.execute(insert.on_conflict_do_update(index_elements=[api_keys.c.digest], set_=fields))


def set_tenant(connection: Connection, name: str, **settings: Any) -> None:
    """Change plan, ``use_creator_mode`` or ``user_limit`` of an account while the service runs."""
    connection.execute(update(tenants).where(tenants.c.name == name).values(**settings))
