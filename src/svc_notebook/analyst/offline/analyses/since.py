"""One period that a question says something moved in, and the one it is set against."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .... import patterns as re
from ..calendar.moments import iso
from ..calendar.units import shift
from ..plans.plan import Condition
from ..schema.metadata import Metadata
from .periods import Period, called
from .sides import Side, Sides

__all__ = ["moved_in", "sides_since"]

_MOVED_IN = re.compile(
    r"\b(?<!\bin )(?<!\bthe )(?<!\bof )"  # in fall is when
    r"(chang(e[sd]?|ing)|grow(n|s|ing)?|grew|increas(e[sd]?|ing)|decreas(e[sd]?|ing)|ris(e|en|ing)|rose|fall(s|en|ing)?"
    r"|fell|drop(s|ped|ping)?|declin(e[sd]?|ing)|improv(e[sd]?|ing)|worsen(ed|ing)?|jump(ed)?|slump(ed)?|collaps(e|ed)"
    r"|dip(ped)?|spik(e|ed)|plung(e|ed)|surg(e|ed)|(go|goes|gone|going|went) (up|down|wrong)"
    r"|(get|got|gotten|become|became) (\w+ )?(better|worse|higher|lower|longer|shorter|slower|faster|more|fewer)"
    r"|(was|were) (?!an? )([\w-]+ ){1,4}?(better|worse|higher|lower|longer|shorter|slower|faster)(?! than)"
    r"|happened)\b"
    r"|\b(growth|increase|decrease|rise|drop|decline|fall in|jump|slump)( (in|of)\b(?! \d))",
    re.IGNORECASE,
)


_ASKED = re.compile(
    r"^\W*((so|and|but|by) )?(why|did|do|does|has|have|had|is|was|are|were|will|what|how(?! many))\b", re.IGNORECASE
)


def moved_in(question: str) -> bool:
    """Whether a question asks how something moved: then a single period is set against the one before it."""
    return _ASKED.match(question) is not None and _MOVED_IN.search(question) is not None


def sides_since(period: Period, since: bool, time: str, metadata: Metadata) -> Sides | None:
    """A period and the one of the same length before it (``since``: all before it, and all from it on).

    None where the data do not reach as far back.
    """
    profile = metadata.profile(time)
    first = _naive(profile.low)
    if since:
        if first is not None and first >= period.low:
            return None
        name = called(period.low, period.high)
        return Sides(
            Side(f"before {name}", Condition(time, "period", (None, iso(period.low)))),
            Side(f"since {name}", Condition(time, "period", (iso(period.low), None))),
        )
    low = _before(period)
    # Three days: data that begin on the 2nd or after a weekend cover the period all the same.
    if first is not None and first >= period.low or first is not None and first > shift(low, "day", 3):
        return None
    return Sides(Period(called(low, period.low), low, period.low).of(time), period.of(time))


def _before(period: Period) -> datetime:
    months = (period.high.year - period.low.year) * 12 + period.high.month - period.low.month
    # Whole months are set against as many months, though these have other days.
    if months and period.low.day == period.high.day == 1:
        return shift(period.low, "month", -months)
    return period.low - (period.high - period.low)


def _naive(moment: Any) -> datetime | None:
    return moment.replace(tzinfo=None) if isinstance(moment, datetime) else None
