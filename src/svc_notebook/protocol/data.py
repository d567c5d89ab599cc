"""The data API: request bodies and the lines of its NDJSON answer."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from .chat import SessionSettings
from .tools import Column, CubeInfo, RowFilter

__all__ = [
    "ARROW_STREAM",
    "DataLine",
    "DataRequest",
    "ErrorLine",
    "ExplainResponse",
    "LoadRequest",
    "LoadResponse",
    "LoadResults",
    "MetaRequest",
    "MetaResponse",
    "SchemaLine",
    "SqlRequest",
]

ARROW_STREAM = "application/vnd.apache.arrow.stream"


class DataRequest(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    """What bodies of the data API may not name: it answers from the branch that is served, at ``?deploymentId=``."""

    active_branch_name: Any | UnsetType = UNSET
    is_default_branch: Any | UnsetType = UNSET
    deployment_id: Any | UnsetType = UNSET


class SqlRequest(DataRequest, frozen=True, kw_only=True):
    """Body of ``POST /svc-api/v1/sql`` and ``/sql/explain``. With an account key the user is named as in chat."""

    query: str
    uuid: str | UnsetType = UNSET  # of the result that is loaded in full: its own rows, where they are kept
    stream: bool | UnsetType = UNSET  # all rows, however many, as an Arrow stream
    timezone: str | None | UnsetType = UNSET
    session_settings: SessionSettings | None | UnsetType = UNSET  # absent = the account's own (unrestricted) view


class MetaRequest(DataRequest, frozen=True, kw_only=True):
    """Body of ``POST /svc-api/v1/meta``: GET with a user whose attributes and groups come along."""

    search_query: str | None | UnsetType = UNSET
    session_settings: SessionSettings | None | UnsetType = UNSET


class SchemaLine(msgspec.Struct, rename="camel", frozen=True):
    """The first line: columns, which row filters applied to whom, as of when, and whether ``row_limit`` cut rows."""

    schema: list[Column]
    row_filters: list[RowFilter] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET
    user: str | UnsetType = UNSET
    truncated: bool | UnsetType = UNSET
    row_limit: int | UnsetType = UNSET
    as_of: str | UnsetType = UNSET
    kept: bool | UnsetType = UNSET


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


class LoadRequest(DataRequest, frozen=True, kw_only=True):
    """Body of ``POST /svc-api/v1/load``: measures, dimensions, timeDimensions, filters, segments, order, limit …"""

    query: dict[str, Any]
    session_settings: SessionSettings | None | UnsetType = UNSET


class LoadResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows as objects, with titles, types and formats by member in ``annotation``."""

    query: dict[str, Any]
    data: list[dict[str, Any]]
    annotation: dict[str, dict[str, dict[str, Any]]]
    total: int | None = None


class LoadResults(msgspec.Struct, rename="camel", frozen=True):
    """Several results, one for each date range that was compared."""

    query_type: str
    results: list[LoadResponse]
