"""Inputs and results of the tools svcMeta and svcSqlApi.

Both travel as JSON text inside a JSON string (``toolCall.input``, ``toolCall.result``); ``vegaSpec`` is a third
level inside that. :func:`dump` writes one level, the client's tolerant reader lives in ``client``.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from .reading import Reading

__all__ = [
    "META_TOOL", "SQL_TOOL", "Column", "CubeInfo", "MemberInfo", "MetaInput", "MetaResult", "RowFilter",
    "SqlInput", "SqlResult", "ToolError", "dump", "is_sql_tool",
]  # fmt: skip

META_TOOL = "svcMeta"
SQL_TOOL = "svcSqlApi"


class MetaInput(msgspec.Struct, rename="camel", frozen=True):
    search_query: str = ""


class MemberInfo(msgspec.Struct, rename="camel", frozen=True):
    """A member as svcMeta and GET /v1/meta show it; ``name`` is ``view.member``."""

    name: str
    title: str
    type: str
    member_type: str = "dimension"  # "dimension" | "measure" | "segment"
    description: str | None = None
    agg_type: str | None = None
    format: str | None = None
    currency: str | None = None
    primary_key: bool = False
    granularities: list[str] | None = None
    synonyms: list[str] | None = None


class CubeInfo(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    name: str
    type: str  # "cube" | "view"
    title: str
    members: list[MemberInfo]
    description: str | None = None


class MetaResult(msgspec.Struct, rename="camel", frozen=True):
    cubes: list[CubeInfo]
    search_query: str


class SqlInput(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True, kw_only=True):
    sql_query: str
    query_title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    user_request: str | UnsetType = UNSET
    memory_id: str | UnsetType = UNSET
    vega_spec: str | UnsetType = UNSET
    reading: Reading | UnsetType = UNSET
    language: str | UnsetType = UNSET


class Column(msgspec.Struct, frozen=True, omit_defaults=True):
    """A result column. The wire spells ``column_type`` with an underscore; ``format`` and such are the member's.

    ``language``: the one its title, and so its cells, are written in, where that is not English. ``unit``: what its
    numbers are counted in (``minutes``), where that is known and no currency.
    """

    name: str
    column_type: str
    member: str | None = None
    title: str | None = None
    format: str | None = None
    currency: str | None = None
    language: str | None = None
    unit: str | None = None


class RowFilter(msgspec.Struct, rename="camel", frozen=True, omit_defaults=True):
    """A row-level policy that was applied to a query, in words, for the evidence strip and ``explain``."""

    cube: str
    filter: str
    reason: str | None = None


class SqlResult(msgspec.Struct, rename="camel", frozen=True, kw_only=True):
    """Result of svcSqlApi. ``data`` holds at most the row cap; ``total_rows`` is the full count.

    Every field of the specification is always there, also when empty; only UNSET ones are left out. Where there are
    more rows than one result holds, ``truncated`` is true, ``row_limit`` says how many it holds, and the full count,
    which nobody knows, is absent. ``as_of`` is when the data were read; ``kept``: it had been computed before.
    """

    sql_query: str
    query_title: str = ""
    description: str = ""
    user_request: str = ""
    schema: list[Column] = []
    data: list[list[Any]] = []
    total_rows: int | UnsetType = 0
    uuid: str = ""
    vega_spec: str | UnsetType = UNSET
    row_filters: list[RowFilter] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET
    truncated: bool | UnsetType = UNSET
    row_limit: int | UnsetType = UNSET
    as_of: str | UnsetType = UNSET
    kept: bool | UnsetType = UNSET


class ToolError(msgspec.Struct, frozen=True):
    """Result of a failed tool: a short text that says what was wrong and what to write instead."""

    error: str


def dump(value: Any) -> str:
    """One level of JSON text, ASCII only inside the surrounding line's encoder."""
    return msgspec.json.encode(value).decode()


def is_sql_tool(name: str) -> bool:
    return name.endswith(("SqlApi", "SqlApiWithChart"))
