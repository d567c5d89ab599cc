"""What is said of rows and groups in words that SQL's standard does not have, or that other engines lack."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "any_value", "computed_once", "computed_where_read", "distinct_on", "mode", "qualify", "quantile",
    "string_agg",
]  # fmt: skip


def any_value(sql: str) -> str:
    """The value that all rows of a group have, or NULL."""
    return f"ANY_VALUE({sql})"


def mode(sql: str) -> str:
    return f"MODE({sql})"


def quantile(sql: str, share: str, *, continuous: bool, descending: bool) -> str:
    """The value below which a share of the rows lies: between two of them if ``continuous``."""
    order = f" ORDER BY {sql} DESC" if descending else ""
    return f"{'QUANTILE_CONT' if continuous else 'QUANTILE_DISC'}({sql}, {share}{order})"


def string_agg(text: str, separator: str, order: str, *, distinct: bool) -> str:
    return f"STRING_AGG({'DISTINCT ' if distinct else ''}{text}, {separator} ORDER BY {order})"


def distinct_on(keys: Sequence[str]) -> str:
    """The first row of each group alone, as the beginning of a select list."""
    return f"DISTINCT ON ({', '.join(keys)}) "


def qualify(condition: str) -> str:
    """A condition on what windows give."""
    return f" QUALIFY {condition}"


def computed_once(sql: str) -> str:
    """A common table expression that is computed once, however often it is read."""
    return f"MATERIALIZED ({sql})"


def computed_where_read(sql: str) -> str:
    return f"NOT MATERIALIZED ({sql})"
