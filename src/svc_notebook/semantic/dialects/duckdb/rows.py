"""What is said of rows and groups in words that SQL's standard does not have, or that other engines lack."""

from __future__ import annotations

from collections.abc import Sequence

from ..nodes import clause, distinct, holes
from ..nodes import sql as piece

__all__ = [
    "COMPUTED_ONCE", "COMPUTED_WHERE_READ", "any_value", "as_list", "distinct_on", "mode", "qualify", "quantile",
    "string_agg",
]  # fmt: skip


def any_value(sql: str) -> str:
    """The value that all rows of a group have, or NULL."""
    return piece("ANY_VALUE({})", sql)


def mode(sql: str) -> str:
    return piece("MODE({})", sql)


def quantile(sql: str, share: str, *, continuous: bool, descending: bool) -> str:
    """The value below which a share of the rows lies: between two of them if ``continuous``."""
    order = " ORDER BY {0} DESC" if descending else ""
    return piece(f"{'QUANTILE_CONT' if continuous else 'QUANTILE_DISC'}({{0}}, {{1}}{order})", sql, share)


def string_agg(text: str, separator: str, order: Sequence[tuple[str, str]], *, distinct: bool) -> str:
    """Texts joined, in the order of values each with the words of its direction."""
    by = ", ".join(f"{{}}{direction}" for _, direction in order)
    form = f"STRING_AGG({'DISTINCT ' if distinct else ''}{{}}, {{}} ORDER BY {by})"
    return piece(form, text, separator, *(value for value, _ in order))


def as_list(sql: str, order: Sequence[tuple[str, str]], *, distinct: bool) -> str:
    """Values as a list, in the order of values each with the words of its direction."""
    by = ", ".join(f"{{}}{direction}" for _, direction in order)
    # LIST keeps NULLs, as array_agg of PostgreSQL does.
    form = f"LIST({'DISTINCT ' if distinct else ''}{{}} ORDER BY {by})"
    return piece(form, sql, *(value for value, _ in order))


def distinct_on(keys: Sequence[str]) -> str:
    """The first row of each group alone, as the beginning of a select list."""
    return distinct(f"DISTINCT ON ({holes(len(keys))}) ", *keys)


def qualify(condition: str) -> str:
    """A condition on what windows give."""
    return clause(" QUALIFY {}", condition)


COMPUTED_ONCE, COMPUTED_WHERE_READ = "MATERIALIZED", "NOT MATERIALIZED"
"""How a common table expression is computed that is read several times."""
