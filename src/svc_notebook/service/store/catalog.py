"""Groups and attribute definitions: tenant-wide (scope 0), or of one embed tenant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...protocol.errors import BadRequest, NotFound
from .prepared import Prepared
from .records import Record
from .upsert import inserting

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Entry", "count_members", "define", "delete_entry", "embed_scope", "entries", "page"]


_DEFINED = ("type", "display_name", "description", "default_value")
_SCOPE, _ENTRIES, _COUNT = Prepared("catalog.SCOPE"), Prepared("catalog.ENTRIES"), Prepared("catalog.COUNT")
_PAGE, _BEFORE, _GONE = Prepared("catalog.PAGE"), Prepared("catalog.BEFORE"), Prepared("catalog.GONE")
_LOCKED, _EMPTIED = Prepared("catalog.LOCKED"), Prepared("catalog.EMPTIED")
_MEMBERS, _DELETE = Prepared("catalog.MEMBERS"), Prepared("catalog.DELETE")


def embed_scope(connection: Connection, tenant_id: int, name: str, *, create: bool) -> int | None:
    """The scope of the embed tenant called ``name``; ``None`` when there is none and ``create`` is false."""
    key = {"tenant_id": tenant_id, "name": name}
    found: int | None = _SCOPE.scalar(connection, key)
    if found is None and create:
        inserting(connection, "embed_tenants").run(connection, key)
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

    One statement finds what changes; of many definitions one changes it all.

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
    kept = set(_define(connection.dialect.name).scalars_of_each(connection, rows))
    for row in rows:  # a transaction that was faster gave it another type
        if row["name"] not in kept:
            raise _other_type(row["name"], entries(connection, tenant_id, scope, kind, [row["name"]]), row["type"])


@cache
def _define(dialect: str) -> Prepared:
    return Prepared("catalog.define", dialect, _DEFINED)


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
    rows = _PAGE.all(connection, {**key, "after": after, "most": first + 1})
    edge = rows[0].id if rows else after + 1
    before = _BEFORE.scalar(connection, {**key, "edge": edge})
    gone = Counter(_GONE.scalars(connection, {"now": now}) if kind == "group" else ())
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
    entry = {"tenant_id": tenant_id, "scope": scope, "kind": kind, "entry": entry_id}
    # Locked while its members are counted: somebody may be joining.
    row = _LOCKED.first(connection, entry)
    if row is None:
        raise NotFound(f"No {kind} with id {entry_id} in this embed tenant.")
    if kind == "group":
        _EMPTIED.run(connection, {"entry": entry_id, "now": now})
        count = _MEMBERS.scalar(connection, {"entry": entry_id})
        if count:
            raise BadRequest(
                f"Group {row.name!r} still has {count} member{'' if count == 1 else 's'}: remove them from the group "
                "(generate a session for each with other groups) and delete it then."
            )
    _DELETE.run(connection, entry)
