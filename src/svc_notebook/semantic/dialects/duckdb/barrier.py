"""The end of a relation's permitted rows: nothing of the query gets below, and nothing above goes by hidden rows.

The engine reads a table in pieces of 2,048 rows, hidden ones counted, and computes piece by piece. A join with what
turns out to be empty, an ``EXISTS``, an ``INTERSECT`` or a ``LIMIT`` stops after the piece that settles it: whether an
expression that fails on a visible row was reached by then would go by how many hidden rows lie before it.
"""

from __future__ import annotations

from ..nodes import clause, ended, sql

__all__ = ["barrier", "is_barred"]

_BARRED = " OFFSET 0)"


def barrier(rows: str, *, packed: bool) -> str:
    """Rows as a FROM item; ``packed`` ones are read on in full pieces, whatever lay between them in their table.

    ``OFFSET 0`` is what no condition is pushed below, and keeps the table's order. The right side of a cross join is
    written down before it is read on; what is left of it has one row.
    """
    barred = sql("({})", ended(rows, clause(" OFFSET 0")))
    # Packing costs a copy of all rows, so it is for queries that may be settled before all rows are read.
    if not packed:
        return barred
    return sql("(SELECT svc_rows.* FROM (VALUES (1)) AS svc_one(n) CROSS JOIN {} AS svc_rows)", barred)


def is_barred(text: str) -> bool:
    """Whether a finished FROM item ends in a barrier of either kind."""
    return _BARRED in text
