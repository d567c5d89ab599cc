"""Dates, periods and grains in words, read against a given now; periods are half-open."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from .clock import hours_of_day, named_day
from .fiscal import fiscal_period
from .numbers import number_word
from .text import Token

__all__ = ["GRAINS", "PARTS", "UNITS", "Grain", "Period", "find_grains", "find_periods", "parse_date", "shift"]

MONTHS = (
    {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
    | {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name and name != "May"}
    | {"sept": 9}
)
WEEKDAYS = {name.lower(): i for i, name in enumerate(calendar.day_name, 1)} | {
    name.lower(): i for i, name in enumerate(calendar.day_abbr, 1) if name not in ("Sun", "Sat", "Mon", "Wed")
}
_WEEKDAY_SHORT = {
    "mon": 1,
    "tue": 2,
    "tues": 2,
    "wed": 3,
    "thu": 4,
    "thur": 4,
    "thurs": 4,
    "fri": 5,
    "sat": 6,
    "sun": 7,
}
GRAINS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
PARTS = ("hour_of_day", "day_of_month", "weekday", "month_of_year", "quarter_of_year", "season")
UNITS = {
    "second": "second",
    "minute": "minute",
    "hour": "hour",
    "day": "day",
    "date": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
_SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11), "winter": (12, 1, 2)}


@dataclass(frozen=True, slots=True)
class Period:
    """Tokens ``first`` to ``last`` speak of a time: a half-open range, or a part of the date (``weekday in (6, 7)``).

    ``low`` or ``high`` is None where the range is open. ``bare_year`` marks a lone number that may be no year at all.
    """

    first: int
    last: int
    low: datetime | None = None
    high: datetime | None = None
    part: str | None = None
    values: tuple[int, ...] = ()
    words: str = ""
    bare_year: bool = False
    relative: bool = False
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Grain:
    """Tokens ``first`` to ``last`` name a unit (``by month``) or a part (``weekday``); ``adverb`` for ``monthly``."""

    first: int
    last: int
    unit: str
    adverb: bool = False


def shift(moment: datetime, unit: str, count: int) -> datetime:
    """``moment`` moved by whole units, the day kept within the month."""
    if unit in ("second", "minute", "hour", "day", "week"):
        return moment + timedelta(**{unit + "s": count})
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    if not 1 <= year <= 9998:
        return moment
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))


def floor(moment: datetime, unit: str) -> datetime:
    """Start of the unit that holds ``moment`` (weeks begin on Monday)."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def parse_date(text: str) -> tuple[datetime, str] | None:
    """``2013-04-01``, ``2013-04``, ``4/1/2013`` → the moment and the unit it covers."""
    found = re.fullmatch(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?", text)
    try:
        if found:
            year, month, day = found.groups()
            return datetime(int(year), int(month), int(day or 1)), "day" if day else "month"
        found = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{2,4})", text)
        if found:
            month_, day_, year_ = map(int, found.groups())
            if month_ > 12:
                month_, day_ = day_, month_
            return datetime(year_ + (2000 if year_ < 70 else 1900 if year_ < 100 else 0), month_, day_), "day"
    except ValueError:
        return None
    return None


