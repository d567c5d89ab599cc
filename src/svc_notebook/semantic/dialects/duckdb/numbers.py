"""Numbers: logarithms, buckets, and divisions that give NULL for zero."""

from __future__ import annotations

from collections.abc import Sequence

from .types import DOUBLE, WHOLE, cast

__all__ = ["PI", "divided", "extreme", "log", "log10", "remainder", "width_bucket"]

PI = "pi()"


def divided(number: str, by: str) -> str:
    """As doubles: the engine's division of decimals can overflow."""
    return f"({cast(number, DOUBLE)} / {by})"


def remainder(number: str, by: str) -> str:
    return f"({number} % NULLIF({by}, 0))"


def log10(number: str) -> str:
    """NULL where there is none."""
    return f"(CASE WHEN {number} > 0 THEN log10({number}) END)"


def log(number: str, base: str) -> str:
    """NULL where there is none."""
    return f"(CASE WHEN {number} > 0 AND {base} > 0 AND {base} <> 1 THEN ln({number}) / ln({base}) END)"


def width_bucket(number: str, low: str, high: str, size: float, count: int) -> str:
    """Which of ``count`` buckets of a size a number lies in: 0 below ``low``, ``count + 1`` from ``high`` on."""
    x = cast(number, DOUBLE)
    inner = f"LEAST({cast(f'floor(({x} - {low}) / {size!r})', WHOLE)} + 1, {count})"
    return f"(CASE WHEN {x} < {low} THEN 0 WHEN {x} >= {high} THEN {count + 1} WHEN {x} IS NOT NULL THEN {inner} END)"


def extreme(values: Sequence[str], *, greatest: bool) -> str:
    """The greatest or the least of values that are all there; of one, itself."""
    return f"{'GREATEST' if greatest else 'LEAST'}({', '.join(values)})" if len(values) > 1 else "".join(values)
