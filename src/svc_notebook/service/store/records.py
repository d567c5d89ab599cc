"""A row of the store as it is read: its columns by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from sqlalchemy import Row

__all__ = ["Record"]

Record: TypeAlias = "Row[*tuple[Any, ...]]"
"""The columns of whatever was selected; the statement says which these are."""
