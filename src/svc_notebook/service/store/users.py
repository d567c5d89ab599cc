"""External and internal users: who they are, which groups they are in, which values they carry."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...protocol.errors import BadRequest, TooManyRequests
from .catalog import count_members, entries
from .prepared import Prepared
from .records import Record
from .upsert import inserting, upserting

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "delete_expired", "delete_users", "find_external", "find_internal", "next_expiry", "provision", "rights",
    "room_for_one_more", "set_groups", "set_values", "user_by_id",
]  # fmt: skip


_BY_USERNAME, _BY_EMAIL, _BY_ID = Prepared("users.BY_USERNAME"), Prepared("users.BY_EMAIL"), Prepared("users.BY_ID")
_LOCKED, _LIVING, _DELETE = Prepared("users.LOCKED"), Prepared("users.LIVING"), Prepared("users.DELETE")
_DUE, _NEXT_DUE, _RIGHTS = Prepared("users.DUE"), Prepared("users.NEXT_DUE"), Prepared("users.RIGHTS")
_MEMBER_OF, _LEFT, _LEAVE = Prepared("users.MEMBER_OF"), Prepared("users.LEFT"), Prepared("users.LEAVE")
_MORE, _FEWER, _CLEAR = Prepared("users.MORE"), Prepared("users.FEWER"), Prepared("users.CLEAR")
_ROOM, _LIMIT = Prepared("users.ROOM"), Prepared("users.LIMIT")


def user_by_id(connection: Connection, user_id: int, now: float) -> Record | None:
    return _BY_ID.first(connection, {"user_id": user_id, "now": now})


def find_external(connection: Connection, tenant_id: int, scope: int, name: str, now: float) -> Record | None:
    """The external user of that id in that embed tenant; an expired one is as good as gone."""
    return _LIVING.first(connection, {"tenant_id": tenant_id, "scope": scope, "name": name, "now": now})


def find_internal(
    connection: Connection, tenant_id: int, *, username: str | None = None, email: str | None = None
) -> Record | None:
    if username is not None:
        return _BY_USERNAME.first(connection, {"tenant_id": tenant_id, "username": username})
    return _BY_EMAIL.first(connection, {"tenant_id": tenant_id, "email": (email or "").lower()})


def provision(
    connection: Connection,
    tenant_id: int,
    scope: int,
    name: str,
    *,
    now: float,
    email: str | None = None,
    ttl: float | None = None,
) -> Record:
    """Find or create an external user and lock it for this transaction. ``ttl`` makes a new one ephemeral.

    An existing ephemeral user never lives longer for a later ``ttl``; without ``ttl`` it becomes persistent. A
    persistent user stays so.

    Raises
    ------
    TooManyRequests
        The account holds as many external users as it may.
    """
    row = _LOCKED.first(connection, {"tenant_id": tenant_id, "scope": scope, "name": name})
    if row is not None and row.expires_at is not None and row.expires_at <= now:
        # As if the reaper had been there: an expired user's rights must not pass to a new one of the same name.
        delete_users(connection, [row])
        row = None
    if row is None:
        return _create(connection, tenant_id, scope, name, now=now, email=email, ttl=ttl)
    changes: dict[str, Any] = {}
    if email is not None and email != row.email:
        changes["email"] = email
    if row.expires_at is not None:
        expires = None if ttl is None else min(row.expires_at, now + ttl)
        if expires != row.expires_at:
            changes["expires_at"] = expires
    if not changes:
        return row
    from .statements.users import changed

    return connection.execute(changed(row.id, changes)).one()


def _create(
    connection: Connection, tenant_id: int, scope: int, name: str, *, now: float, email: str | None, ttl: float | None
) -> Record:
    _count_one_more(connection, tenant_id, now)
    values = {
        "tenant_id": tenant_id, "kind": "external", "scope": scope, "name": name, "email": email,
        "expires_at": None if ttl is None else now + ttl,
    }  # fmt: skip
    made = inserting(connection, "users", returning=True).first(connection, values)
    if made is not None:
        return made
    # Somebody else created the same user while this transaction waited for the account's counter.
    _FEWER.run(connection, {"tenant": tenant_id, "gone": 1})
    return provision(connection, tenant_id, scope, name, now=now, email=email, ttl=ttl)


def room_for_one_more(connection: Connection, tenant_id: int) -> bool:
    """Whether the account may hold another external user, as it stands."""
    return bool(_ROOM.scalar(connection, {"tenant": tenant_id}))


def _count_one_more(connection: Connection, tenant_id: int, now: float) -> None:
    if _MORE.run(connection, {"tenant": tenant_id}):
        return
    delete_expired(connection, now)  # may find nothing because the reaper was just there: that frees places as well
    if _MORE.run(connection, {"tenant": tenant_id}):
        return
    limit = _LIMIT.scalar(connection, {"tenant": tenant_id})
    raise TooManyRequests(
        f"This account already holds {limit:,} external users, as many as it may: existing users still work; "
        "ask for a higher limit."
    )


def delete_expired(connection: Connection, now: float, limit: int = 1000) -> list[int]:
    """Remove up to ``limit`` expired users with all that is theirs; returns their ids."""
    rows = _DUE.all(connection, {"now": now, "most": limit})
    delete_users(connection, rows)
    return [row.id for row in rows]


def next_expiry(connection: Connection) -> float | None:
    """When the next ephemeral user is due."""
    due: float | None = _NEXT_DUE.scalar(connection, {})
    return due


def delete_users(connection: Connection, rows: Sequence[Record]) -> None:
    """Remove users (rows with ``id`` and ``tenant_id``) with all that is theirs."""
    if not rows:
        return
    ids = [row.id for row in rows]
    fewer: dict[int, list[int]] = {}
    for group_id, count in _LEFT.all(connection, {"ids": ids}):
        fewer.setdefault(count, []).append(group_id)
    _DELETE.run(connection, {"ids": ids})
    for count, groups in sorted(fewer.items()):
        count_members(connection, groups, -count)
    for tenant_id in sorted({row.tenant_id for row in rows}):
        gone = sum(row.tenant_id == tenant_id for row in rows)
        _FEWER.run(connection, {"tenant": tenant_id, "gone": gone})


def set_groups(connection: Connection, user_id: int, tenant_id: int, scope: int, names: Sequence[str]) -> None:
    """Replace the user's memberships with exactly ``names``.

    Raises
    ------
    BadRequest
        Some of the names are no groups of that scope.
    """
    wanted = list(dict.fromkeys(names))
    found = entries(connection, tenant_id, scope, "group", wanted) if wanted else {}
    missing = [name for name in wanted if name not in found]
    if missing:
        raise BadRequest(f"Groups with names {', '.join(missing)} not found")
    # Only the difference is written: most requests name the groups that somebody is in already.
    new = {row.id for row in found.values()}
    old = set(_MEMBER_OF.scalars(connection, {"user_id": user_id}))
    if old - new:
        _LEAVE.run(connection, {"user_id": user_id, "groups": sorted(old - new)})
        count_members(connection, old - new, -1)
    if new - old:
        rows = [{"user_id": user_id, "group_id": group_id} for group_id in sorted(new - old)]
        inserting(connection, "memberships").run_each(connection, rows)
        count_members(connection, new - old, 1)


def set_values(
    connection: Connection, user_id: int, tenant_id: int, scope: int, values: Mapping[str, Any], check: Any
) -> None:
    """Store ``values`` by attribute name; ``None`` clears one. ``check(name, type, value)`` raises for a wrong type.

    Raises
    ------
    BadRequest
        Some of the names are no attributes of that scope.
    """
    if not values:
        return
    found = entries(connection, tenant_id, scope, "attribute", values)
    missing = [name for name in values if name not in found]
    if missing:
        raise BadRequest(f"User attributes not found: {', '.join(missing)}")
    for name, value in values.items():
        check(name, found[name].type, value)
    cleared = [found[name].id for name, value in values.items() if value is None]
    if cleared:
        _CLEAR.run(connection, {"of": user_id, "attributes": cleared})
    rows = [
        {"user_id": user_id, "attribute_id": found[name].id, "value": json.dumps(value)}
        for name, value in values.items()
        if value is not None
    ]
    if rows:
        rows.sort(key=lambda row: row["attribute_id"])
        upserting(connection, "user_values", "value").run_each(connection, rows)


def rights(connection: Connection, user_id: int, tenant_id: int, scope: int) -> tuple[list[str], list[Record]]:
    """The user's group names, and every attribute of the scope with the user's value (``None`` when not set)."""
    wanted = {"user_id": user_id, "tenant_id": tenant_id, "scope": scope}
    groups, attributes = [], []
    for row in _RIGHTS.all(connection, wanted):
        if row.kind == "group":
            groups.append(row.name)
        else:
            attributes.append(row)
    return groups, attributes
