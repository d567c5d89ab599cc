"""Units of time that no function truncates to, and that have names: half years (``2023 H1``), decades (``1990s``)."""

from __future__ import annotations

__all__ = ["DECADE", "HALF_YEAR", "LONG_GRAINS", "named_unit"]

HALF_YEAR, DECADE = "half_year", "decade"
LONG_GRAINS = {HALF_YEAR: "half year", DECADE: "decade"}


def named_unit(grain: str, column: str) -> str:
    """The name of the unit that a time falls into, as SQL over its column."""
    year = f"EXTRACT(YEAR FROM {column})"
    if grain == HALF_YEAR:
        half = f"CASE WHEN EXTRACT(MONTH FROM {column}) <= 6 THEN ' H1' ELSE ' H2' END"
        return f"CAST({year} AS VARCHAR) || {half}"
    return f"CAST({year} - {year} % 10 AS VARCHAR) || 's'"
