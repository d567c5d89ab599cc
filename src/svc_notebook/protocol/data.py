"""The data API: request bodies and the lines of its NDJSON answer."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from .tools import Column, CubeInfo, RowFilter

__all__ = ["ARROW_STREAM", "DataLine", "ErrorLine", "ExplainResponse", "MetaResponse", "SchemaLine", "SqlRequest"]

ARROW_STREAM = "application/vnd.apache.arrow.stream"


class SqlRequest(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    """Body of ``POST /svc-api/v1/sql`` and ``/sql/explain``. With an account key the user is named as in chat."""

    query: str
    timezone: str | None | UnsetType = UNSET
    session_settings: Any = UNSET  # a chat.SessionSettings object; absent = the account's own (unrestricted) view


class SchemaLine(msgspec.Struct, rename="camel", frozen=True):
    """The first line: columns, and which row filters applied to whom."""

    schema: list[Column]
    row_filters: list[RowFilter] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET
    user: str | UnsetType = UNSET


class DataLine(msgspec.Struct, frozen=True):
    data: list[list[Any]]


class ErrorLine(msgspec.Struct, frozen=True):
    error: str


class ExplainResponse(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    """Compiled SQL (placeholders, never values of other users), applied row filters with the reason, notes."""

    query: str
    sql: str
    parameters: list[Any]
    row_filters: list[RowFilter]
    schema: list[Column]
    notes: list[str]


class MetaResponse(msgspec.Struct, frozen=True):
    cubes: list[CubeInfo]
