"""What a query gave, and what that depends on."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import pyarrow as pa

from ...records import dataclass
from ..compiler import AppliedFilter, ResultColumn

__all__ = ["KeptKey", "QueryResult"]


class KeptKey(NamedTuple):
    """What a result depends on: ``data`` stands for its generation, ``rest`` for everything else."""

    data: Hashable
    rest: Hashable


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A result: ``sql`` as asked, ``compiled_sql`` as run, ``elapsed`` in seconds, ``as_of`` of its data.

    ``truncated``: there are more rows than the limit, which are not here. ``kept``: it had been computed before, and
    ``key`` is what it is kept under. ``rollups``: those that it was computed from instead of the rows.
    """

    table: pa.Table
    columns: tuple[ResultColumn, ...]
    sql: str
    compiled_sql: str
    row_filters: tuple[AppliedFilter, ...]
    notes: tuple[str, ...]
    elapsed: float
    as_of: str = ""
    truncated: bool = False
    kept: bool = False
    key: KeptKey | None = None
    rollups: tuple[str, ...] = ()
