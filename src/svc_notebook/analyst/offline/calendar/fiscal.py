"""Fiscal years and quarters: ``fiscal year 2013``, ``FY13 Q2``, ``last fiscal quarter``.

A fiscal year that does not begin in January is named by the calendar year in which it ends. The month it begins in
comes from a relation's ``meta.fiscal_year_start`` (a number or a month's name), else from the analyst's option, else it
is January.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import datetime
from typing import Any

from .... import patterns as re

__all__ = ["fiscal_grain", "fiscal_period", "fiscal_quarter", "fiscal_unit", "fiscal_year", "month_number"]

_YEAR = re.compile(r"(?:fy)?(\d{2}|\d{4})")
_MARK = re.compile(r"fy(\d{2}|\d{4})?")
_QUARTER = re.compile(r"q([1-4])")
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_ONE_BACK = frozenset({"last", "previous", "prior", "past"})
_GRAIN = re.compile(r"fiscal_(year|quarter):(\d+)")


def month_number(said: Any) -> int | None:
    """``7``, ``"July"`` or ``"jul"`` as the number of a month; None for anything else."""
    if isinstance(said, int) and not isinstance(said, bool):
        return said if 1 <= said <= 12 else None
    names = [name.lower() for name in calendar.month_abbr]
    short = str(said).strip().lower()[:3]
    return names.index(short) if short and short in names else None


def fiscal_year(year: int, start: int) -> tuple[datetime, datetime]:
    """First moment of a fiscal year and of the next one."""
    first = year - (start > 1)
    return datetime(first, start, 1), datetime(first + 1, start, 1)


def fiscal_quarter(year: int, quarter: int, start: int) -> tuple[datetime, datetime]:
    """First moment of a quarter of a fiscal year and of the next quarter."""
    months = (year - (start > 1)) * 12 + start - 1 + 3 * (quarter - 1)
    low, high = divmod(months, 12), divmod(months + 3, 12)
    return datetime(low[0], low[1] + 1, 1), datetime(high[0], high[1] + 1, 1)


def fiscal_unit(unit: str, start: int) -> str:
    """The grain of a grouping by fiscal ``year`` or ``quarter``."""
    return f"fiscal_{unit}:{start}"


def fiscal_grain(grain: str | None) -> tuple[str, int] | None:
    """``("year", 7)`` for the grain that :func:`fiscal_unit` wrote; None for any other."""
    found = _GRAIN.fullmatch(grain or "")
    return (found[1], int(found[2])) if found else None


def fiscal_period(
    word: Callable[[int], str], place: int, now: datetime, start: int, default_year: int | None
) -> tuple[datetime, datetime, int] | None:
    """The fiscal period that begins at a word: its first moment, the moment after it, the place after its words."""
    # Named by the year it ends in: from its first month on it is the next one's.
    year_now = now.year + (start > 1 and now.month >= start)
    quarter_now = (now.month - start) % 12 // 3 + 1
    head = word(place)
    step = {"this": 0, "current": 0, "next": 1}.get(head, -1 if head in _ONE_BACK else None)
    if step is not None and (word(place + 1) == "fiscal" or word(place + 1) == "fy"):
        unit = "year" if word(place + 1) == "fy" else word(place + 2)
        end = place + (2 if word(place + 1) == "fy" else 3)
        if unit == "year":
            return (*fiscal_year(year_now + step, start), end)
        if unit == "quarter":
            moved = year_now * 4 + quarter_now - 1 + step
            return (*fiscal_quarter(moved // 4, moved % 4 + 1, start), end)
        return None
    if head == "fytd" or head == "fiscal" and [word(place + k) for k in (1, 2, 3)] == ["year", "to", "date"]:
        return fiscal_year(year_now, start)[0], now, place + (1 if head == "fytd" else 4)
    quarter, at = _quarter_at(word, place)
    # A quarter may stand before or behind the year: Q2 FY13, FY13 Q2.
    marked, year, end = _marked_year(word, at)
    if not marked:
        return None
    if quarter is None:
        behind = end + (word(end) in (",", "-", "/"))
        quarter, after = _quarter_at(word, behind)
        end = after if quarter is not None else end
    if year is None and quarter is None:
        return None
    year = year or default_year or year_now
    return (*(fiscal_quarter(year, quarter, start) if quarter else fiscal_year(year, start)), end)


def _quarter_at(word: Callable[[int], str], place: int) -> tuple[int | None, int]:
    """``Q2``, ``fiscal Q2``, ``second fiscal quarter``, with a trailing ``of``: its number, and the place after."""
    fiscal = word(place) == "fiscal"
    at = place + fiscal
    found = _QUARTER.fullmatch(word(at))
    if found:
        number, end = int(found[1]), at + 1
    elif word(at) in ORDINALS and word(at + 1 + (word(at + 1) == "fiscal")) == "quarter":
        fiscal = fiscal or word(at + 1) == "fiscal"
        number, end = ORDINALS[word(at)], at + 2 + (word(at + 1) == "fiscal")
    else:
        return None, place
    if fiscal:
        return number, end - 1 if word(end - 1) == "fiscal" else end
    return number, end + (word(end) in ("of", "in"))


def _marked_year(word: Callable[[int], str], place: int) -> tuple[bool, int | None, int]:
    """Whether words speak of a fiscal year (``FY13``, ``fiscal 2013/14``), which, and the place after."""
    head = word(place)
    # "fiscal Q2 2013": the word stands before the quarter, up to three words back.
    fiscal_before = place > 0 and "fiscal" in (word(place - 1), word(place - 2), word(place - 3))
    found = _MARK.fullmatch(head)
    if found:
        if found[1]:
            return True, _full(found[1]), place + 1
        at = place + 1 + (word(place + 1) == "'")
        return (True, _full(word(at)), at + 1) if re.fullmatch(r"\d{2}|\d{4}", word(at)) else (False, None, place)
    at = place
    if head in ("fiscal", "financial"):
        at = place + 1 + (word(place + 1) in ("year", "years"))
    elif not fiscal_before:
        return False, None, place
    at += word(at) in ("of", "in")
    if _YEAR.fullmatch(word(at)) and len(word(at)) >= 4:
        year, end = _full(word(at)), at + 1
        if word(end) in ("/", "-", "–") and re.fullmatch(r"\d{2}", word(end + 1)):
            # 2013/14 ends in 2014, by which it is named.
            year, end = year + 1, end + 2
        return True, year, end
    return True, None, at


def _full(digits: str) -> int:
    # Two digits below 70 are of this century, as in most programs that read dates.
    return int(digits[-4:]) if len(digits) >= 4 else 2000 + int(digits) if int(digits) < 70 else 1900 + int(digits)