class _Reader:
    """Reads one moment or unit at a token: returns (low, high, next token)."""

    def __init__(self, tokens: Sequence[Token], now: datetime, default_year: int | None, fiscal: int = 1) -> None:
        self.fiscal = fiscal
        self.tokens = tokens
        self.now = now
        self.default_year = default_year

    def word(self, i: int) -> str:
        return self.tokens[i].lower if 0 <= i < len(self.tokens) else ""

    def year_at(self, i: int) -> int | None:
        text = self.word(i)
        if re.fullmatch(r"(1[5-9]|20|21)\d\d", text) and self.tokens[i].kind == "number":
            return int(text)
        return None

    def count_at(self, i: int) -> int | None:
        if not 0 <= i < len(self.tokens):
            return None
        token = self.tokens[i]
        if token.kind == "number" and token.value is not None and token.value == int(token.value):
            return int(token.value)
        value = number_word(token.lower)
        return int(value) if value is not None and value == int(value) else None

    def day_at(self, i: int) -> int | None:
        found = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", self.word(i))
        return int(found.group(1)) if found and 1 <= int(found.group(1)) <= 31 else None

    def moment(self, i: int) -> tuple[datetime, datetime, int] | None:
        """An absolute or named period that starts at token ``i``."""
        named = fiscal_period(self.word, i, self.now, self.fiscal, self.default_year) or named_day(
            self.word, i, self.default_year or self.now.year
        )
        if named is not None:
            return named
        token = self.tokens[i]
        if token.kind in ("date", "quoted"):
            parsed = parse_date(token.text)
            return (parsed[0], shift(parsed[0], parsed[1], 1), i + 1) if parsed else None
        word = token.lower
        if word in ("the", "of", "year", "month"):
            if word == "year" and self.word(i - 1) in ("each", "per", "by", "every"):
                return None
            return (
                self.moment(i + 1)
                if i + 1 < len(self.tokens) and (word != "month" and word != "year" or self.year_at(i + 1))
                else None
            )
        if word in MONTHS:
            return self._month(i)
        quarter = re.fullmatch(r"q([1-4])", word)
        if quarter:
            year = self.year_at(i + 1) or (self.year_at(i + 2) if self.word(i + 1) in ("of", "in", "'") else None)
            end = i + 1 if year is None else (i + 2 if self.year_at(i + 1) else i + 3)
            low = datetime(year or self.default_year or self.now.year, int(quarter.group(1)) * 3 - 2, 1)
            return low, shift(low, "quarter", 1), end
        if word in ("first", "second", "third", "fourth") and self.word(i + 1) == "quarter":
            number = ("first", "second", "third", "fourth").index(word)
            year = self.year_at(i + 2) or (self.year_at(i + 3) if self.word(i + 2) in ("of", "in") else None)
            end = i + 2 if year is None else (i + 3 if self.year_at(i + 2) else i + 4)
            low = datetime(year or self.default_year or self.now.year, number * 3 + 1, 1)
            return low, shift(low, "quarter", 1), end
        if word in ("first", "second") and self.word(i + 1) == "half":
            year = self.year_at(i + 2) or (self.year_at(i + 3) if self.word(i + 2) in ("of", "in") else None)
            end = i + 2 if year is None else (i + 3 if self.year_at(i + 2) else i + 4)
            low = datetime(year or self.default_year or self.now.year, 1 if word == "first" else 7, 1)
            return low, shift(low, "month", 6), end
        day = self.day_at(i)
        if day and self.word(i + 1 + (self.word(i + 1) == "of")) in MONTHS:
            at = i + 1 + (self.word(i + 1) == "of")
            year = self.year_at(at + 1) or (self.year_at(at + 2) if self.word(at + 1) == "," else None)
            end = at + 1 if year is None else (at + 2 if self.year_at(at + 1) else at + 3)
            return self._day(year, MONTHS[self.word(at)], day, end)
        year = self.year_at(i)
        if year:
            return datetime(year, 1, 1), datetime(year + 1, 1, 1), i + 1
        return self._named(i)

    def _day(self, year: int | None, month: int, day: int, end: int) -> tuple[datetime, datetime, int] | None:
        try:
            low = datetime(year or self.default_year or self.now.year, month, day)
        except ValueError:
            return None
        return low, low + timedelta(days=1), end

    def _month(self, i: int) -> tuple[datetime, datetime, int] | None:
        month = MONTHS[self.word(i)]
        j = i + 1 + (self.word(i + 1) == ".")
        day = self.day_at(j)
        if day and not self.year_at(j):
            k = j + 1 + (self.word(j + 1) == ",")
            year = self.year_at(k)
            return self._day(year, month, day, k + 1 if year else j + 1)
        k = j + (self.word(j) in (",", "of", "in", "'"))
        year = self.year_at(k)
        if (
            self.word(i) in ("may", "mar", "jan", "jun", "dec")
            and year is None
            and self.word(i) == "may"
            and self.word(i - 1)
            not in (
                "in",
                "of",
                "since",
                "until",
                "from",
                "to",
                "for",
                "during",
                "last",
                "after",
                "before",
                "and",
                "by",
                "is",
            )
        ):
            return None
        low = datetime(year or self.default_year or self.now.year, month, 1)
        return low, shift(low, "month", 1), (k + 1 if year else j if self.word(i + 1) == "." else i + 1)

    def _named(self, i: int) -> tuple[datetime, datetime, int] | None:
        today = floor(self.now, "day")
        word = self.word(i)
        if word == "today":
            return today, today + timedelta(days=1), i + 1
        if word == "yesterday":
            return today - timedelta(days=1), today, i + 1
        if word == "tomorrow":
            return today + timedelta(days=1), today + timedelta(days=2), i + 1
        if word in ("now", "present"):
            return self.now, self.now, i + 1
        return None

    def relative(self, i: int) -> tuple[datetime | None, datetime | None, int] | None:
        """``last 3 full months``, ``this year``, ``year to date``, ``past 30 days``, ``3 weeks ago``."""
        word, today = self.word(i), floor(self.now, "day")
        if word == "the":
            return self.relative(i + 1) if i + 1 < len(self.tokens) else None
        if word in ("last", "past", "previous", "prior", "recent", "trailing", "latest"):
            j = i + 1
            count = self.count_at(j)
            j += count is not None
            whole = self.word(j) in ("full", "complete", "calendar", "whole")
            j += whole
            unit = UNITS.get(self._singular(j))
            if unit is None or self.word(j) in UNITS and self.word(j).endswith("ly"):
                return None
            j += 1
            if count is None and word in ("last", "previous", "prior") or whole:
                high = floor(self.now, unit)
                return shift(high, unit, -(count or 1)), high, j
            start = today if unit not in ("hour", "minute", "second") else self.now
            return shift(start, unit, -(count or 1)), None, j
        if word in ("this", "current"):
            unit = UNITS.get(self._singular(i + 1))
            if unit and not self.word(i + 1).endswith("ly"):
                low = floor(self.now, unit)
                return low, shift(low, unit, 1), i + 2
        if word == "next":
            unit = UNITS.get(self._singular(i + 1))
            if unit:
                low = shift(floor(self.now, unit), unit, 1)
                return low, shift(low, unit, 1), i + 2
        short = {"ytd": "year", "mtd": "month", "qtd": "quarter", "wtd": "week"}.get(word)
        if short:
            return floor(self.now, short), self.now + timedelta(days=1), i + 1
        if UNITS.get(self._singular(i)) and self.word(i + 1) == "to" and self.word(i + 2) in ("date", "now", "today"):
            return floor(self.now, UNITS[self._singular(i)]), floor(self.now, "day") + timedelta(days=1), i + 3
        count = self.count_at(i)
        unit = UNITS.get(self._singular(i + 1)) if count is not None else None
        if (
            count is not None
            and unit
            and self.word(i + 2) in ("ago", "before", "earlier")
            and (self.word(i + 2) == "ago")
        ):
            low = shift(today, unit, -count)
            return (
                low,
                shift(low, unit if unit != "week" else "day", 1) if unit == "day" else shift(low, "day", 1),
                i + 3,
            )
        return None

    def _singular(self, i: int) -> str:
        word = self.word(i)
        return word[:-1] if word.endswith("s") and word[:-1] in UNITS else word


