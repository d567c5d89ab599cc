"""How one value of a result is shown: by the format and currency of its member, the same in every place.

``shown`` is for people; ``numeric`` is the number behind it, for sorting and for charts. Integers beyond 2^53 and
decimals travel as strings and are shown with all their digits.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from .. import patterns as re
from ..locales import Locale, locale_of
from ..protocol.headings import with_unit

__all__ = ["NULL", "ColumnLike", "is_numeric", "is_temporal", "label", "numeric", "shown", "written"]

NULL = "null"

_NUMBER = re.compile(r"u?int\d*|float\d*|double|real|decimal.*|numeric.*|number|bigint|smallint|tinyint|long")
_TIME = re.compile(r"timestamp.*|datetime.*|date\d*|time")
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "KRW": "₩"}
_PERIODS = {"month": 1, "quarter": 3, "year": 12}
_BEGINS = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?:[T ]00:00:00(?:\.0+)?Z?)?$")
_MIDNIGHT = re.compile(r"[T ]00:00:00(?:\.0+)?Z?$")


class ColumnLike(Protocol):
    """What is asked of a column: the wire's ``Column`` and a few others have it."""

    @property
    def name(self) -> str: ...
    @property
    def column_type(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def format(self) -> str | None: ...
    @property
    def currency(self) -> str | None: ...
    @property
    def unit(self) -> str | None: ...


def is_numeric(column: ColumnLike) -> bool:
    """Whether the column holds numbers, by the service's ``column_type``."""
    return _NUMBER.fullmatch(column.column_type.lower()) is not None


def is_temporal(column: ColumnLike) -> bool:
    """Whether the column holds dates or times."""
    return _TIME.fullmatch(column.column_type.lower()) is not None


def label(column: ColumnLike) -> str:
    """What stands at the head of the column: its title, and what its numbers are counted in unless it says so."""
    return with_unit(column.title or column.name, column.unit)


def numeric(value: Any) -> float | Decimal | None:
    """The number behind a wire value, or None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float | Decimal):
        return value if math.isfinite(value) else None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def written(column: ColumnLike) -> Locale:
    """How the cells of a column are written: in the language that the analyst answered in."""
    return locale_of(getattr(column, "language", None))


def shown(value: Any, column: ColumnLike, *, whole: bool = False) -> str:
    """A value as text: grouped digits, percent and currency by the member's format, dates without an empty time.

    Parameters
    ----------
    whole
        Whether all numbers of the column that are looked at are whole: then none has an empty fraction.
    """
    locale = written(column)
    if value is None:
        return locale.cells["null"]
    if isinstance(value, bool):
        return locale.cells["yes" if value else "no"]
    if is_numeric(column) and (number := numeric(value)) is not None:
        return _number(number, column, locale, whole=whole)
    if is_temporal(column):
        if (period := _period(str(value), (column.format or "").lower(), locale)) is not None:
            return period
        return _MIDNIGHT.sub("", str(value)).replace("T", " ")
    return str(value)


def _period(moment: str, form: str, locale: Locale) -> str | None:
    """A moment that begins a period, as the period's name; None for any other moment, which must not lose a digit."""
    begun = _BEGINS.match(moment)
    if begun is None or form not in _PERIODS:
        return None
    year, month = begun["year"], int(begun["month"])
    if begun["day"] != "01" or (month - 1) % _PERIODS[form]:
        return None
    if form == "month":
        return locale.cells["short_month"].format(month=locale.short_months[month - 1], year=year)
    return year if form == "year" else locale.dates["quarter"].format(quarter=(month + 2) // 3, year=year)


def _number(number: Any, column: ColumnLike, locale: Locale, *, whole: bool) -> str:
    form = (column.format or "").lower()
    if form.startswith("percent"):
        return f"{locale.digits(_grouped(number * 100, _places(form, 1)))}{locale.cells['percent']}"
    if form.startswith("currency") or (column.currency and not form):
        code = (column.currency or "USD").upper()
        amount = locale.digits(_grouped(abs(number), _places(form, 2)))
        sign = "-" if number < 0 else ""
        if code not in _SYMBOLS:
            return f"{sign}{amount} {code}"
        return sign + locale.cells["money"].format(sign=_SYMBOLS[code], amount=amount)
    names = {"weekday": locale.weekdays, "month": locale.months}.get(form, ())
    if names and number == int(number) and 1 <= number <= len(names):
        return names[int(number) - 1]
    if form in {"id", "imageurl", "link"}:
        return str(number)
    return locale.digits(_plain(number, form, whole=whole))


def _plain(number: Any, form: str, *, whole: bool) -> str:
    if (places := _places(form, -1)) >= 0:
        return _grouped(number, places)
    if isinstance(number, int) or whole:
        return f"{int(number):,}"
    if isinstance(number, Decimal) and number == number.to_integral_value():
        return f"{int(number):,}"
    return _grouped(number, 2) if abs(number) >= 0.1 or not number else f"{float(number):.3g}"


def _places(form: str, default: int) -> int:
    match = re.search(r"_(\d)$", form)
    return int(match[1]) if match else default


def _grouped(number: float | Decimal, places: int) -> str:
    text = f"{number:,.{places}f}"
    return text.rstrip("0").rstrip(".") if places > 2 and "." in text else text
