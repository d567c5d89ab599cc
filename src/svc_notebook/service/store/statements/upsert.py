"""``INSERT … ON CONFLICT``, spelled alike by SQLAlchemy for SQLite and for PostgreSQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Executable, Table
from sqlalchemy.dialects import sqlite

from ..schema import metadata

__all__ = ["insert", "insert_of", "upsert"]


def insert_of(dialect: str, table: Table) -> Any:
    """An insert of the dialect of that name, with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # takes a while to import, and is not needed otherwise

        return postgresql.insert(table)
    return sqlite.insert(table)


def upsert(dialect: str, table: str, changed: tuple[str, ...], key: tuple[str, ...]) -> Executable:
    """An insert that overwrites the columns ``changed`` of a row that is there with that ``key``, or primary key."""
    into = metadata.tables[table]
    statement = insert_of(dialect, into)
    return statement.on_conflict_do_update(  # type: ignore[no-any-return]
        index_elements=[into.c[name] for name in key] or list(into.primary_key.columns),
        set_={name: statement.excluded[name] for name in changed},
    )


def insert(dialect: str, table: str, returning: bool) -> Executable:
    """An insert that leaves a row alone that is there; it may be ``returning`` a new one."""
    into = metadata.tables[table]
    statement = insert_of(dialect, into).on_conflict_do_nothing()
    return statement.returning(*into.c) if returning else statement  # type: ignore[no-any-return]
