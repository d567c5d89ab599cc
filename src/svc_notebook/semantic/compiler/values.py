"""What binding produces: expressions as SQL text with a kind, values as parameters, names as quoted identifiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..dialects.nodes import literal, number, word
from ..errors import InvalidQuery, TooComplex

__all__ = ["Bound", "Params", "as_kind", "kind_of_value", "quote", "text_literal"]

# The engine cannot be stopped within a call: a text made of texts made of texts would fill the memory first.
_MAX_GROWTH = 1000
_NO_LITERAL = object()


def quote(name: str) -> str:
    """An identifier, always quoted."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A text of the model's author as a literal (an asker's text is bound, never written)."""
    return literal(text)


class Bound(Struct, frozen=True):
    """A bound expression.

    Attributes
    ----------
    sql
        Text that stands anywhere an operand may (parenthesised where needed).
    kind
        ``string number boolean timestamp date interval null any``.
    uses
        Columns of model sources it reads, as (source's alias, column); empty for constants and for aggregates.
    row
        Whether its value depends on a row that a policy might hide (not so for constants and aggregates' results).
    literal
        The value, where the expression is a literal that may still take another type.
    member
        The path of the member it simply is, and ``granularity`` if truncated.
    growth
        Upper bound on how many times longer than its inputs a text can be; capped, since the engine cannot stop it.
    floating
        Whether it is known to be a floating-point number, whose arithmetic cannot overflow into an error.
    narrow
        Whether its type may be one of whole numbers of fewer than 64 bits, which arithmetic would soon overflow.
    listed
        Whether it is a column of lists, whatever kind the model says.
    zoned
        Of a timestamp: whether it stands for a moment, or for what a clock shows; None where that is not known.
    """

    sql: str
    kind: str
    uses: frozenset[tuple[str, str]] = frozenset()
    row: bool = False
    literal: Any = _NO_LITERAL
    member: str | None = None
    growth: int = 1
    floating: bool = False
    narrow: bool = False
    listed: bool = False
    zoned: bool | None = None

    @property
    def is_literal(self) -> bool:
        return self.literal is not _NO_LITERAL

    @staticmethod
    def of(sql: str, kind: str, *parts: Bound, growth: int | None = None) -> Bound:
        """An expression made of others."""
        size = max((p.growth for p in parts), default=1) if growth is None else growth
        if size > _MAX_GROWTH:
            raise TooComplex("The query makes texts too long; concatenate or replace less.")
        uses = parts[0].uses if len(parts) == 1 else frozenset().union(*(p.uses for p in parts))
        zoned = _zoned(parts) if kind == "timestamp" else None
        numbers = [p.narrow for p in parts if p.kind == "number"] if kind == "number" else []
        narrow = bool(numbers) and all(numbers)
        return Bound(sql, kind, uses, any(p.row for p in parts), growth=size, narrow=narrow, zoned=zoned)

    def named(self, member: str | None) -> Bound:
        return replace(self, member=member)


def _zoned(parts: Sequence[Bound]) -> bool | None:
    """What the times among the parts stand for, if it is the same; a date is no moment."""
    found = {part.zoned if part.kind == "timestamp" else False for part in parts if part.kind in ("timestamp", "date")}
    return found.pop() if len(found) == 1 else None


