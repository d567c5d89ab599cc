"""Groups and attribute definitions: tenant-wide (scope 0), or of one embed tenant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, exists, func, or_, select, update

from ...protocol.errors import BadRequest, NotFound
from .schema import catalog, embed_tenants, memberships, users
from .upsert import insert_for

__all__ = ["define", "delete_entry", "embed_scope", "entries", "page"]


# Built once: making a statement costs more than running it.
_SCOPE = select(embed_tenants.c.id).where(
    embed_tenants.c.tenant_id == bindparam("tenant_id"), embed_tenants.c.name == bindparam("name")
)
_ENTRIES = select(catalog).where(
    catalog.c.tenant_id == bindparam("tenant_id"), catalog.c.scope == bindparam("scope"),
    catalog.c.kind == bindparam("kind"), catalog.c.name.in_(bindparam("names", expanding=True)),
)  # fmt: skip


def embed_scope(connection: Connection, tenant_id: int, name: str, *, create: bool) -> int | None:
    """The scope of the embed tenant called ``name``; ``None`` when there is none and ``create`` is false."""
    key = {"tenant_id": tenant_id, "name": name}
    found = connection.execute(_SCOPE, key).scalar()
    if found is None and create:
        statement = insert_for(connection, embed_tenants).values(**key)
        connection.execute(statement.on_conflict_do_nothing())
        found = connection.execute(_SCOPE, key).scalar_one()
    return found


def entries(
    connection: Connection, tenant_id: int, scope: int, kind: str, names: Iterable[str]
) -> dict[str, Row[*tuple[Any, ...]]]:
    """The groups (or attributes) of that scope among ``names``, by name."""
    wanted = {"tenant_id": tenant_id, "scope": scope, "kind": kind, "names": list(names)}
    rows = connection.execute(_ENTRIES, wanted)
    return {row.name: row for row in rows}


def define(
    connection: Connection, tenant_id: int, scope: int, kind: str, definitions: Sequence[dict[str, Any]]
) -> None:
    """Create or bring up to date; a key that is missing from a definition, or ``None``, leaves what is stored.

    Raises
    ------
    BadRequest
        A definition of that name has another type.
    """
    if not definitions:
        return
    known = entries(connection, tenant_id, scope, kind, [str(wanted["name"]) for wanted in definitions])
    # Sorted, so that two transactions that define the same names wait for each other instead of deadlocking.
    for wanted in sorted(definitions, key=lambda item: str(item["name"])):
        fields = {key: value for key, value in wanted.items() if value is not None}
        if kind == "group" and not fields.get("description"):
            fields.pop("description", None)  # a group's description is never cleared
        stored = known.get(wanted["name"])
        if stored is None:
            new = {"tenant_id": tenant_id, "scope": scope, "kind": kind, **fields}
            connection.execute(insert_for(connection, catalog).values(**new).on_conflict_do_nothing())
            # Ours, or that of a transaction that was faster.
            stored = entries(connection, tenant_id, scope, kind, [wanted["name"]])[wanted["name"]]
        if stored.type != fields.get("type"):
            raise BadRequest(
                f"User attribute {wanted['name']!r} cannot change type from {stored.type} to {fields.get('type')}: "
                "delete the attribute and create it again."
            )
        changes = {name: value for name, value in fields.items() if getattr(stored, name) != value}
        if changes:
            connection.execute(update(catalog).where(catalog.c.id == stored.id).values(**changes))


def page(
    connection: Connection, tenant_id: int, scope: int, kind: str, first: int, after: int, now: float
) -> tuple[list[Row[*tuple[Any, ...]]], bool, bool]:
    """Up to ``first`` entries with ids above ``after`` in order of id, and whether there are more after and before."""
    here = and_(catalog.c.tenant_id == tenant_id, catalog.c.scope == scope, catalog.c.kind == kind)
    members = (
        select(func.count())
        .select_from(memberships.join(users, users.c.id == memberships.c.user_id))
        .where(memberships.c.group_id == catalog.c.id, or_(users.c.expires_at.is_(None), users.c.expires_at > now))
        .scalar_subquery()
        .label("user_count")
    )
    query = select(catalog, members).where(here, catalog.c.id > after).order_by(catalog.c.id).limit(first + 1)
    rows = list(connection.execute(query))
    edge = rows[0].id if rows else after + 1
    before = connection.execute(select(exists().where(here, catalog.c.id < edge))).scalar_one()
    return rows[:first], len(rows) > first, bool(before)


def delete_entry(connection: Connection, tenant_id: int, scope: int, kind: str, entry_id: int, now: float) -> None:
    """Delete a group without members, or an attribute with the values stored under it.

    Raises
    ------
    NotFound
        No such id in this embed tenant.
    BadRequest
        The group still has members.
    """
    table = catalog.c
    here = (table.tenant_id == tenant_id, table.scope == scope, table.kind == kind, table.id == entry_id)
    row = connection.execute(select(catalog.c.name).where(*here).with_for_update()).first()
    if row is None:
        raise NotFound(f"No {kind} with id {entry_id} in this embed tenant.")
    if kind == "group":
        gone = select(users.c.id).where(users.c.expires_at <= now)
        connection.execute(
            delete(memberships).where(memberships.c.group_id == entry_id, memberships.c.user_id.in_(gone))
        )
        count = connection.execute(
            select(func.count()).select_from(memberships).where(memberships.c.group_id == entry_id)
        ).scalar_one()
        if count:
            raise BadRequest(
                f"Group {row.name!r} still has {count} member{'' if count == 1 else 's'}: remove them from the group "
                "(generate a session for each with other groups) and delete it then."
            )
    connection.execute(delete(catalog).where(*here))
