"""Rows that are asked for beside an answer: to explain, to compare, to tell readings apart (blocking: in a worker)."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from ...arrow_compute import pc
from ...lanes import fetch
from ...semantic.errors import SemanticError
from .ranking.outcome import FAILED

if TYPE_CHECKING:
    import pyarrow as pa

    from ..toolbox import Toolbox
    from .schema.metadata import Metadata

__all__ = ["asked", "asked_or_none", "given", "holds_nothing", "is_quick"]

_COMPARED = 200  # rows of results that are compared
_SORTED = 2_000  # rows that are written out to be sorted as texts, whatever the order of their columns
_QUICK = 20_000_000  # rows of a table that readings are run over to tell them apart


def asked(toolbox: Toolbox, sql: str) -> pa.Table:
    """The rows of a query for the asker."""
    ask = partial(toolbox.sight.query, sql, timezone=toolbox.timezone, cancel=toolbox.cancel)
    return fetch(ask, toolbox.cancel).table


def asked_or_none(toolbox: Toolbox, sql: str) -> pa.Table | None:
    """The rows of a query that an answer can do without."""
    try:
        return asked(toolbox, sql)
    except SemanticError:
        return None


def holds_nothing(table: pa.Table) -> bool:
    """Whether a result has no row, or one without a value."""
    return table.num_rows == 0 or table.num_rows == 1 and all(v is None for v in table.to_pylist()[0].values())


def given(toolbox: Toolbox, sql: str) -> Hashable | None:
    """What a query gives, to be compared, the number of rows first; None for no row, or one without a value.

    Where the data are far and large only as many rows are asked for as are compared: a list of rows is all columns of
    whatever was meant, and more rows than these are many.
    """
    some = f"SELECT * FROM ({sql.strip().rstrip(';')}) AS met LIMIT {_COMPARED + 1}"
    table = asked_or_none(toolbox, some if toolbox.sight.surveys else sql)
    if table is None:
        return FAILED
    if holds_nothing(table):
        return None
    return (table.num_rows, *_told_by(table))


def _told_by(table: pa.Table) -> list[str]:
    """Some rows to tell a result by, the same whenever it is asked for: an engine gives groups in any order."""
    if table.num_rows > _SORTED:
        table = _least(table)
    rows = sorted(repr(sorted(row.values(), key=repr)) for row in table.to_pylist())
    return rows[:_COMPARED]


def _least(table: pa.Table) -> pa.Table:
    """The first rows by their columns, one after the other."""
    keys = [(name, "ascending") for name in dict.fromkeys(table.column_names)]
    try:
        return table.take(pc.select_k_unstable(table, k=_COMPARED, sort_keys=keys))
    except (NotImplementedError, ValueError, TypeError):  # Arrow's errors are these: columns that have no order
        return table.slice(0, _COMPARED)


def is_quick(metadata: Metadata) -> bool:
    """Whether readings may be run to tell them apart: by the size of the first table with a time, and no clock."""
    times = (time for relation in metadata.catalog.relations for time in metadata.times([relation])[:1])
    first = next(times, None)
    return first is None or metadata.profile(first).rows <= _QUICK
