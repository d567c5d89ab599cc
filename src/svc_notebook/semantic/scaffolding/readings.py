"""Values in disguise: text that is dates, amounts or shares, numbers that are points in time; and how to read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Any

from ...records import dataclass
from .months import EXAMPLES, month_tests, named_date

__all__ = ["ONE_OR_NOUGHT", "Reading", "is_whole", "number_reading", "reading_of_text", "text_tests"]

_ISO = r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?"
_DATE_FORMATS = (
    "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M", "%d.%m.%Y %H:%M",
    "%Y%m%d %H:%M:%S", "%m/%d/%y", "%d/%m/%y", "%d.%m.%y", "%d-%b-%Y", "%d %b %Y", "%b %d, %Y", "%d %B %Y",
    "%B %d, %Y", "%Y-%m", "%b %d %Y", "%B %d %Y", "%b %Y", "%B %Y", "%d. %b %Y", "%d. %B %Y",
)  # fmt: skip
_SPACES = " \u00a0\u202f"  # between digits, as in France
_COMMA = rf"[-+]?(\d{{1,3}}(\.\d{{3}})+|\d{{1,3}}([{_SPACES}]\d{{3}})+|\d+)(,\d+)?"
_COMMA_PROOF = r".*,(\d{1,2}|\d{4,})"  # three digits after a comma may be thousands
_ABSENT = ("", "-", "–", "n/a", "na", "#n/a", "null", "none", "nan", "?", "k.a.")
_NEGATIVE = r"^ *[(](.*)[)] *$|^ *([0-9][0-9., ]*)- *$"  # (1,234.50), and 1.234,50- as SAP has it
# No leading zeros: 00123 is a number of an article or a postcode.
_PLAIN_NUMBER = r"[-+]?(0|[1-9]\d*)(\.\d+)?"
_POINT = r"[-+]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?"
# 1,234 alone may be a decimal of three places; a point behind it, or a second comma, settles it.
_POINT_PROOF = r".*,\d{3}(\.\d+|,\d{3}.*)"
_YES = ("yes", "y", "true", "ja", "j", "oui", "si", "sí", "sim", "tak")
_NO = ("no", "n", "false", "nein", "non", "nee", "não", "nie")
_SIGNS = "[$€£¥%]"
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_COUNTS = 11
_TRUTH = f"CASE WHEN lower(trim({{x}})) IN {_YES} THEN TRUE WHEN lower(trim({{x}})) IN {_NO} THEN FALSE END"
_EXAMPLE = datetime(2024, 12, 31, 18, 30)
_EPOCH_WORDS = frozenset(("ts", "timestamp", "time", "epoch", "unix", "at", "date", "created", "updated", "modified"))
# 1 January 1990 and 2050 in seconds: numbers outside are hardly moments of anybody's data.
_SINCE_1990, _UNTIL_2050 = 631_152_000, 2_524_608_000


@dataclass(frozen=True, slots=True)
class Reading:
    """How values are read as something else: ``template`` holds ``{x}`` for the column, ``shown`` the format's keys."""

    kind: str
    template: str
    shown: Mapping[str, Any] = field(default_factory=dict)
    written: str = "as text"

    def sql(self, column: str) -> str:
        return self.template.replace("{x}", column)


ONE_OR_NOUGHT = Reading("boolean", "({x} = 1)", written="as 1 and 0")
"""A yes or no kept as a number."""


def text_tests(text: str) -> list[str]:
    """Aggregates over a text expression from which :func:`reading_of_text` tells how to read it."""
    # Tests and readings are of the same text: what is counted here is what is read in the model.
    number = _signed_text(text)
    body = _signed_text(f"regexp_replace({text}, ' ?{_SIGNS} ?', '')")
    sign = f"regexp_extract({text}, '{_SIGNS}')"

    def matching(pattern: str, what: str = number) -> str:
        return f"count(*) FILTER (WHERE regexp_full_match({what}, '{pattern}'))"

    return [
        f"count(*) FILTER (WHERE lower(trim({text})) NOT IN {_ABSENT})",
        f"count(*) FILTER (WHERE lower(trim({text})) IN {_ABSENT})",
        matching(_PLAIN_NUMBER),
        matching(_COMMA), matching(_COMMA_PROOF), matching(_POINT), matching(_POINT_PROOF),
        matching(_COMMA, body), matching(_POINT, body), matching(".*[.,].*", body), matching(_NEGATIVE, text),
        f"count(*) FILTER (WHERE lower(trim({text})) IN {_YES})",
        f"count(*) FILTER (WHERE lower(trim({text})) IN {_NO})",
        f"min({sign})", f"max({sign})",
        f"count(*) FILTER (WHERE regexp_full_match({text}, '{_ISO}') AND TRY_CAST({text} AS TIMESTAMP) IS NOT NULL)",
        *(
            # %Y reads 24 as the year 24: a year of two digits is read by %y alone.
            f"count(*) FILTER (WHERE year(TRY_STRPTIME({text}, '{pattern}')) BETWEEN 1200 AND 2300)"
            for pattern in _DATE_FORMATS
        ),
        *month_tests(text),
    ]  # fmt: skip


