"""Series: moments or numbers one after the other, as a list or as rows."""

from __future__ import annotations

from .numbers import extreme

__all__ = ["as_rows", "bounded_rows", "counted", "distinct_starts"]


def counted(low: str, high: str, step: str) -> str:
    """From ``low`` to ``high``, both included, as a list."""
    return f"generate_series({low}, {high}, {step})"


def distinct_starts(days: str, start_of_x: str, high: str) -> str:
    """The different beginnings of the periods that some days lie in, up to ``high``; ``start_of_x`` of ``x``."""
    return f"list_filter(list_distinct(list_transform({days}, lambda x: {start_of_x})), lambda y: y <= {high})"


def as_rows(values: str) -> str:
    """The values of a list, one a row."""
    return f"UNNEST({values})"


def bounded_rows(low: str, high: str, step: str, span: str, *, down: bool) -> str:
    """A series as a FROM item with the column ``n``; one that reaches further than ``span`` is an error."""
    last = extreme(["e.high", f"e.low + {span}"], greatest=down)
    long = f"e.high {'<' if down else '>'} e.low + {span}"
    values = f"CASE WHEN {long} THEN error('series too long') ELSE {counted('e.low', last, step)} END"
    return f"(SELECT {as_rows(values)} AS n FROM (SELECT {low} AS low, {high} AS high) AS e)"