_SINCE = (
    "since",
    "from",
    "starting",
    "after",
    "before",
    "until",
    "till",
    "through",
    "by",
    "between",
    "prior",
    "earlier",
    "later",
)


def find_periods(
    tokens: Sequence[Token], now: datetime, default_year: int | None = None, fiscal: int = 1
) -> list[Period]:
    """All periods in the question, left to right, not overlapping; ``fiscal`` is the month a fiscal year begins in."""
    reader = _Reader(tokens, now, default_year, fiscal)
    found: list[Period] = []
    i = 0
    while i < len(tokens):
        period = (
            _ranged(reader, i) or _special(reader, i) or _relative(reader, i) or _part(reader, i) or _plain(reader, i)
        )
        if period is None:
            i += 1
            continue
        found.append(period)
        i = period.last
    return found


def _special(reader: _Reader, i: int) -> Period | None:
    """A fiscal period, before its words are taken for a plain one; a preposition before it belongs to it."""
    at = i + (reader.word(i) in ("in", "during", "for", "of", "the"))
    at += reader.word(at) == "the"
    found = fiscal_period(reader.word, at, reader.now, reader.fiscal, reader.default_year)
    return Period(i, found[2], found[0], found[1], words=_text(reader, at, found[2])) if found else None


def _text(reader: _Reader, start: int, end: int) -> str:
    return " ".join(t.text for t in reader.tokens[start:end])


