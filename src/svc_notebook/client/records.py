"""What an embed tenant holds, as any service of this kind may write it: ids are numbers here and texts there."""

from __future__ import annotations

import msgspec

__all__ = ["Group", "UserAttributeRecord"]


class Group(msgspec.Struct, rename="camel", frozen=True):
    """A group of an embed tenant."""

    id: int | str
    name: str
    description: str | None = None
    user_count: int = 0


class UserAttributeRecord(msgspec.Struct, rename="camel", frozen=True):
    """A user attribute of an embed tenant."""

    id: int | str
    name: str
    type: str
    display_name: str | None = None
    description: str | None = None
    default_value: str | None = None
