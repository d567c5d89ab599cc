"""Sets of few values as the bits of a number: one row with several of them, where there was a row for each."""

from __future__ import annotations

from ..nodes import item, sql

__all__ = ["IN_BITS", "all_bits", "has_bit", "numbered"]

IN_BITS = 12
"""The most values that stand in one number: of so many there are 4,095 sets, each of which is taken apart once."""


def numbered(value: str, of: str, alias: str) -> str:
    """The values of some rows but NULL, each with its ``part`` and the ``bit`` of that.

    All are of one part where they are few; else each is of its own, and nothing is put together.
    """
    values = item("(SELECT DISTINCT {} AS value FROM {}) AS svc_values", value, of)
    counted = item(
        "(SELECT value, ROW_NUMBER() OVER (ORDER BY value) AS place, COUNT(*) OVER () AS many FROM {} "
        "WHERE NOT value IS NULL) AS svc_counted",
        values,
    )
    form = (
        f"(SELECT value, CASE WHEN many <= {IN_BITS} THEN 0 ELSE place END AS part, "
        f"CAST(1 AS BIGINT) << ((place - 1) % {IN_BITS}) AS bit FROM {{}}) AS {alias}"
    )
    return item(form, counted)


def all_bits(bit: str) -> str:
    """The bits of several rows together."""
    return sql("BIT_OR({})", bit)


def has_bit(bits: str, bit: str) -> str:
    """Whether a bit is among them."""
    return sql("(({} & {}) <> 0)", bits, bit)
