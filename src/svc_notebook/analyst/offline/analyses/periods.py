"""The periods that a question names, and two of them that it sets against each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from msgspec import Struct

from .... import patterns as re
from ..calendar.moments import SEASONS, MomentReader, iso
from ..calendar.units import floor, shift
from ..plans.plan import Condition
from ..walk.times import years
from ..words.period_words import whole_period
from ..words.text import Token, tokenize
from .sides import Side

__all__ = ["Period", "called", "names_same_part", "one_period", "two_periods"]

_BETWEEN = frozenset({"to", "and", "vs", "versus", "than", "against", "with", "over", "different", "until"})
_FILLING = frozenset(
    "in during the from between compared comparing of as for vs . , year same higher lower more less fewer better "
    "worse longer shorter".split()
)
_BEFORE = re.compile(
    r"(?:(?:than|vs|versus|against|over|compared|with|to|from|as|in|of) )+(?:the )?"
    r"(?:same (?:month|quarter|week|day) )?"
    r"(?:of )?(?:the )?(?:(?P<unit>year|quarter|month|week|day) (?:before|earlier)"
    r"|previous (?P<last>year|quarter|month|week|day))\b"
)
_SAME_PART = re.compile(
    r"(?:so far )?(?:, )?(?:(?:than|vs|versus|against|over|compared|with|to|from|as|in) )+the same "
    r"(?:two |three |six |\d )?(?:period|stretch|time|span|part|weeks|months|days|quarters?) ?(?:of |in |from |the )*"
    r"(?:(?P<year>\d{4})|last year|(?:previous|prior) year|year (?:before|earlier))(?!\w)"
)
_THROUGH = (["to"], ["through"], ["until"], ["till"], ["-"])
_LED = frozenset({"this", "last", "past"})


class Period(Struct, frozen=True):
    """A period: what it is called, and where it begins and ends (half-open)."""

    name: str
    low: datetime
    high: datetime

    def of(self, member: str, numbered: bool = False) -> Side:
        """The side of the rows that a time lies so in, or a number that holds the year."""
        condition = Condition(member, "period", (iso(self.low), iso(self.high)))
        return Side(self.name, years(member, condition) if numbered else condition)

    @property
    def whole_years(self) -> bool:
        return (self.low.month, self.low.day, self.high.month, self.high.day) == (1, 1, 1, 1)


def one_period(
    tokens: Sequence[Token], now: datetime, year: int | None, fiscal: int
) -> tuple[Period, tuple[int, int]] | None:
    """The only period that is named, and its tokens."""
    found = _periods(tokens, now, year, fiscal)
    if len(found) != 1:
        return None
    low, high, first, last = found[0]
    return Period(called(low, high), low, high), (first, last)


def _periods(
    tokens: Sequence[Token], now: datetime, year: int | None, fiscal: int
) -> list[tuple[datetime, datetime, int, int]]:
    reader = MomentReader(tokens, now, year, fiscal)
    found: list[tuple[datetime, datetime, int, int]] = []
    at = 0
    while at < len(tokens):
        one = _period(reader, at)
        if one is None:
            at += 1
            continue
        found.append((one[0], one[1], at, one[2]))
        at = one[2]
    return found


def two_periods(
    tokens: Sequence[Token], now: datetime, year: int | None, fiscal: int
) -> tuple[Period, Period, tuple[int, int]] | None:
    """Two periods with a word between that sets them against each other, in the order of time, and their tokens."""
    found = _periods(tokens, now, year, fiscal)
    if (parts := _part_of_year(tokens, found, now)) is not None:
        return parts
    for (low, high, first, end), (low2, high2, start, last) in pairwise(found):
        between = [token.lower for token in tokens[end:start]]
        # What stands between must be nothing but such words: "in March for Delta and in April" is about something
        # else.
        if not between or not set(between) & _BETWEEN or set(between) - _BETWEEN - _FILLING:
            continue
        low, high = _same_year(low, high, low2, tokens[first:end])
        # Overlapping periods share rows that would be on both sides.
        if low == low2 or low < high2 and low2 < high and low != low2 and high > low2 and high2 > low:
            continue
        begin = _led_in(tokens, first, _FILLING)
        earlier, later = Period(called(low, high), low, high), Period(called(low2, high2), low2, high2)
        return (earlier, later, (begin, last)) if low < low2 else (later, earlier, (begin, last))
    return _and_before(tokens, found[0]) if len(found) == 1 else None


def _led_in(tokens: Sequence[Token], first: int, filling: Collection[str]) -> int:
    """Where the words begin that lead to a period and say nothing besides."""
    while first and tokens[first - 1].lower in filling:
        first -= 1
    return first


def _part_of_year(
    tokens: Sequence[Token], found: Sequence[tuple[datetime, datetime, int, int]], now: datetime
) -> tuple[Period, Period, tuple[int, int]] | None:
    """``so far this year against the same stretch of last year``: up to today, and up to that day of the other year."""
    for place, (low, high, first, end) in enumerate(found):
        said = _SAME_PART.match(" ".join(token.lower for token in tokens[end:]))
        years = (int(said["year"]) - low.year if said["year"] else -1) if said is not None else 0
        if said is None or not years or low > now:
            continue
        if place and [token.lower for token in tokens[found[place - 1][3] : first]] in _THROUGH:
            start, stop, first, until = found[place - 1]  # "July to September this year"
            low = _same_year(start, stop, low, tokens[first:until])[0]
        high = min(high, floor(now, "day") + timedelta(days=1))
        begin = _led_in(tokens, first, _FILLING | {"so", "far"})
        one, two = (
            Period(called(a, b), a, b)
            for a, b in ((low, high), (shift(low, "year", years), shift(high, "year", years)))
        )
        earlier, later = (two, one) if years < 0 else (one, two)
        return earlier, later, (begin, end + len(said[0].split()))
    return None


def names_same_part(question: str) -> bool:
    """Whether a question sets a stretch of time against the same one of another year."""
    return _SAME_PART.search(" ".join(token.lower for token in tokenize(question))) is not None


def _and_before(
    tokens: Sequence[Token], period: tuple[datetime, datetime, int, int]
) -> tuple[Period, Period, tuple[int, int]] | None:
    """``in 2024 than the year before``: a period, and the one so far before it."""
    low, high, first, end = period
    rest = " ".join(token.lower for token in tokens[end:])
    said = _BEFORE.match(rest)
    if said is None:
        return None
    unit = said["unit"] or said["last"]
    begin = _led_in(tokens, first, _FILLING)
    start, stop = shift(low, unit, -1), shift(high, unit, -1)
    last = end + len(said[0].split())
    return Period(called(start, stop), start, stop), Period(called(low, high), low, high), (begin, last)


def _period(reader: MomentReader, at: int) -> tuple[datetime, datetime, int] | None:
    try:
        if (season := _season_of_year(reader, at)) is not None:
            return season
        found = reader.moment(at) if reader.word(at) not in ("the", "of", "now", "present") else None
        # The question may name moments beyond what a calendar can hold (year 99999): that is no period.
        relative = reader.relative(at) if found is None else None
    except (OverflowError, ValueError):
        return None
    if found is not None:
        return found
    if relative is not None and relative[0] is not None and relative[1] is not None:
        return relative[0], relative[1], relative[2]
    return None


def _season_of_year(reader: MomentReader, at: int) -> tuple[datetime, datetime, int] | None:
    """``spring last year``: no winter, which lies in two years."""
    months = SEASONS.get(reader.word(at), ())
    if not months or months[0] > months[-1] or reader.word(at - 1) in _LED:
        return None
    place = at + 1 + (reader.word(at + 1) in ("of", "in"))
    years = {("this", "year"): 0, ("last", "year"): -1}.get((reader.word(place), reader.word(place + 1)))
    if years is None:
        return None
    low = datetime(reader.now.year + years, months[0], 1)
    return low, shift(low, "month", len(months)), place + 2


def _same_year(low: datetime, high: datetime, low2: datetime, tokens: Sequence[Token]) -> tuple[datetime, datetime]:
    """``January to March 2012``: the first has the year of the second, where it has none of its own."""
    # A year of its own is four digits; "12" is a day. Seasons are of the year that is meant.
    own = any(token.lower.isdigit() and len(token.lower) == 4 or token.lower in SEASONS for token in tokens)
    if own or low.year == low2.year:
        return low, high
    years = low2.year - low.year
    return shift(low, "year", years), shift(high, "year", years)


def called(low: datetime, high: datetime) -> str:
    """A period by its name, else by its first and last day."""
    last = high - timedelta(days=1)
    if named := whole_period(low, high):
        return named
    return f"{low.day} {low:%B %Y}" if last <= low else f"{low.day} {low:%B %Y} to {last.day} {last:%B %Y}"
