"""What kind of value an expression has, and constants as values of that kind."""

from __future__ import annotations

import datetime as dt
from typing import Any

from ..... import patterns as re
from ..expressions import (
    Aggregate,
    Arithmetic,
    Bin,
    Call,
    Case,
    Cast,
    Difference,
    Expression,
    Member,
    Moved,
    Now,
    Output,
    Over,
    Part,
    Ratio,
    Scalar,
    Test,
    Truncated,
    Value,
)  # fmt: skip
from .names import Names
from .scope import first_of

__all__ = ["as_kind", "kind_of", "moment"]

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?\Z")
_MOMENT = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?)?\Z")


def kind_of(of: Any, names: Names) -> str:
    """``string``, ``number``, ``time``, ``boolean``, or empty where nothing tells."""
    match of:
        case Member():
            return names.type_of(of.path)
        case Truncated() | Moved() | Now():
            return "time"
        case Part() | Ratio() | Difference() | Bin() | Arithmetic():
            return "number"
        case Aggregate(function="min" | "max" | "median" | "quantile" | "mode" | "measure"):
            return kind_of(of.of, names)
        case Aggregate():
            return "number"
        case Output():
            return kind_of(of.of, names)
        case Cast():
            return {"date": "time", "timestamp": "time", "integer": "number"}.get(of.type, of.type)
        case Case():
            return kind_of(of.branches[0][1], names)
        case Test():
            return "boolean"
        case Scalar():
            shown = first_of(of.form).shown
            return kind_of(shown[0].expression, names) if shown else ""
        case Call() | Over() | Value():
            return _computed(of, names)
    return ""


def _computed(of: Call | Over | Value, names: Names) -> str:
    if isinstance(of, Value):
        for kind, types in (("boolean", bool), ("number", (int, float)), ("time", dt.date), ("string", str)):
            if isinstance(of.value, types):
                return kind
        return ""
    if isinstance(of, Over):
        inner = of.of if of.function in ("min", "max", "previous", "next", "first", "last") else None
        return kind_of(inner, names) if inner is not None else "number"
    if of.name in ("abs", "ceil", "exp", "floor", "length", "ln", "power", "round", "sqrt", "strpos", "trunc"):
        return "number"
    if of.name in ("coalesce", "greatest", "least", "nullif"):
        return kind_of(of.arguments[0], names)
    return "time" if of.name == "last_day" else "string"


def as_kind(value: Expression, kind: str) -> Expression:
    """A constant as it is compared with something of ``kind``: ``'2013-05-01'`` with a time is a date."""
    if not isinstance(value, Value):
        return value
    plain = value.value
    if kind == "time" and isinstance(plain, str):
        return Value(found) if (found := moment(plain)) is not None else value
    if kind == "number" and isinstance(plain, str) and _NUMBER.match(plain):
        return Value(float(plain) if "." in plain else int(plain))
    if kind == "string" and isinstance(plain, (int, float)) and not isinstance(plain, bool):
        return Value(str(plain))
    return value


def moment(text: str) -> dt.date | None:
    """The date or moment a text says in ISO form; midnight is its date."""
    found = _MOMENT.match(text.strip())
    if found is None:
        return None
    numbers = [int(n or 0) for n in found.groups()[:6]]
    try:
        at = dt.datetime(*numbers, int((found[7] or "0")[:6].ljust(6, "0")))  # type: ignore[arg-type,call-arg]  # seven numbers
    except ValueError:
        return None
    return at.date() if at.time() == dt.time() else at
