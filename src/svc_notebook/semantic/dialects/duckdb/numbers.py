"""Numbers: logarithms, buckets, and divisions that give NULL for zero."""

from __future__ import annotations

from collections.abc import Sequence

from ..nodes import among, sql, word
from .types import DOUBLE, WHOLE, cast

__all__ = ["PI", "divided", "extreme", "log", "log10", "remainder", "width_bucket"]

PI = word("pi()")


def divided(number: str, by: str) -> str:
    """As doubles: the engine's division of decimals can overflow."""
    return sql("({} / {})", cast(number, DOUBLE), by)


def remainder(number: str, by: str) -> str:
    return sql("({} % NULLIF({}, 0))", number, by)


def log10(number: str) -> str:
    """NULL where there is none."""
    return sql("(CASE WHEN {0} > 0 THEN log10({0}) END)", number)


def log(number: str, base: str) -> str:
    """NULL where there is none."""
    return sql("(CASE WHEN {0} > 0 AND {1} > 0 AND {1} <> 1 THEN ln({0}) / ln({1}) END)", number, base)


def width_bucket(number: str, low: str, high: str, size: float, count: int) -> str:
    """Which of ``count`` buckets of a size a number lies in: 0 below ``low``, ``count + 1`` from ``high`` on."""
    x = cast(number, DOUBLE)
    # LEAST: just below `high` the quotient may be rounded up to the next bucket.
    inner = sql(f"LEAST({{}} + 1, {count})", cast(sql(f"floor(({{}} - {{}}) / {size!r})", x, low), WHOLE))
    form = (
        f"(CASE WHEN {{0}} < {{1}} THEN 0 WHEN {{0}} >= {{2}} THEN {count + 1} WHEN {{0}} IS NOT NULL THEN {{3}} END)"
    )
    return sql(form, x, low, high, inner)


def extreme(values: Sequence[str], *, greatest: bool) -> str:
    """The greatest or the least of values that are all there; of one, itself."""
    if len(values) < 2:
        return values[0] if values else ""
    return among("GREATEST({})" if greatest else "LEAST({})", values)
