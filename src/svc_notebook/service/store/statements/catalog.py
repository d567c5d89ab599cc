"""Statements of groups and attribute definitions, and of the embed tenants they are of."""

from __future__ import annotations

from sqlalchemy import Executable, and_, bindparam, delete, exists, func, select, update

from ..schema import catalog, embed_tenants, memberships, users
from .upsert import insert_of

__all__ = [
    "BEFORE", "COUNT", "DELETE", "EMPTIED", "ENTRIES", "GONE", "LOCKED", "MEMBERS", "PAGE", "SCOPE", "define",
]  # fmt: skip

_HERE = and_(
    catalog.c.tenant_id == bindparam("tenant_id"), catalog.c.scope == bindparam("scope"),
    catalog.c.kind == bindparam("kind"),
)  # fmt: skip
_ENTRY = and_(_HERE, catalog.c.id == bindparam("entry"))

SCOPE = select(embed_tenants.c.id).where(
    embed_tenants.c.tenant_id == bindparam("tenant_id"), embed_tenants.c.name == bindparam("name")
)
ENTRIES = select(catalog).where(_HERE, catalog.c.name.in_(bindparam("names", expanding=True)))
PAGE = select(catalog).where(_HERE, catalog.c.id > bindparam("after")).order_by(catalog.c.id).limit(bindparam("most"))
BEFORE = select(exists().where(_HERE, catalog.c.id < bindparam("edge")))
GONE = (  # memberships of those who have expired and are not removed yet: few
    select(memberships.c.group_id)
    .select_from(users.join(memberships, memberships.c.user_id == users.c.id))
    .where(users.c.expires_at <= bindparam("now"))
)
COUNT = (
    update(catalog)
    .where(catalog.c.id.in_(bindparam("ids", expanding=True)))
    .values(member_count=catalog.c.member_count + bindparam("by"))
)
LOCKED = select(catalog.c.name).where(_ENTRY).with_for_update()
EMPTIED = delete(memberships).where(
    memberships.c.group_id == bindparam("entry"),
    memberships.c.user_id.in_(select(users.c.id).where(users.c.expires_at <= bindparam("now"))),
)
MEMBERS = select(func.count()).select_from(memberships).where(memberships.c.group_id == bindparam("entry"))
DELETE = delete(catalog).where(_ENTRY)


def define(dialect: str, columns: tuple[str, ...]) -> Executable:
    """An entry, made or brought up to date in those columns; gives back its name, unless its type is another."""
    statement = insert_of(dialect, catalog)
    new = statement.excluded
    return statement.on_conflict_do_update(  # type: ignore[no-any-return]
        index_elements=["tenant_id", "scope", "kind", "name"],
        # What a definition leaves out is NULL in the new row, and keeps what is stored.
        set_={name: func.coalesce(new[name], catalog.c[name]) for name in columns},
        # A row of another type is left as it is, and so is missing from what is returned; groups have no type, which =
        # never finds.
        where=catalog.c.type.is_not_distinct_from(new.type),
    ).returning(catalog.c.name)
