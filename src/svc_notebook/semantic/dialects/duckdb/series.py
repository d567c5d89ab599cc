"""Series: moments or numbers one after the other, as a list or as rows."""

from __future__ import annotations

from ..nodes import sql, word
from .numbers import extreme

__all__ = ["as_rows", "bounded_rows", "counted", "distinct_starts"]


def counted(low: str, high: str, step: str) -> str:
    """From ``low`` to ``high``, both included, as a list."""
    return sql("generate_series({}, {}, {})", low, high, step)


def distinct_starts(days: str, start_of_x: str, high: str) -> str:
    """The different beginnings of the periods that some days lie in, up to ``high``; ``start_of_x`` of ``x``."""
    return sql(
        "list_filter(list_distinct(list_transform({}, lambda x: {})), lambda y: y <= {})", days, start_of_x, high
    )


def as_rows(values: str) -> str:
    """The values of a list, one a row."""
    return sql("UNNEST({})", values)


def bounded_rows(low: str, high: str, step: str, span: str, *, down: bool) -> str:
    """A series as a FROM item with the column ``n``; one that reaches further than ``span`` is an error."""
    last = extreme([word("e.high"), sql("e.low + {}", span)], greatest=down)
    long = sql(f"e.high {'<' if down else '>'} e.low + {{}}", span)
    counted_up = counted(word("e.low"), last, step)
    # The series itself is cut at `last` as well: DuckDB may build it before it looks at the condition.
    values = sql("CASE WHEN {} THEN error('series too long') ELSE {} END", long, counted_up)
    return sql("(SELECT {} AS n FROM (SELECT {} AS low, {} AS high) AS e)", as_rows(values), low, high)
