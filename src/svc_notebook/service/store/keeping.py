"""What an operator does with a store: copies of it, one person's data out of it, and what is due to go."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select

from ...protocol.chat import SessionSettings
from ...protocol.spelling import spelled
from .errors import StoreFailed
from .migrate import HEAD
from .records import Record
from .schema import catalog, embed_tenants, memberships, messages, sessions, tenants, threads, turns, user_values, users
from .sessions import delete_stale
from .users import delete_expired, delete_users

__all__ = ["backup", "check_backup", "delete_user", "export_user", "find_user", "prune", "restore"]


def backup(store: Path, target: Path) -> None:
    """Copy an SQLite store as it is at one moment, while it is used.

    Raises
    ------
    StoreFailed
        There is no such store, or ``target`` is there already.
    """
    if not store.is_file():
        raise StoreFailed(f"There is no state store {store}.")
    if target.exists():
        raise StoreFailed(f"{target} is there already: name another file.")
    # Moved into place when it is whole and has been checked: a name that is there is a backup that can be restored.
    part = target.with_name(f"{target.name}.part")
    try:
        _copy(store, part)
        check_backup(part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def check_backup(path: Path) -> str:
    """The version of a copy that can be restored.

    Raises
    ------
    StoreFailed
        It is no store, damaged, or written by a newer version.
    """
    if not path.is_file():
        raise StoreFailed(f"There is no file {path}.")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            [(found,)] = connection.execute("PRAGMA quick_check(1)")
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreFailed(f"{path} is no state store, or a damaged one: {error}") from None
    if found != "ok" or row is None:
        raise StoreFailed(f"{path} is a damaged state store: {found if row else 'it has no version'}")
    if str(row[0]) > HEAD:
        raise StoreFailed(f"{path} was written by a newer version (tables {row[0]}, this one writes {HEAD}).")
    return str(row[0])


def restore(copy: Path, store: Path) -> None:
    """Put what a copy holds in the place of what a store holds, in one transaction.

    Raises
    ------
    StoreFailed
        The copy cannot be used, or somebody uses the store.
    """
    check_backup(copy)
    try:
        _copy(copy, store)
    except sqlite3.OperationalError as error:
        raise StoreFailed(f"{store} cannot be written to ({error}): stop the service that uses it.") from None


def find_user(
    connection: Connection, account: str, *, external: str | None = None, internal: str | None = None, scope: str = ""
) -> Record:
    """The user of an account by ``external`` id (in the embed tenant ``scope``) or by ``internal`` e-mail address.

    Raises
    ------
    StoreFailed
        No such account, embed tenant or user.
    """
    tenant_id = connection.execute(select(tenants.c.id).where(tenants.c.name == account)).scalar()
    if tenant_id is None:
        known = ", ".join(connection.execute(select(tenants.c.name).order_by(tenants.c.name)).scalars())
        raise StoreFailed(f"There is no account {account!r} in this store; there are: {known or 'none'}.")
    number = 0
    if scope:
        found = connection.execute(
            select(embed_tenants.c.id).where(embed_tenants.c.tenant_id == tenant_id, embed_tenants.c.name == scope)
        ).scalar()
        if found is None:
            raise StoreFailed(f"Account {account!r} has no embed tenant {scope!r}.")
        number = found
    wanted = select(users).where(users.c.tenant_id == tenant_id)
    if external is not None:
        wanted = wanted.where(users.c.kind == "external", users.c.name == external, users.c.scope == number)
    else:
        wanted = wanted.where(users.c.kind == "internal", users.c.email == (internal or "").lower())
    row = connection.execute(wanted).first()
    if row is None:
        raise StoreFailed(f"Account {account!r} has no user {external or internal!r}.")
    return row


def export_user(connection: Connection, user: Record) -> dict[str, Any]:
    """Everything that is kept of one person; digests of secrets are not theirs to have."""
    groups = (
        select(catalog.c.name)
        .join(memberships, memberships.c.group_id == catalog.c.id)
        .where(memberships.c.user_id == user.id)
    )
    values = (
        select(catalog.c.name, user_values.c.value)
        .join(user_values, user_values.c.attribute_id == catalog.c.id)
        .where(user_values.c.user_id == user.id)
    )
    opened = select(sessions.c.deployment, sessions.c.expires_at, sessions.c.redeemed_at, sessions.c.revoked_at)
    owned = select(threads).where(threads.c.user_id == user.id).order_by(threads.c.created_at)
    own = {name: getattr(user, name) for name in ("kind", "name", "email", "expires_at", "security_context")}
    return {
        "user": own,
        "groups": sorted(connection.execute(groups).scalars()),
        spelled(SessionSettings, "user_attributes"): {row.name: row.value for row in connection.execute(values)},
        "sessions": [dict(row._mapping) for row in connection.execute(opened.where(sessions.c.user_id == user.id))],
        "threads": [_thread(connection, row) for row in connection.execute(owned).all()],
    }


def _thread(connection: Connection, thread: Record) -> dict[str, Any]:
    asked = select(turns).where(turns.c.thread_id == thread.id).order_by(turns.c.number)
    said = select(messages.c.turn, messages.c.frame).where(messages.c.thread_id == thread.id).order_by(messages.c.sort)
    return {
        **{name: getattr(thread, name) for name in ("id", "agent", "title", "created_at", "updated_at")},
        "turns": [dict(row._mapping) for row in connection.execute(asked)],
        "messages": [dict(row._mapping) for row in connection.execute(said)],
    }


def delete_user(connection: Connection, user: Record) -> None:
    """Remove a person with all that is theirs: values, memberships, sessions, tokens, threads."""
    delete_users(connection, [user])


def prune(connection: Connection, now: float, *, threads_before: float | None = None) -> dict[str, int]:
    """Remove what has expired, and threads that nobody has touched since ``threads_before``; returns how many."""
    gone = {"users": 0, "sessions": delete_stale(connection, now), "threads": 0}
    while expired := delete_expired(connection, now):
        gone["users"] += len(expired)
    if threads_before is not None:
        gone["threads"] = connection.execute(delete(threads).where(threads.c.updated_at < threads_before)).rowcount
    return gone


def _copy(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as here,
        closing(sqlite3.connect(target, timeout=5.0)) as there,
    ):
        # SQLite's own: it copies one state while others write, the log included, which a copy of files does not.
        here.backup(there)
