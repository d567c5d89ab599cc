"""Periods unlike the others of their kind."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from ..... import patterns as re
from ...plans.phrases import describe
from ...plans.plan import Dimension, Plan
from ...schema.metadata import Metadata
from ...walk.times import default_time
from ..along import odd_periods
from ..subject import on_its_time, subject_of
from .analysis import Analysis, Reader, about
from .words import FAR, FEW, SMALL_WORDS, without

__all__ = ["odd"]

_EACH = re.compile(r"\b(hour|day|week|month)s?\b|\b(hour|dai|week|month)ly\b", re.IGNORECASE)
_MANY_DAYS = 1200
_GRAINS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month"}


def odd(question: str, metadata: Metadata, read: Reader, before: Plan | None) -> Analysis | None:
    """``unusual days``, ``outliers in flights per day``: periods unlike the others of their kind."""
    if not FAR.search(question):
        return None
    rest = without(SMALL_WORDS, without(FEW, without(FAR, question)))
    unit = _EACH.search(rest)
    if unit is None:
        return _anything_odd(rest, metadata, before)
    said = unit[0].lower()
    grain = _GRAINS.get(said, said.removesuffix("s"))
    plan = read(f"{without(_EACH, rest)} per {grain}") or read(rest)
    grains = [d.grain for d in plan.dimensions] if plan is not None else []
    if plan is None or len(plan.measures) != 1 or len(grains) != 1 or grains[0] not in ("day", "week", "month", "hour"):
        return None
    return about(plan, metadata, f"What stands out of {describe(plan, metadata)}", partial(odd_periods, plan, metadata))


def _anything_odd(words: str, metadata: Metadata, before: Plan | None) -> Analysis | None:
    """``anything unusual?``: days of the main number, months where there are very many days."""
    plan = subject_of(words, metadata, before)
    plan = on_its_time(plan, metadata) if plan is not None else None
    time = default_time(metadata, plan.scope) if plan is not None else None
    if plan is None or time is None:
        return None
    low, high = metadata.profile(time).low, metadata.profile(time).high
    known = isinstance(low, datetime) and isinstance(high, datetime)
    grain = "month" if known and (high - low).days > _MANY_DAYS else "day"
    plan = plan.with_(dimensions=(Dimension(time, grain),))
    words = f"What stands out of {describe(plan, metadata)}"
    return about(plan, metadata, words, partial(odd_periods, plan, metadata))
