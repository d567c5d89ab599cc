"""A digest of the state that Generate Session and the admin endpoints change, independent of ids and of order."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from sqlalchemy import Connection, select

from .schema import catalog, embed_tenants, memberships, tenants, user_values, users

__all__ = ["state_dump", "state_hash"]


def state_dump(connection: Connection) -> dict[str, list[Any]]:
    """Everything the digest covers, by names instead of ids, sorted."""
    account = {row.id: row.name for row in connection.execute(select(tenants.c.id, tenants.c.name))}
    scopes = {row.id: row.name for row in connection.execute(select(embed_tenants.c.id, embed_tenants.c.name))} | {
        0: ""
    }
    entries = {row.id: row for row in connection.execute(select(catalog))}
    people = {row.id: row for row in connection.execute(select(users))}

    def entry(key: int) -> list[Any]:
        row = entries[key]
        return [account[row.tenant_id], scopes[row.scope], row.kind, row.name]

    def person(key: int) -> list[Any]:
        row = people[key]
        return [account[row.tenant_id], row.kind, scopes[row.scope], row.name]

    dump: dict[str, list[Any]] = {
        "tenants": [[name] for name in account.values()],
        "embed_tenants": [
            [account[row.tenant_id], row.name] for row in connection.execute(select(embed_tenants))
        ],
        "catalog": [
            [*entry(row.id), row.type, row.display_name, row.description, row.default_value] for row in entries.values()
        ],
        "users": [[*person(row.id), row.email, row.expires_at is not None] for row in people.values()],
        "memberships": [
            [person(row.user_id), entry(row.group_id)] for row in connection.execute(select(memberships))
        ],
        "values": [
            [person(row.user_id), entry(row.attribute_id), row.value] for row in connection.execute(select(user_values))
        ],
    }  # fmt: skip
    return {name: sorted(rows, key=lambda row: json.dumps(row)) for name, rows in dump.items()}


def state_hash(connection: Connection) -> str:
    return hashlib.sha256(json.dumps(state_dump(connection), sort_keys=True).encode()).hexdigest()
