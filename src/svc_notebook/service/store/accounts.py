"""Accounts, their keys and what the configuration seeds: tenant-wide catalogs and internal users."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from ...protocol.errors import BadRequest
from ..config import ConfigError, InternalUser, TenantConfig
from .catalog import define
from .prepared import Prepared
from .records import Record
from .scopes import TENANT_WIDE
from .upsert import upserting
from .users import set_groups, set_values

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["account_by_key", "seed", "tenant_by_id"]


_TENANT, _NAMED, _KEY = Prepared("accounts.TENANT"), Prepared("accounts.NAMED"), Prepared("accounts.KEY")
_INTERNAL, _DROP_KEYS = Prepared("accounts.INTERNAL"), Prepared("accounts.DROP_KEYS")
_PLACE_THREADS = Prepared("accounts.PLACE_THREADS")


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
    account = upserting(connection, "tenants", *settings, key=("name",))
    account.run(connection, {"name": config.name, **settings})
    tenant_id = int(_NAMED.scalar(connection, {"name": config.name}))
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
    _PLACE_THREADS.run(connection, {"tenant": tenant_id, "first": first})
    return tenant_id


def _internal(connection: Connection, tenant_id: int, person: InternalUser, check: Any) -> None:
    fields = {
        "email": person.email.lower(), "unrestricted": person.unrestricted,
        "security_context": json.dumps(person.security_context) if person.security_context else None,
    }  # fmt: skip
    key = {"tenant_id": tenant_id, "kind": "internal", "scope": TENANT_WIDE, "name": person.username}
    upserting(connection, "users", *fields, key=tuple(key)).run(connection, {**key, **fields})
    wanted = {"tenant_id": tenant_id, "scope": TENANT_WIDE, "name": person.username}
    user_id = int(_INTERNAL.scalar(connection, wanted))
    set_groups(connection, user_id, tenant_id, TENANT_WIDE, person.groups)
    set_values(connection, user_id, tenant_id, TENANT_WIDE, person.user_attributes, check)


def _keys(connection: Connection, tenant_id: int, config: TenantConfig, digests: dict[str, str]) -> None:
    _DROP_KEYS.run(connection, {"tenant": tenant_id, "kept": list(digests.values())})
    for key in config.api_keys:
        if key.temporary:
            continue
        fields = {
            "tenant_id": tenant_id, "name": key.name, "admin": key.admin, "branches": key.branches,
            "deployments": None if key.deployments is None else json.dumps(key.deployments),
        }  # fmt: skip
        upserting(connection, "api_keys", *fields).run(connection, {"digest": digests[key.secret()], **fields})


def set_tenant(connection: Connection, name: str, **settings: Any) -> None:
    """Change plan, ``use_creator_mode`` or ``user_limit`` of an account while the service runs."""
    from .statements.accounts import changed

    connection.execute(changed(name, settings))
