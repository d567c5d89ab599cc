"""What PostgreSQL sends as Arrow in the types that results have."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ....arrow_compute import pc
from ..arrow_types import canonical_table

__all__ = ["plain_table"]

_TYPE, _SIZE, _DIGITS = b"ADBC:postgresql:typname", b"POSTGRESQL:typmod", 38


def plain_table(table: pa.Table) -> pa.Table:
    """The table in canonical types; numbers of any size, which come as texts, as decimals."""
    columns = [_plain(table.column(i), table.schema.field(i)) for i in range(table.num_columns)]
    return canonical_table(pa.table(columns, names=table.column_names) if columns else table)


def _plain(column: pa.ChunkedArray, field: Any) -> pa.ChunkedArray:
    if not isinstance(field.type, pa.BaseExtensionType):
        return column
    stored = pa.chunked_array([chunk.storage for chunk in column.chunks], field.type.storage_type)
    if (field.metadata or {}).get(_TYPE) == b"numeric":
        size = int((field.metadata or {}).get(_SIZE, b"-1"))
        return _decimals(stored, (size - 4) & 0x7FF if size >= 4 else None)
    return stored


def _decimals(texts: pa.ChunkedArray, scale: int | None) -> pa.ChunkedArray:
    if scale is None:
        # As many as the longest value has: a numeric without a declared scale has one for each value.
        places = pc.max(pc.utf8_length(pc.replace_substring_regex(texts, r"^[^.]*\.?", ""))).as_py()
        scale = places or 0
    try:
        return texts.cast(pa.decimal128(_DIGITS, min(scale, _DIGITS)))
    except pa.ArrowInvalid:  # not a number, endless, or of more digits than there are
        return texts.cast(pa.float64())
