"""Statements of external and internal users, of their memberships and values."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, Text, bindparam, cast, delete, func, null, or_, select, union_all, update

from ..schema import catalog, memberships, tenants, user_values, users

__all__ = [
    "BY_EMAIL", "BY_ID", "BY_USERNAME", "CLEAR", "DELETE", "DUE", "FEWER", "LEAVE", "LEFT", "LIMIT", "LIVING",
    "LOCKED", "MEMBER_OF", "MORE", "NEXT_DUE", "RIGHTS", "ROOM", "changed",
]  # fmt: skip

_ALIVE = or_(users.c.expires_at.is_(None), users.c.expires_at > bindparam("now"))
_INTERNAL = select(users).where(users.c.tenant_id == bindparam("tenant_id"), users.c.kind == "internal")
_EXTERNAL = select(users).where(
    users.c.tenant_id == bindparam("tenant_id"), users.c.kind == "external", users.c.scope == bindparam("scope"),
    users.c.name == bindparam("name"),
)  # fmt: skip
_IDS: BindParameter[list[int]] = bindparam("ids", expanding=True)

BY_USERNAME = _INTERNAL.where(users.c.name == bindparam("username"))
BY_EMAIL = _INTERNAL.where(users.c.email == bindparam("email"))
BY_ID = select(users).where(users.c.id == bindparam("user_id"), _ALIVE)
LOCKED, LIVING = _EXTERNAL.with_for_update(), _EXTERNAL.where(_ALIVE)
DELETE = delete(users).where(users.c.id.in_(_IDS))
DUE = (
    select(users.c.id, users.c.tenant_id)
    .where(users.c.expires_at <= bindparam("now"))
    .limit(bindparam("most"))
    .with_for_update()
)
NEXT_DUE = select(func.min(users.c.expires_at)).where(users.c.expires_at.is_not(None))

MEMBER_OF = select(memberships.c.group_id).where(memberships.c.user_id == bindparam("user_id"))
LEFT = (
    select(memberships.c.group_id, func.count().label("members"))
    .where(memberships.c.user_id.in_(_IDS))
    .group_by(memberships.c.group_id)
)
LEAVE = delete(memberships).where(
    memberships.c.user_id == bindparam("user_id"), memberships.c.group_id.in_(bindparam("groups", expanding=True))
)
CLEAR = delete(user_values).where(
    user_values.c.user_id == bindparam("of"), user_values.c.attribute_id.in_(bindparam("attributes", expanding=True))
)

MORE = (
    update(tenants)
    .where(tenants.c.id == bindparam("tenant"), tenants.c.user_count < tenants.c.user_limit)
    # Tested and counted in one statement, which locks the account: two who are made at once cannot both be the last.
    .values(user_count=tenants.c.user_count + 1)
)
FEWER = (
    update(tenants)
    .where(tenants.c.id == bindparam("tenant"))
    .values(user_count=tenants.c.user_count - bindparam("gone"))
)  # fmt: skip
ROOM = select(tenants.c.user_count < tenants.c.user_limit).where(tenants.c.id == bindparam("tenant"))
LIMIT = select(tenants.c.user_limit).where(tenants.c.id == bindparam("tenant"))

# PostgreSQL 15 refuses an untyped NULL in a UNION.
_NOTHING = cast(null(), Text)
RIGHTS = union_all(
    select(catalog.c.kind, catalog.c.name, _NOTHING.label("type"), _NOTHING.label("default_value"),
           _NOTHING.label("value"))
    .join(memberships, memberships.c.group_id == catalog.c.id)
    .where(memberships.c.user_id == bindparam("user_id"), catalog.c.scope == bindparam("scope")),
    select(catalog.c.kind, catalog.c.name, catalog.c.type, catalog.c.default_value, user_values.c.value)
    .outerjoin(user_values, (user_values.c.attribute_id == catalog.c.id)
               & (user_values.c.user_id == bindparam("user_id")))
    .where(catalog.c.tenant_id == bindparam("tenant_id"), catalog.c.scope == bindparam("scope"),
           catalog.c.kind == "attribute"),
)  # fmt: skip


def changed(user_id: int, changes: dict[str, Any]) -> Any:
    """A user with other values in some columns, who is given back."""
    return update(users).where(users.c.id == user_id).values(**changes).returning(*users.c)