def _signed_text(text: str) -> str:
    """A number's text with what says that it is negative before it."""
    return f"regexp_replace({text}, '{_NEGATIVE}', '-\\1\\2')"


def reading_of_text(found: Callable[[], Any]) -> Reading | None:
    """How to read a text column, from the results of :func:`text_tests`, taken one after the other."""
    counts = [int(found() or 0) for _ in range(_COUNTS)]
    filled, absent, plain, comma, comma_proof, point, point_proof, *bare, negative = counts
    yes, no = int(found() or 0), int(found() or 0)
    low, high = found(), found()
    dates = [int(found() or 0) for _ in range(len(_DATE_FORMATS) + 1)]
    named = [int(found() or 0) for _ in EXAMPLES]
    if not filled:
        return None
    if yes and no and yes + no == filled:
        return Reading("boolean", _TRUTH, written="as yes and no")
    # One sign throughout: two currencies in one column cannot be added.
    if low and low == high:
        comma_fits, point_fits = (count == filled for count in bare[:2])
        return _signed(str(low), comma_fits, point_fits, divided=bool(bare[2]), negative=bool(negative))
    if comma == filled and comma_proof:
        return Reading("number", _number(comma=True, negative=bool(negative)), written="like 1.234,50")
    if point == filled and point_proof:
        return Reading("number", _number(comma=False, negative=bool(negative)), written="like 1,234.50")
    if negative and plain == filled:
        return Reading("number", _number(comma=False, negative=True), written="like (12) for -12")
    if absent and plain == filled:
        return Reading("number", "TRY_CAST({x} AS DOUBLE)", written="as numbers, with words where there is none")
    return _date(filled, dates) or _named(filled, named)


def _signed(sign: str, comma: bool, point: bool, *, divided: bool, negative: bool) -> Reading | None:
    """Amounts and shares: ``$1,234.50``, ``1.234,50 €``, ``12 %``; None where a comma might mean either."""
    if comma and point:
        comma = False
        # With a euro sign 1,234 may be either, for it is used in countries of both ways.
        if divided and sign == "€":
            return None
    if not comma and not point:
        return None
    number = _number(comma=comma, negative=negative, signs=(sign,))
    if sign == "%":
        return Reading("number", f"{number} / 100", {"format": "percent"}, "like 12 %")
    written = f"like {'1.234,50' if comma else '1,234.50'} {sign}"
    return Reading("number", number, {"format": "currency", "currency": _CURRENCIES[sign]}, written)


def _number(*, comma: bool, negative: bool = False, signs: Sequence[str] = ()) -> str:
    text = "{x}"
    for sign in signs if negative else ():  # it may stand before the bracket
        text = f"replace({text}, '{sign}', '')"
    text = _signed_text(f"trim({text})") if negative else text
    for sign in (*signs, "." if comma else ",", *(_SPACES if comma else " " if signs else "")):
        text = f"replace({text}, '{sign}', '')"
    return f"TRY_CAST(replace({text}, ',', '.') AS DOUBLE)" if comma else f"TRY_CAST({text} AS DOUBLE)"


def _date(filled: int, counts: Sequence[int]) -> Reading | None:
    """The one way to read all values as dates; None where there is none, or where two would do."""
    if counts[0] == filled:
        return Reading("time", "TRY_CAST({x} AS TIMESTAMP)", written="like 2024-12-31")
    fitting = [pattern for pattern, count in zip(_DATE_FORMATS, counts[1:], strict=True) if count == filled]
    # May fits both the short and the long names of months. Two orders of day and month leave it open.
    if len({pattern.replace("%B", "%b") for pattern in fitting}) != 1:
        return None
    return Reading("time", f"TRY_STRPTIME({{x}}, '{fitting[0]}')", written=f"like {_EXAMPLE.strftime(fitting[0])}")


def _named(filled: int, counts: Sequence[int]) -> Reading | None:
    found = named_date(filled, counts)
    return Reading("time", found[1], written=f"like {EXAMPLES[found[0]]}") if found is not None else None


def number_reading(words: Sequence[str], low: float, high: float, *, whole: bool) -> Reading | None:
    """A column of whole numbers that counts seconds or milliseconds since 1970, or writes dates as ``20240131``."""
    if not whole or not words:
        return None
    if words[-1] in _EPOCH_WORDS or {"epoch", "unix"} & set(words):
        for factor, to_microseconds in ((1, 1_000_000), (1_000, 1_000)):
            if low >= _SINCE_1990 * factor and high <= _UNTIL_2050 * factor:
                seconds = "seconds" if factor == 1 else "milliseconds"
                sql = f"make_timestamp(CAST({{x}} AS BIGINT) * {to_microseconds})"
                return Reading("time", sql, written=f"as {seconds} since 1970")
    # From 1 January 1900 to the end of 2200, as eight digits.
    if {"date", "day", "dt"} & set(words) and low >= 19_000_101 and high <= 22_001_231:
        return Reading("time", "TRY_STRPTIME(CAST({x} AS VARCHAR), '%Y%m%d')", written="like 20241231")
    return None


def is_whole(physical: str) -> bool:
    """Whether a type holds whole numbers only."""
    return re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", physical.upper()) is not None
