"""``total callout fees by reason``: what is paid each time, over the rows it was paid for, and not once for whom."""

from __future__ import annotations

from dataclasses import replace

from ..plans.in_several import between, is_in_several
from ..plans.plan import Measure, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.text import singular
from .asked import AskedTurn

__all__ = ["each_time"]

_PAID = frozenset("price cost fee charge fare toll".split())
"""What is paid whenever something is done; a budget or a capacity is there once."""


def each_time(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, with prices of what rows refer to added up over those rows."""
    plan = found.plan
    if plan is None or found.followed is not None or found.analysis is not None:
        return found
    measures = tuple(_paid_each_time(measure, plan, asked.metadata) for measure in plan.measures)
    if measures == plan.measures:
        return found
    plan = plan.with_(measures=measures)
    return replace(found, plan=plan, statement=write_sql(plan, asked.metadata), form=None)


def _paid_each_time(measure: Measure, plan: Plan, metadata: Metadata) -> Measure:
    plain = metadata.plain(measure)
    if plain.aggregate != "sum" or plain.member is None or plain == measure or plain.conditions:
        return measure
    if singular(metadata.parts(plain.member)[-1]) not in _PAID or between(measure, plan, metadata) is None:
        return measure
    return plain if is_in_several(measure, plan, metadata) else measure
