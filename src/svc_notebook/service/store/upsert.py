"""``INSERT … ON CONFLICT``, spelled alike by SQLAlchemy for SQLite and for PostgreSQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite

__all__ = ["insert_for"]


def insert_for(connection: Connection, table: Table) -> Any:
    """An insert of the connection's dialect, with ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # takes a while to import, and is not needed otherwise

        return postgresql.insert(table)
    return sqlite.insert(table)
