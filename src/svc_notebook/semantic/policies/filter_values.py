"""Values of row filters: which can be used at all, in the type of the member, and the days that dates stand for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

__all__ = ["MAX_VALUES", "Denied", "day_after", "day_start", "typed", "usable"]

MAX_VALUES = 50_000


class Denied(Exception):
    """The filter cannot be satisfied by what the asker has; the text is the note."""


def usable(value: Any) -> bool:
    if value is None or isinstance(value, (Mapping, list, tuple)):
        return False
    if isinstance(value, Decimal):
        # DECIMAL(38) is the widest there is; what does not fit is refused before a number is rounded into another.
        return value.is_finite() and int(value.as_tuple().exponent) >= -38 and value.adjusted() < 38
    if isinstance(value, str):
        return value != "" and (value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value))
    if isinstance(value, int):
        return value.bit_length() < 128  # what the database has numbers for
    return not (isinstance(value, float) and not math.isfinite(value))


def typed(values: list[tuple[Any, bool]], kind: str, operator: str) -> list[tuple[Any, bool]]:
    """Values in the type of the member. The asker's must have it; the model's own may be written as text."""
    out: dict[tuple[type, Any], tuple[Any, bool]] = {}
    text = operator.removeprefix("not").lower() in ("contains", "startswith", "endswith")
    for value, from_asker in values:
        if not usable(value):
            raise Denied("a value is null, empty or not a number")
        found = _as_kind(value, "string" if text else kind, strict=from_asker)
        if found is None or (text and kind != "string"):
            raise Denied(f"a value of type {type(value).__name__} does not fit a {kind} member")
        # With the type: 1 and True are one key to a dict.
        out.setdefault((type(found), found), (found, from_asker))
    if len(out) > MAX_VALUES:
        raise Denied(f"there are more than {MAX_VALUES} values")
    return list(out.values())


def _as_kind(value: Any, kind: str, *, strict: bool) -> Any:
    if kind == "string":
        return value if isinstance(value, str) else None if strict or isinstance(value, bool) else str(value)
    if kind == "number":
        if isinstance(value, bool):
            return None
        if isinstance(value, (int, float, Decimal)):
            return value
        return None if strict else _number(value)
    if kind == "boolean":
        if isinstance(value, bool):
            return value
        return (
            None if strict or not isinstance(value, str) else {"true": True, "false": False}.get(value.strip().lower())
        )
    if kind in ("timestamp", "date"):
        if isinstance(value, (date, datetime)):
            return None if getattr(value, "tzinfo", None) is not None else value
        return _moment(value)
    return None


def _number(value: Any) -> Any:
    try:
        number = Decimal(value)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return number if number.is_finite() else None


def _moment(value: Any) -> date | datetime | None:
    if not isinstance(value, str):
        return None
    try:
        text = value.strip().removesuffix("Z")
        if len(text) == 10:
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is None else None


def day_start(value: date | datetime) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)


def day_after(value: date | datetime) -> datetime | None:
    """The first moment after ``value`` (a date includes its whole day); None after the last one there is."""
    try:
        if isinstance(value, datetime):
            return value + timedelta(microseconds=1)
        return datetime(value.year, value.month, value.day) + timedelta(days=1)
    except OverflowError:
        return None
