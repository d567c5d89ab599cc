"""Embed-tenant admin: records and the cursor-paginated list envelope."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from .sessions import AttributeType

__all__ = ["DEFAULT_PAGE", "MAX_PAGE", "Group", "Page", "PageInfo", "UserAttributeRecord"]

DEFAULT_PAGE = 100
MAX_PAGE = 1000

T = TypeVar("T")


class Group(msgspec.Struct, rename="camel", frozen=True):
    id: int
    name: str
    description: str | None = None
    user_count: int = 0


class UserAttributeRecord(msgspec.Struct, rename="camel", frozen=True):
    id: int
    name: str
    type: AttributeType
    display_name: str | None = None
    description: str | None = None
    default_value: str | None = None


class PageInfo(msgspec.Struct, rename="camel", frozen=True):
    has_next_page: bool = False
    has_previous_page: bool = False
    start_cursor: str | None = None
    end_cursor: str | None = None


class Page(msgspec.Struct, Generic[T], rename="camel", frozen=True):
    items: list[T]
    page_info: PageInfo
