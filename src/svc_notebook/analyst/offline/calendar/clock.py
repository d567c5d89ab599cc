"""Times of the day and days with a name: ``before noon``, ``in the morning``, ``after 6 pm``, ``on Christmas Day``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from .... import patterns as re
from ..forms.partings import PARTINGS

__all__ = ["hours_of_day", "named_day"]

_PARTS = dict(PARTINGS["part_of_day"].names)
_LEADS = frozenset({"in", "during", "at", "the", "every", "on"})
_TURNING = frozenset({"and", "to", "until", "till", "through", "before"})
_CLOCK = re.compile(r"(\d{1,2})(am|pm|h)")
_DAYS: dict[tuple[str, ...], tuple[int, int]] = {
    ("christmas", "day"): (12, 25), ("christmas", "eve"): (12, 24), ("christmas",): (12, 25),
    ("boxing", "day"): (12, 26),
    ("new", "year", "eve"): (12, 31), ("new", "years", "eve"): (12, 31), ("new", "year", "day"): (1, 1),
    ("new", "years", "day"): (1, 1), ("valentine", "day"): (2, 14), ("valentines", "day"): (2, 14),
    ("halloween",): (10, 31),
    ("independence", "day"): (7, 4), ("labour", "day"): (5, 1), ("may", "day"): (5, 1),
}  # fmt: skip


def named_day(word: Callable[[int], str], place: int, year: int) -> tuple[datetime, datetime, int] | None:
    """A day that has a name and a fixed date, or Thanksgiving; the year may follow it."""
    head = word(place)
    # Before the day itself, which would be read without its week.
    if head == "week" and word(place + 1) == "of" and (day := named_day(word, place + 2, year)) is not None:
        return (*_week_of(day[0]), day[2])
    if word(place - 1) in _TURNING and (head, word(place + 1)) in (("new", "year"), ("new", "years")):
        behind = word(place + 2)
        if behind not in ("eve", "day"):  # "between Christmas and New Year": to the end of the old one
            return datetime(year, 12, 31), datetime(year + 1, 1, 1), place + 2
    for words, (month, number) in _DAYS.items():
        if words[0] == head and tuple(word(place + k) for k in range(len(words))) == words:
            end = place + len(words)
            year, end = _year_behind(word, end, year)
            low = datetime(year, month, number)
            if word(end) == "week":
                return (*_week_of(low), end + 1)
            return low, low + timedelta(days=1), end
    if head == "thanksgiving":
        end = place + 1 + (word(place + 1) == "day")
        year, end = _year_behind(word, end, year)
        first = datetime(year, 11, 1)
        # The fourth Thursday of November: the first one, and three weeks.
        low = first + timedelta(days=(3 - first.weekday()) % 7 + 21)
        if word(end) == "week":
            return (*_week_of(low), end + 1)
        return low, low + timedelta(days=1), end
    return None


def _week_of(day: datetime) -> tuple[datetime, datetime]:
    """The week, from Monday on, that a day is in."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=7)


def _year_behind(word: Callable[[int], str], place: int, year: int) -> tuple[int, int]:
    at = place + (word(place) in ("in", "of", ","))
    return (int(word(at)), at + 1) if re.fullmatch(r"(?:19|20)\d\d", word(at)) else (year, place)


def hours_of_day(word: Callable[[int], str], place: int) -> tuple[tuple[int, ...], int] | None:
    """Hours that words speak of, and the place after them; None where they speak of none."""
    head = word(place)
    at = place
    while word(at) in _LEADS and at < place + 2:
        at += 1
    part = word(at)[:-1] if word(at).endswith("s") else word(at)
    plural = word(at).endswith("s") and part != "night"  # a number of nights is how long
    # A part of the day may be a name as well (Morning Star): it needs a preposition, a plural, or what it is said of.
    if part in _PARTS and (at > place or plural or _describes(word, at)):
        return _PARTS[part], at + 1
    if head in ("before", "until", "till"):
        found = _hour(word, place + 1)
        # Before midnight is all day: no condition.
        return (tuple(range(found[0])), found[1]) if found and found[0] else None
    if head in ("after", "since", "from") or head == "later" and word(place + 1) == "than":
        found = _hour(word, place + 1 + (head == "later"))
        if found and head == "from" and word(found[1]) in ("to", "until", "-"):
            return _between(word, found, found[1] + 1)
        # Until a second hour it is from one to the other; else to the end of the day.
        return (tuple(range(found[0], 24)), found[1]) if found else None
    if head == "between":
        low = _hour(word, place + 1) or _bare(word, place + 1)
        return _between(word, low, low[1] + 1) if low and word(low[1]) in ("and", "to", "-") else None
    if head == "at":
        found = _hour(word, place + 1)
        return ((found[0],), found[1]) if found and found[0] < 24 else None
    return None


def _describes(word: Callable[[int], str], place: int) -> bool:
    """``morning flights``: a part of the day before the plural that it is said of."""
    behind = word(place + 1)
    return behind.isalpha() and len(behind) > 3 and behind.endswith("s") and word(place - 1) not in ("last", "this")


def _between(word: Callable[[int], str], low: tuple[int, int], place: int) -> tuple[tuple[int, ...], int] | None:
    """From an hour to another, the last not included; ``8 and 10 am`` lends its half of the day to the first."""
    high = _hour(word, place)
    if high is None:
        return None
    first = low[0]
    # Between 8 and 10 pm: the first hour has the half of the second where it has none.
    if _hour(word, low[1] - 1) is None and word(low[1] - 1).isdigit() and high[0] > 12 and first + 12 < high[0]:
        first += 12
    # Over midnight both pieces.
    hours = range(first, high[0]) if first < high[0] else (*range(first, 24), *range(high[0]))
    return tuple(hours), high[1]


def _bare(word: Callable[[int], str], place: int) -> tuple[int, int] | None:
    return (int(word(place)), place + 1) if re.fullmatch(r"\d|1\d|2[0-3]", word(place)) else None


def _hour(word: Callable[[int], str], place: int) -> tuple[int, int] | None:
    """``noon``, ``6 pm``, ``6pm``, ``17:00``, ``8 o'clock``: the hour, and the place after it."""
    head = word(place)
    if head in ("noon", "midday"):
        return 12, place + 1
    if head == "midnight":
        return 24, place + 1
    found = _CLOCK.fullmatch(head)
    if found:
        return _of_half(int(found[1]), found[2]), place + 1
    if not re.fullmatch(r"\d|1\d|2[0-4]", head):
        return None
    behind = word(place + 1)
    if behind in ("am", "pm"):
        return _of_half(int(head), behind), place + 2
    end = place + 2 + (word(place + 2) == "the")
    if behind in ("in", "at") and word(end) in _PARTS and int(head) <= 12:  # 6 in the morning
        return _of_half(int(head), "am" if word(end) == "morning" else "pm"), end + 1
    if behind == "o'clock" or behind == "oclock":
        return int(head), place + 2
    if behind == ":" and re.fullmatch(r"[0-5]\d", word(place + 2)):
        end = place + 3
        half = word(end)
        return (_of_half(int(head), half), end + 1) if half in ("am", "pm") else (int(head), end)
    return None


def _of_half(hour: int, half: str) -> int:
    return hour % 12 + 12 if half == "pm" else hour % 12 if half == "am" else hour