class Params:
    """The values of one query, by placeholder; equal values of one type share a placeholder.

    ``zone`` is the query's: moments that are written with a zone of their own are shown in it.
    """

    def __init__(self, zone: str = "UTC") -> None:
        self.zone = zone
        self._names: dict[tuple[type, Any], str] = {}
        self.values: dict[str, Any] = {}
        self.written: set[str] = set()
        """The placeholders of values that are not the asker's alone: the query's own, and the model's."""

    def add(self, value: Any) -> str:
        """Bind a value and return its placeholder."""
        name = self.add_of_asker(value)
        self.written.add(name[1:])
        return name

    def add_of_asker(self, value: Any) -> str:
        """The same for a value that a policy's filter compares with."""
        # With the type, or 1 and TRUE would share a placeholder.
        key = (type(value), value)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"p{len(self._names) + 1}"
            self.values[name] = list(value) if isinstance(value, tuple) else value
        return word(f"${name}")

    def used_in(self, sql: str) -> dict[str, Any]:
        """The values whose placeholders occur in the final text."""
        names = set(re.findall(r"\$(p\d+)\b", sql))
        return {name: value for name, value in self.values.items() if name in names}

    def literal(self, value: Any) -> Bound:
        """A literal as an expression: texts and moments are bound, numbers are printed anew from their value."""
        kind = kind_of_value(value)
        if isinstance(value, bool):
            return Bound(word("TRUE" if value else "FALSE"), kind, literal=value)
        if isinstance(value, int):
            # What HUGEINT holds.
            if abs(value) >= 2**127:
                raise InvalidQuery("A number in the query is too large.")
            text = str(value) if value >= 0 else f"({value})"
            # Below this a literal is an INTEGER to DuckDB.
            return Bound(number(text), kind, literal=value, narrow=abs(value) < 2**31)
        if isinstance(value, Decimal):
            if not value.is_finite():
                return Bound(self.add(_float_of(value)), kind, literal=value)
            # A literal of many decimals would force a decimal column into a type that its values may not fit.
            digits, exponent = len(value.as_tuple().digits), int(value.as_tuple().exponent)
            if digits > 18 or not -6 <= exponent <= 18:
                return Bound(self.add(_float_of(value)), kind, literal=value)
            text = f"{value:f}"
            return Bound(number(text if value >= 0 else f"({text})"), kind, literal=value)
        if value is None:
            return Bound(word("NULL"), "null", literal=None)
        return Bound(self.add(value), kind, literal=value)


def _float_of(value: Decimal) -> float:
    try:
        return float(value)
    except ValueError:  # a signalling NaN
        raise InvalidQuery("A number in the query is not a number.") from None


def kind_of_value(value: Any) -> str:
    """The kind of a Python value that a caller or a literal may give."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float, Decimal)):
        return "number"
    if isinstance(value, datetime):
        return "timestamp"
    if isinstance(value, date):
        return "date"
    if isinstance(value, str):
        return "string"
    raise InvalidQuery(
        f"A parameter of type {type(value).__name__} is not supported; give text, number, date or boolean."
    )


def as_kind(params: Params, value: Bound, kind: str) -> Bound:
    """A literal in the kind of what it is compared with; anything else unchanged.

    Raises
    ------
    InvalidQuery
        If the literal has no reading of that kind.
    """
    if not value.is_literal or value.kind in (kind, "null"):
        return value
    raw = value.literal
    if kind in ("timestamp", "date") and isinstance(raw, str):
        return params.literal(_moment(raw, params.zone))
    if kind == "number" and isinstance(raw, str):
        try:
            number = Decimal(raw.strip())
        except ArithmeticError:
            raise InvalidQuery(f"'{raw}' is compared with a number but is not one.") from None
        # No arithmetic on it before its size is known: '1e999999999' has a thousand million digits.
        small = number.is_finite() and int(number.as_tuple().exponent) >= -40 and number.adjusted() < 19
        whole = small and number == number.to_integral_value() and abs(number) < 2**63
        return params.literal(int(number) if whole else number)
    if kind == "string" and isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool):
        return params.literal(str(raw))
    if kind == "boolean" and isinstance(raw, str):
        word = {"true": True, "t": True, "false": False, "f": False}.get(raw.strip().lower())
        if word is not None:
            return params.literal(word)
        raise InvalidQuery(f"'{raw}' is compared with a boolean; write TRUE or FALSE.")
    if kind == "boolean" and raw in (0, 1) and not isinstance(raw, bool):
        return params.literal(bool(raw))
    return value


def _moment(text: str, zone: str) -> date | datetime:
    cleaned = text.strip()
    try:
        if len(cleaned) == 10:
            return date.fromisoformat(cleaned)
        if re.fullmatch(r"\d{4}-\d{2}", cleaned):
            return date.fromisoformat(f"{cleaned}-01")
        moment = datetime.fromisoformat(re.sub("[zZ]$", "+00:00", cleaned))
        return moment.replace(tzinfo=None) if moment.tzinfo is None else _naive(moment, zone)
    except (ValueError, OverflowError):
        raise InvalidQuery(
            f"'{text}' is compared with a time but is not one; write it like '2024-01-31' or '2024-01-31 13:45:00'."
        ) from None


def _naive(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(UTC if zone == "UTC" else _zone(zone)).replace(tzinfo=None)


def _zone(name: str) -> tzinfo:
    # Imported here: most queries are asked in UTC.
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)
