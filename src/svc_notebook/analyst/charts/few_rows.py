"""Groups made of so few rows that they are not compared: drawn pale, and outside what the colours span."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from .columns import ChartColumn, quoted

__all__ = ["compared_span", "pale"]

_MOST = 60


def pale(groups: tuple[ChartColumn, ...], value: ChartColumn) -> dict[str, Any]:
    """An encoding that lets marks of such groups be paler; nothing where there are none, or too many to name."""
    if not 0 < len(value.small) <= _MOST or any(g.cells is None or g.kind in ("time", "bin") for g in groups):
        return {}
    keys = [" / ".join(_told(group.cells[row] if group.cells else None) for group in groups) for row in value.small]
    key = " + ' / ' + ".join(f"(datum['{quoted(group.name)}'] + '')" for group in groups)
    named = ", ".join(f"'{quoted(one)}'" for one in keys)
    return {"opacity": {"condition": {"test": f"indexof([{named}], {key}) >= 0", "value": 0.3}, "value": 1}}


def _told(cell: Any) -> str:
    """A cell as an expression of a chart writes it."""
    return "null" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def compared_span(value: ChartColumn) -> dict[str, Any]:
    """The domain of a scale of colours: from the least to the most of the groups that are compared."""
    if not value.small or value.cells is None:
        return {}
    left = set(value.small)
    known = [
        float(cell)
        for row, cell in enumerate(value.cells)
        if row not in left and isinstance(cell, int | float | Decimal)
    ]
    return {"domain": [min(known), max(known)], "clamp": True} if known and min(known) < max(known) else {}
