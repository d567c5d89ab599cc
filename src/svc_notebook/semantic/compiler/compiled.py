"""What a query became."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from .applied import AppliedFilter

__all__ = ["CompiledQuery", "ResultColumn"]


class ResultColumn(Struct, frozen=True):
    """A column of a result: ``member`` is the path of the member it shows, ``kind`` what its values are."""

    name: str
    member: str | None = None
    title: str | None = None
    format: str | None = None
    currency: str | None = None
    kind: str = "any"


class CompiledQuery(Struct, frozen=True):
    """A query for the engine: ``params`` by placeholder name, what was applied to it, and the ``rollups`` it reads."""

    sql: str
    params: Mapping[str, Any]
    columns: tuple[ResultColumn, ...]
    row_filters: tuple[AppliedFilter, ...] = ()
    notes: tuple[str, ...] = ()
    rollups: tuple[str, ...] = ()
