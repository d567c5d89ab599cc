"""A yes-or-no question about one number: the number is asked for, and what is claimed of it is told beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..base import Turn
from ..charts import ChartColumn
from .plans.picture import chart_columns
from .plans.plan import Plan
from .plans.sql import write_sql
from .reading.claims import Claim, claims_in
from .understood import Understood
from .words.numbers import CURRENCIES, unit_factor, unit_of

__all__ = ["as_claim"]

_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}


def as_claim(turn: Turn, again: Callable[[Turn], Understood]) -> Understood | None:
    """What a question claims of one number, understood as asking for it; None where it is no such question.

    Read with its bound as a condition it would answer of other rows: of the waits over 20 minutes the average is.
    """
    found, claim = None, None
    for claim in claims_in(turn.question):
        found = again(replace(turn, question=claim.question))
        plan = found.plan
        if plan is None or not _is_one_number(plan) or plan.unread or found.lost or found.analysis:
            continue
        statement = found.statement or write_sql(plan, found.metadata)
        value = _value(claim, chart_columns(plan, statement, found.metadata)[0])
        if value is not None:
            return replace(found, plan=plan.with_(claim=(claim.sign, value)), statement=statement)
    if found is None or claim is None or not claim.named:
        return None
    return replace(found, plan=None, form=None, statement=None, options=(), lost=(claim.said,))


def _is_one_number(plan: Plan) -> bool:
    several = plan.dimensions or plan.parts or plan.calculations or plan.having or plan.hidden or plan.claim
    return plan.shape == "aggregate" and len(plan.measures) == 1 and not several


def _value(claim: Claim, column: ChartColumn) -> float | None:
    """The bound in what a number is counted in; None where one is not the other."""
    unit, fraction = column.unit, column.format == "percent"
    if claim.unit == "%" or fraction and claim.value > 1 and not claim.unit:
        part = claim.value if claim.unit else claim.value / 100
        return part if fraction else part * 100 if unit in ("%", "percent") else None
    if not claim.unit or claim.unit in CURRENCIES:
        return claim.value
    if claim.unit in _CURRENCIES:
        return claim.value if column.currency in (None, _CURRENCIES[claim.unit]) else None
    factor = unit_factor(claim.unit, unit_of(unit) or "") if unit else None
    return claim.value * factor if factor is not None else None