def _ranged(reader: _Reader, i: int) -> Period | None:
    """``between A and B``, ``from A to B``, ``A - B``, ``since A``, ``before A``, ``after A``, ``on or after A``."""
    word, nxt = reader.word(i), reader.word(i + 1)
    if word in ("between", "from", "starting"):
        j = i + 1 + (word == "starting" and nxt in ("in", "from", "on"))
        first = reader.moment(j) if j < len(reader.tokens) else None
        if first and first[2] < len(reader.tokens):
            joiner = reader.word(first[2])
            if joiner in ("and", "to", "until", "till", "through", "-", "–"):
                second = reader.moment(first[2] + 1) if first[2] + 1 < len(reader.tokens) else None
                if second:
                    start, end = _years_aligned(first, second, reader)
                    return Period(i, second[2], start, end, words=_text(reader, i, second[2]))
        if first and word != "between":
            return Period(i, first[2], first[0], None, words=_text(reader, i, first[2]))
        return None
    if word == "on" and nxt in ("or",) or word in ("on",) and nxt == "and":
        side = reader.word(i + 2)
        moment = reader.moment(i + 3) if side in ("after", "before") and i + 3 < len(reader.tokens) else None
        if moment:
            return Period(
                i,
                moment[2],
                moment[0] if side == "after" else None,
                None if side == "after" else moment[1],
                words=_text(reader, i, moment[2]),
            )
    if (
        word in ("since", "after", "before", "until", "till", "through")
        or word in ("prior", "earlier", "later")
        and nxt in ("to", "than")
    ):
        j = i + 1 + (word in ("prior", "earlier", "later"))
        if j >= len(reader.tokens):
            return None
        moment = reader.moment(j)
        if moment is None:
            relative = reader.relative(j)
            if relative is None or relative[0] is None:
                return None
            moment = (relative[0], relative[1] or relative[0], relative[2])
        opened = {"since": moment[0], "after": moment[1], "later": moment[1]}.get(word)
        closed = {
            "before": moment[0],
            "prior": moment[0],
            "earlier": moment[0],
            "until": moment[1],
            "till": moment[1],
            "through": moment[1],
        }.get(word)
        return Period(i, moment[2], opened, closed, words=_text(reader, i, moment[2]))
    first = reader.moment(i)
    if first and first[2] + 1 < len(reader.tokens) and reader.word(first[2]) in ("-", "–", "to", "through", "until"):
        second = reader.moment(first[2] + 1)
        if second and second[1] > first[0]:
            start, end = _years_aligned(first, second, reader)
            return Period(i, second[2], start, end, words=_text(reader, i, second[2]), dashed=True)
    return None


def _years_aligned(
    first: tuple[datetime, datetime, int], second: tuple[datetime, datetime, int], reader: _Reader
) -> tuple[datetime, datetime]:
    """``March to May 2013``: the first borrows the year of the second."""
    low, high = first[0], second[1]
    if low >= high and low.year != second[0].year:
        low = low.replace(year=second[0].year)
    return low, high


def _relative(reader: _Reader, i: int) -> Period | None:
    found = reader.relative(i)
    if not found:
        return None
    start = i - 1 if reader.word(i - 1) in ("in", "over", "during", "within", "for", "the") and i > 0 else i
    return Period(start, found[2], found[0], found[1], words=_text(reader, i, found[2]), relative=True)


