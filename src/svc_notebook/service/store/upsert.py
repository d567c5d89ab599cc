"""``INSERT … ON CONFLICT``, spelled alike by SQLAlchemy for SQLite and for PostgreSQL."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite

from .prepared import Prepared

__all__ = ["insert_for", "insert_of", "upserting"]


def insert_for(connection: Connection, table: Table) -> Any:
    """An insert of the connection's dialect, with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    return insert_of(connection.dialect.name, table)


def insert_of(dialect: str, table: Table) -> Any:
    """:func:`insert_for` the dialect of that name."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # takes a while to import, and is not needed otherwise

        return postgresql.insert(table)
    return sqlite.insert(table)


def upserting(connection: Connection, table: Table, *changed: str) -> Prepared:
    """An insert that overwrites the columns ``changed`` of a row that is there.

    Built once for a database and table: that costs more than to run it.
    """
    return _upsert(connection.dialect.name, table, changed)


@cache
def _upsert(dialect: str, table: Table, changed: tuple[str, ...]) -> Prepared:
    statement = insert_of(dialect, table)
    return Prepared(
        statement.on_conflict_do_update(
            index_elements=list(table.primary_key.columns), set_={name: statement.excluded[name] for name in changed}
        )
    )
