"""``INSERT … ON CONFLICT``, prepared once for a database and table: that costs more than to run it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .prepared import Prepared

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["inserting", "upserting"]


def upserting(connection: Connection, table: str, *changed: str, key: tuple[str, ...] = ()) -> Prepared:
    """An insert that overwrites the columns ``changed`` of a row that is there with that ``key``, or primary key."""
    return _upsert(connection.dialect.name, table, changed, key)


def inserting(connection: Connection, table: str, *, returning: bool = False) -> Prepared:
    """An insert that leaves a row alone that is there; it may be ``returning`` a new one."""
    return _insert(connection.dialect.name, table, returning)


@cache
def _upsert(dialect: str, table: str, changed: tuple[str, ...], key: tuple[str, ...]) -> Prepared:
    return Prepared("upsert.upsert", dialect, table, changed, key)


@cache
def _insert(dialect: str, table: str, returning: bool) -> Prepared:
    return Prepared("upsert.insert", dialect, table, returning)
