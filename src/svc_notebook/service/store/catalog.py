"""Groups and attribute definitions: tenant-wide (scope 0), or of one embed tenant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, select, update

from ...protocol.errors import BadRequest, NotFound
from .prepared import Prepared
from .records import Record
from .schema import catalog, embed_tenants, memberships, users
from .upsert import insert_for, insert_of

__all__ = ["Entry", "count_members", "define", "delete_entry", "embed_scope", "entries", "page"]


# Built once: making a statement costs more than running it.
_SCOPE = Prepared(
    select(embed_tenants.c.id).where(
        embed_tenants.c.tenant_id == bindparam("tenant_id"), embed_tenants.c.name == bindparam("name")
    )
)
_HERE = and_(
    catalog.c.tenant_id == bindparam("tenant_id"), catalog.c.scope == bindparam("scope"),
    catalog.c.kind == bindparam("kind"),
)  # fmt: skip
_PAGE = select(catalog).where(_HERE, catalog.c.id > bindparam("after")).order_by(catalog.c.id).limit(bindparam("most"))
_BEFORE = select(exists().where(_HERE, catalog.c.id < bindparam("edge")))
_GONE = (  # memberships of those who have expired and are not removed yet: few
    select(memberships.c.group_id)
    .select_from(users.join(memberships, memberships.c.user_id == users.c.id))
    .where(users.c.expires_at <= bindparam("now"))
)
_COUNT = Prepared(
    update(catalog)
    .where(catalog.c.id.in_(bindparam("ids", expanding=True)))
    .values(member_count=catalog.c.member_count + bindparam("by"))
)
_ENTRIES = Prepared(select(catalog).where(_HERE, catalog.c.name.in_(bindparam("names", expanding=True))))


def embed_scope(connection: Connection, tenant_id: int, name: str, *, create: bool) -> int | None:
    """The scope of the embed tenant called ``name``; ``None`` when there is none and ``create`` is false."""
    key = {"tenant_id": tenant_id, "name": name}
    found: int | None = _SCOPE.scalar(connection, key)
    if found is None and create:
        statement = insert_for(connection, embed_tenants).values(**key)
        connection.execute(statement.on_conflict_do_nothing())
        # Read again instead of RETURNING: where another transaction was faster, an insert that does nothing returns
        # nothing.
        found = _SCOPE.scalar(connection, key)
    return found


def entries(connection: Connection, tenant_id: int, scope: int, kind: str, names: Iterable[str]) -> dict[str, Record]:
    """The groups (or attributes) of that scope among ``names``, by name."""
    wanted = {"tenant_id": tenant_id, "scope": scope, "kind": kind, "names": list(names)}
    return {row.name: row for row in _ENTRIES.all(connection, wanted)}


def define(
    connection: Connection, tenant_id: int, scope: int, kind: str, definitions: Sequence[dict[str, Any]]
) -> None:
    """Create or bring up to date; a key that is missing from a definition, or ``None``, leaves what is stored.

    Two statements, however many definitions there are: one finds what changes, one changes it.

    Raises
    ------
    BadRequest
        A definition of that name has another type.
    """
    known = entries(connection, tenant_id, scope, kind, [str(wanted["name"]) for wanted in definitions])
    changed = [_whole(wanted, kind) for wanted in definitions if _changes(wanted, known.get(str(wanted["name"])), kind)]
    if not changed:
        return
    # Sorted, so that two transactions that define the same names wait for each other instead of deadlocking.
    rows = [{"tenant_id": tenant_id, "scope": scope, "kind": kind, **row} for row in sorted(changed, key=_name)]
    kept = set(connection.execute(_define(connection.dialect.name), rows).scalars())
    for row in rows:  # a transaction that was faster gave it another type
        if row["name"] not in kept:
            raise _other_type(row["name"], entries(connection, tenant_id, scope, kind, [row["name"]]), row["type"])


_DEFINED = ("type", "display_name", "description", "default_value")


@cache
def _define(dialect: str) -> Any:
    statement = insert_of(dialect, catalog)
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=["tenant_id", "scope", "kind", "name"],
        # What a definition leaves out is NULL in the new row, and keeps what is stored.
        set_={name: func.coalesce(new[name], catalog.c[name]) for name in _DEFINED},
        # A row of another type is left as it is, and so is missing from what is returned; groups have no type, which =
        # never finds.
        where=catalog.c.type.is_not_distinct_from(new.type),
    ).returning(catalog.c.name)


def _name(row: dict[str, Any]) -> str:
    return str(row["name"])


def _whole(wanted: dict[str, Any], kind: str) -> dict[str, Any]:
    """A definition with all its columns; None leaves what is stored."""
    row = {"name": _name(wanted), **{name: wanted.get(name) for name in _DEFINED}}
    if kind == "group":
        row["description"] = row["description"] or None  # a group's description is never cleared
    return row


def _changes(wanted: dict[str, Any], stored: Record | None, kind: str) -> bool:
    """Whether a definition says something that is not stored."""
    if stored is None:
        return True
    row = _whole(wanted, kind)
    if stored.type != row["type"]:
        raise _other_type(row["name"], {row["name"]: stored}, row["type"])
    # Sending the same again is the rule: then nothing is written, and no lock is waited for.
    return any(row[name] not in (None, getattr(stored, name)) for name in _DEFINED)


def _other_type(name: str, known: Mapping[str, Any], wanted: str | None) -> BadRequest:
    return BadRequest(
        f"User attribute {name!r} cannot change type from {known[name].type} to {wanted}: "
        "delete the attribute and create it again."
    )


def page(
    connection: Connection, tenant_id: int, scope: int, kind: str, first: int, after: int, now: float
) -> tuple[list[Entry], bool, bool]:
    """Up to ``first`` entries with ids above ``after`` in order of id, and whether there are more after and before."""
    key = {"tenant_id": tenant_id, "scope": scope, "kind": kind}
    # One more than asked for, to know whether there are more without counting.
    rows = list(connection.execute(_PAGE, {**key, "after": after, "most": first + 1}))
    edge = rows[0].id if rows else after + 1
    before = connection.execute(_BEFORE, {**key, "edge": edge}).scalar_one()
    gone = Counter(connection.execute(_GONE, {"now": now}).scalars() if kind == "group" else ())
    found = [Entry(row, row.member_count - gone[row.id]) for row in rows[:first]]
    return found, len(rows) > first, bool(before)


class Entry(NamedTuple):
    """A group or an attribute, and how many living users are in it."""

    row: Record
    members: int


def count_members(connection: Connection, group_ids: Iterable[int], by: int) -> None:
    """Note that groups have more members, or fewer."""
    # Sorted, as are all rows that several transactions update: they wait for each other instead of deadlocking.
    ids = sorted(group_ids)
    if ids:
        _COUNT.run(connection, {"ids": ids, "by": by})


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
    # Locked while its members are counted: somebody may be joining.
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
