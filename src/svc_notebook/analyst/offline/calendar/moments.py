"""One moment in words: a day, a month, a quarter, a year, or one counted from now."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from ..words.numbers import number_word
from ..words.text import Token
from .clock import named_day
from .fiscal import ORDINALS, fiscal_period
from .units import UNITS, floor, shift

__all__ = ["MONTHS", "SEASONS", "MomentReader", "iso", "parse_date"]

MONTHS = (
    {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
    | {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name and name != "May"}
    | {"sept": 9}
)
SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11), "winter": (12, 1, 2)}
_LAST_CENTURY = 30
DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_JOINTS = frozenset({"to", "and", "or", "vs", "versus", "against", "until", "till", "through"})
_YEARS_BACK = {"this": 0, "last": 1, "previous": 1}
_BEFORE_MAY = frozenset("in of since until from to for during last after before and by is".split())  # else it may be
_HALVES = ("first", "1st", "second", "2nd")
_HALF_OF_MONTH = 15  # days
_THIS_CENTURY = 3  # decades below are of this century where none is said


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
                # Both orders are written; where the first cannot be a month, the second is.
                month_, day_ = day_, month_
            return datetime(year_ + (2000 if year_ < 70 else 1900 if year_ < 100 else 0), month_, day_), "day"
    except ValueError:
        return None
    return None


def iso(moment: datetime | date) -> str:
    """ISO text without a zone; a date when it is midnight."""
    if isinstance(moment, datetime):
        text = moment.replace(tzinfo=None, microsecond=0).isoformat(sep=" ")
        return text[:10] if text.endswith("00:00:00") else text
    return moment.isoformat()


_AHEAD = frozenset("will due upcoming next expire expires expiring planned plan until till later future coming".split())


class MomentReader:
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
        # A year only where a number stands, and none that may be an amount (1200, 2500).
        if re.fullmatch(r"(1[5-9]|20|21)\d\d", text) and self.tokens[i].kind == "number":
            return int(text)
        return None

    def said_year(self, i: int) -> tuple[int, int] | None:
        """The year at a token, by its number or counted from now (``last year``), and the place behind it."""
        year = self.year_at(i)
        if year:
            return year, i + 1
        back = _YEARS_BACK.get(self.word(i))
        # "last year to date" is up to now, and not that year.
        whole = self.word(i + 1) == "year" and self.word(i + 2) not in ("to", "till", "until")
        return (self.now.year - back, i + 2) if back is not None and whole else None

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
        # Fiscal periods and days with a name hold words of plain ones.
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
        if word in ("the", "of", "year"):
            if word == "year" and self.word(i - 1) in ("each", "per", "by", "every"):
                return None
            # Only before a year: "the year" by itself is a unit.
            return self.moment(i + 1) if i + 1 < len(self.tokens) and (word != "year" or self.year_at(i + 1)) else None
        if word in MONTHS:
            return self._month(i)
        quarter = re.fullmatch(r"q([1-4])", word)
        if quarter:
            year, end = self._year_behind(i + 1)
            month = int(quarter.group(1)) * 3 - 2
            low = datetime(year or self._year_of(month), month, 1)
            return low, shift(low, "quarter", 1), end
        if word in ORDINALS and self.word(i + 1) == "quarter":
            number = ORDINALS[word] - 1
            year, end = self._year_behind(i + 2)
            low = datetime(year or self._year_of(number * 3 + 1), number * 3 + 1, 1)
            return low, shift(low, "quarter", 1), end
        if word in ORDINALS and (unit := self._unit_behind(i)) is not None:
            return self._part_of_year(word, unit, i + 1)
        if word in _HALVES and self.word(i + 1) == "half" and (half := self._half_of_month(i)) is not None:
            return half
        if word in _HALVES and self.word(i + 1) == "half":
            year, end = self._year_behind(i + 2)
            low = datetime(year or self.default_year or self.now.year, 1 if ORDINALS[word] == 1 else 7, 1)
            return low, shift(low, "month", 6), end
        day = self.day_at(i)
        # Before the bare year: "3 March" begins with a number too.
        if day and self.word(i + 1 + (self.word(i + 1) == "of")) in MONTHS:
            at = i + 1 + (self.word(i + 1) == "of")
            said = self.said_year(at + 1 + (self.word(at + 1) in (",", "of")))
            year, end = said or (None, at + 1)
            return self._day(year, MONTHS[self.word(at)], day, end)
        year = self.year_at(i)
        if year:
            return datetime(year, 1, 1), datetime(year + 1, 1, 1), i + 1
        return self._decade(i) or self._named(i)

    def _decade(self, i: int) -> tuple[datetime, datetime, int] | None:
        """``the 1980s``, ``the 90s``, ``the nineties``; ``in their 20s`` is an age."""
        word = self.word(i)
        found = re.fullmatch(r"(\d\d)?(\d)0s", word)
        tens = int(found.group(2)) if found else DECADES.index(word) + 2 if word in DECADES else None
        # Two digits need "the" before them, or somebody is in their 20s.
        if tens is None or not (found and found.group(1)) and self.word(i - 1) not in ("the", "'", "’"):
            return None
        century = int(found.group(1)) if found and found.group(1) else 20 if tens < _THIS_CENTURY else 19
        low = datetime(century * 100 + tens * 10, 1, 1)
        return low, shift(low, "year", 10), i + 1

    def _unit_behind(self, i: int) -> str | None:
        """``the first to the second quarter``: the unit that two ordinals share is said behind the other."""
        at = i + 2 + (self.word(i + 2) == "the")
        joined = self.word(i + 1) in _JOINTS and self.word(at) in ORDINALS
        return self.word(at + 1) if joined and self.word(at + 1) in ("quarter", "half") else None

    def _part_of_year(self, ordinal: str, unit: str, end: int) -> tuple[datetime, datetime, int]:
        months = 3 if unit == "quarter" else 6
        at = next(p for p in range(end, len(self.tokens)) if self.word(p) == unit)
        year, _ = self._year_behind(at + 1)
        low = shift(
            datetime(year or self.default_year or self.now.year, 1, 1), "month", months * (ORDINALS[ordinal] - 1)
        )
        return low, shift(low, "month", months), end

    def _half_of_month(self, i: int) -> tuple[datetime, datetime, int] | None:
        """``first half of March``: its first fifteen days, or the rest of it."""
        at = i + 3 + (self.word(i + 3) == "the")
        whole = self._month(at) if self.word(i + 2) == "of" and self.word(at) in MONTHS else None
        if whole is None:
            return None
        low, high, end = whole
        middle = low + timedelta(days=_HALF_OF_MONTH)
        return (low, middle, end) if ORDINALS[self.word(i)] == 1 else (middle, high, end)

    def piece(self, i: int) -> tuple[datetime, datetime, int] | None:
        """A century, or the end of a longer period: ``last quarter of 2023``, ``first two weeks of May``."""
        century = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", self.word(i))
        if century and self.word(i + 1) in ("century", "centuries") and 1 <= int(century.group(1)) <= _LAST_CENTURY:
            # The first century begins in the year 1.
            low = datetime((int(century.group(1)) - 1) * 100 + 1, 1, 1)
            return low, shift(low, "year", 100), i + 2
        if self.word(i) not in ("first", "last", "final", "second"):
            return None
        count = self.count_at(i + 1) if self.word(i) != "second" else None
        at = i + 1 + (count is not None)
        unit = UNITS.get(self._singular(at))
        if unit is None or self.word(at + 1) not in ("of", "in") or self.word(at).endswith("ly"):
            return None
        start = at + 2 + (self.word(at + 2) == "the")
        start += self.word(start) == "year" and self.year_at(start + 1) is not None
        named = self.word(start) in MONTHS or self.year_at(start) is not None or self.word(start)[:1] == "q"
        whole = self.moment(start) if named and start < len(self.tokens) else None
        if whole is None:
            return None
        low, high, end = whole
        long = count or 1
        if self.word(i) == "second":
            low, high = shift(low, unit, 1), shift(low, unit, 2)
        elif self.word(i) == "first":
            # A piece cannot reach beyond what it is of.
            high = min(high, shift(low, unit, long))
        else:
            low = max(low, shift(high, unit, -long))
        return low, high, end

    def _year_behind(self, i: int) -> tuple[int | None, int]:
        """The year that a part of one is of, and the place behind it: ``2023``, ``of 2023``, ``of the year``."""
        at = i + (self.word(i) in ("of", "in", "'"))
        at += self.word(at) == "the"
        at += self.word(at) == "year"
        of_that = [self.word(place) for place in range(i, at)] == ["of", "the", "year"]
        return self.said_year(at) or (None, at if of_that else i)

    def _year_of(self, month: int) -> int:
        # A month ahead of now is last year's, since data are of what has been.
        """The year of a month that is said without one: the last that has begun, unless the words look ahead."""
        if self.default_year is not None or month <= self.now.month:
            return self.default_year or self.now.year
        ahead = any(token.lower in _AHEAD for token in self.tokens)
        return self.now.year if ahead else self.now.year - 1

    def _day(self, year: int | None, month: int, day: int, end: int) -> tuple[datetime, datetime, int] | None:
        try:
            low = datetime(year or self._year_of(month), month, day)
        except ValueError:
            return None
        return low, low + timedelta(days=1), end

    def _month(self, i: int) -> tuple[datetime, datetime, int] | None:
        month = MONTHS[self.word(i)]
        j = i + 1 + (self.word(i + 1) == ".")
        day = self.day_at(j)
        # "March 2023" has a year where a day might stand.
        if day and not self.year_at(j):
            k = j + 1 + (self.word(j + 1) == ",")
            year, end = self.said_year(k) or (None, j + 1)
            return self._day(year, month, day, end)
        year, end = self.said_year(j + (self.word(j) in (",", "of", "in", "'"))) or (None, j)
        if self.word(i) == "may" and year is None and self.word(i - 1) not in _BEFORE_MAY:
            return None
        low = datetime(year or self._year_of(month), month, 1)
        return low, shift(low, "month", 1), end

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
        if word in ("last", "past", "this") and (season := SEASONS.get(self.word(i + 1))):
            return self._season(season, last=word != "this", end=i + 2)
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
            # Whole units end where the one that is running begins; "last 3 months" are up to today.
            if count is None and word in ("last", "previous", "prior") or whole:
                high = floor(self.now, unit)
                return shift(high, unit, -(count or 1)), high, j
            # Below a day the clock counts, and not the day.
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
        if count is not None and unit and self.word(i + 2) == "ago":
            low = shift(today, unit, -count)
            return low, shift(low, "day", 1), i + 3
        return None

    def _season(self, months: tuple[int, ...], *, last: bool, end: int) -> tuple[datetime, datetime, int]:
        """``last summer``: the last one that is over, beside ``this summer`` the one before that of this year."""
        low = datetime(self.now.year, months[0], 1)
        high = shift(low, "month", len(months))
        # Beside "this summer", the last one is a year before it.
        beside = any(self.word(at) == "this" and SEASONS.get(self.word(at + 1)) for at in range(len(self.tokens)))
        years = -1 if last and (beside or high > self.now) else 0
        return shift(low, "year", years), shift(high, "year", years), end

    def _singular(self, i: int) -> str:
        word = self.word(i)
        return word[:-1] if word.endswith("s") and word[:-1] in UNITS else word