def _part(reader: _Reader, i: int) -> Period | None:
    word = reader.word(i)
    hours = hours_of_day(reader.word, i)
    if hours is not None:
        return Period(i, hours[1], part="hour_of_day", values=hours[0], words=_text(reader, i, hours[1]))
    singular = word[:-1] if word.endswith("s") else word
    if word in ("weekend", "weekends"):
        return Period(i, i + 1, part="weekday", values=(6, 7), words=word)
    if word in ("weekday", "weekdays") and reader.word(i - 1) in ("on", "during") and reader.word(i + 1) not in ("of",):
        return Period(i, i + 1, part="weekday", values=(1, 2, 3, 4, 5), words=word)
    if singular in WEEKDAYS and len(singular) > 3:
        values, end = [WEEKDAYS[singular]], i + 1
        while reader.word(end) in ("and", "or", ",") and reader.word(end + 1).rstrip("s") in WEEKDAYS:
            values.append(WEEKDAYS[reader.word(end + 1).rstrip("s")])
            end += 2
        return Period(i, end, part="weekday", values=tuple(values), words=_text(reader, i, end))
    if (
        word in ("summer", "winter", "autumn", "spring")
        or word == "fall"
        and reader.word(i - 1) in ("in", "the", "during", "this", "last")
    ):
        return Period(i, i + 1, part="month_of_year", values=_SEASONS[word], words=word)
    return None


def _plain(reader: _Reader, i: int) -> Period | None:
    found = reader.moment(i)
    if not found or reader.word(i) in ("the", "of") or reader.word(i) in ("now", "present"):
        return None
    bare = reader.tokens[i].kind == "number" and found[2] == i + 1
    start = i - 1 if i > 0 and reader.word(i - 1) in ("in", "during", "for", "on", "of") and not bare else i
    return Period(start, found[2], found[0], found[1], words=_text(reader, i, found[2]), bare_year=bare)


_PART_WORDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("hour", "of", "the", "day"), "hour_of_day"),
    (("hour", "of", "day"), "hour_of_day"),
    (("time", "of", "day"), "hour_of_day"),
    (("hour", "of", "departure"), "hour_of_day"),
    (("day", "of", "the", "week"), "weekday"),
    (("day", "of", "week"), "weekday"),
    (("days", "of", "the", "week"), "weekday"),
    (("weekday",), "weekday"),
    (("weekdays",), "weekday"),
    (("day", "of", "month"), "day_of_month"),
    (("day", "of", "the", "month"), "day_of_month"),
    (("month", "of", "year"), "month_of_year"),
    (("month", "of", "the", "year"), "month_of_year"),
    (("calendar", "month"), "month_of_year"),
    (("season",), "season"),
    (("quarter", "of", "the", "year"), "quarter_of_year"),
)


def find_grains(tokens: Sequence[Token], taken: frozenset[int] = frozenset()) -> list[Grain]:
    """Units and parts of time that a question groups by."""
    found: list[Grain] = []
    i = 0
    while i < len(tokens):
        grain = None if i in taken else _grain_at(tokens, i)
        if grain is None:
            i += 1
        else:
            found.append(grain)
            i = grain.last
    return found


def _grain_at(tokens: Sequence[Token], i: int) -> Grain | None:
    lowers = [t.lower for t in tokens[i : i + 4]]
    if lowers[0] in ("fiscal", "financial") and len(lowers) > 1 and lowers[1].rstrip("s") in ("year", "quarter"):
        return Grain(i, i + 2, f"fiscal_{lowers[1].rstrip('s')}")
    for words, part in _PART_WORDS:
        if tuple(lowers[: len(words)]) == words:
            return Grain(i, i + len(words), part)
    word = lowers[0]
    plain = word[:-1] if word.endswith("s") and word[:-1] in UNITS else word
    if plain in UNITS:
        return Grain(i, i + 1, UNITS[plain], adverb=word.endswith("ly") or word == "annual")
    return None


def iso(moment: datetime | date) -> str:
    """ISO text without a zone; a date when it is midnight."""
    if isinstance(moment, datetime):
        text = moment.replace(tzinfo=None, microsecond=0).isoformat(sep=" ")
        return text[:10] if text.endswith("00:00:00") else text
    return moment.isoformat()
