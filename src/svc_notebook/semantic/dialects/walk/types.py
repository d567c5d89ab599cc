"""The kinds that types in a query, and values that are bound, stand for."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlglot import exp

from .kinds import BOOL, DATE, FLOAT8, HUGE, INT4, INT8, NULL, TEXT, TIMESTAMP, TIMESTAMPTZ, Kind
from .refusal import Unsaid

__all__ = ["kind_of_param", "kind_of_type"]


def kind_of_param(value: Any) -> Kind:
    """The kind of a value that is bound."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT8 if -(2**63) <= value < 2**63 else HUGE
    if isinstance(value, Decimal):
        return Kind("numeric", max(0, -int(value.as_tuple().exponent)))
    if isinstance(value, (list, tuple)):
        # An empty list has no value to tell a kind by.
        return Kind("list", item=kind_of_param(value[0]) if value else TEXT)
    found = next((kind for types, kind in _PLAIN_PARAMS if isinstance(value, types)), None)
    if found is None:
        raise Unsaid(f"a parameter of the type {type(value).__name__}")
    return found


_PLAIN_PARAMS = ((float, FLOAT8), (str, TEXT), (datetime, TIMESTAMP), (date, DATE))


_KINDS = {
    "INT": INT4, "BIGINT": INT8, "INT128": HUGE, "DOUBLE": FLOAT8, "FLOAT": FLOAT8,
    "BOOLEAN": BOOL, "VARCHAR": TEXT, "TEXT": TEXT, "CHAR": TEXT, "DATE": DATE, "TIMESTAMP": TIMESTAMP,
    "DATETIME": TIMESTAMP, "TIMESTAMPTZ": TIMESTAMPTZ, "TIMESTAMPNTZ": TIMESTAMP,
}  # fmt: skip


def kind_of_type(target: exp.DataType) -> Kind:
    """The kind that a cast is to."""
    name = str(getattr(target.this, "name", target.this))
    if name == "ARRAY" and len(target.expressions) == 1:
        return Kind("list", item=kind_of_type(target.expressions[0]))
    if name == "DECIMAL":
        sizes = [int(part.this.this) for part in target.expressions]
        # DECIMAL alone is DECIMAL(18, 3) in DuckDB.
        precision, scale = (sizes[0] if sizes else 18), (sizes[1] if len(sizes) > 1 else 0 if sizes else 3)
        return Kind("numeric", scale, precision)
    if name in ("SMALLINT", "TINYINT"):
        raise Unsaid(f"a cast to {name}", "cast to INTEGER")
    if name not in _KINDS:
        raise Unsaid(f"a cast to {name}")
    return _KINDS[name]
