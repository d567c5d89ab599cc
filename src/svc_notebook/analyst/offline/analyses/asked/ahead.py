"""What is asked of times that the data do not cover."""

from __future__ import annotations

from datetime import datetime

from ..... import patterns as re
from ...plans.plan import Plan
from ...schema.metadata import Metadata
from ...walk.times import default_time
from ..since import moved_in
from ..subject import subject_of
from .analysis import Analysis, Reader
from .words import LEAD, MOVED, SMALL_WORDS, without

__all__ = ["forecast"]

_WILL = re.compile(r"\b(will|going to|gonna)\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(for |in |over |by )?(the )?(next|coming|following) (\d+ )?(day|week|month|quarter|year)s?\b|\btomorrow\b",
    re.IGNORECASE,
)
_FUTURE_WORDS = re.compile(
    r"\b(will|going to|gonna|we|you|they|i|get|have|see|be|make|sell|there|continue|keep)\b", re.IGNORECASE
)
_FORECAST = re.compile(r"\b(forecasts?|predict(s|ion|ions)?|extrapolat\w+|projections?)\b", re.IGNORECASE)


def forecast(question: str, metadata: Metadata, now: datetime, read: Reader, before: Plan | None) -> Analysis | None:
    ahead = _WILL.search(question) is not None and (moved_in(question) or _NEXT.search(question) is not None)
    if not ahead and not _FORECAST.search(question):
        return None
    rest = without(_NEXT, without(_FORECAST, question))
    if ahead:
        rest = without(_FUTURE_WORDS, rest)
    bare = without(MOVED, rest) if ahead else rest
    plan = subject_of(bare, metadata, before) if ahead else None
    lead = without(LEAD, bare)
    for text in (bare, lead, without(SMALL_WORDS, bare), f"number of {lead}" if lead else ""):
        plan = plan or _measured(read(text) if text else None)
    if plan is None:
        return None
    time = default_time(metadata, plan.scope)
    last = metadata.profile(time).high if time is not None else None
    if ahead and isinstance(last, datetime) and last.replace(tzinfo=None) > now:  # what is planned is in the rows
        return None
    refusal = (
        "I do not forecast: a number for a time that the data do not cover would be a guess, and an interval around it "
        "that can be trusted needs a model that somebody has checked. I can show how it has moved so far."
    )
    return Analysis(plan, "No forecast", None, refusal)


def _measured(plan: Plan | None) -> Plan | None:
    return plan if plan is not None and plan.measures else None
