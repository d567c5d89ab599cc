"""``how many clients per town have more than 5 orders``: a bound on the rows of each client, and of no town."""

from __future__ import annotations

from dataclasses import replace

from ..plans.plan import Exists, Measure, Plan
from ..walk.draft import Draft

__all__ = ["bounded_each"]

_TWO = 2  # what is counted, and what there must be so many of


def bounded_each(plan: Plan, draft: Draft) -> Plan:
    """A bound on how many other rows there are, held against each of the rows that are counted in groups of theirs."""
    meta = draft.metadata
    if len(plan.measures) != _TWO or len(plan.having) != 1 or not plan.dimensions or plan.parts or plan.nested:
        return plan
    if plan.having[0].measure not in plan.hidden and any(token.lower in ("and", ",") for token in draft.tokens):
        return plan  # both are asked for
    bounded, values = plan.having[0].measure, plan.having[0].values
    shown = plan.measures[1 - bounded]
    counted, others = _rows(shown, draft), _rows(plan.measures[bounded], draft)
    if counted is None or others in (None, counted) or not values or plan.alternatives or plan.exists:
        return plan
    grouped = {d.member for d in plan.dimensions if d.member.split(".", 1)[0] == counted}
    named = {meta.label_of(counted), meta.key_of(counted)}
    if len(grouped) != len(plan.dimensions) or grouped & named or not meta.leads_to(str(others), counted):
        return plan
    theirs = tuple(c for c in plan.conditions if c.member.split(".", 1)[0] == others)
    kept = tuple(c for c in plan.conditions if c not in theirs and not _is_known(c.member, c.operator, draft))
    scope = meta.scope([counted, *(c.member.split(".", 1)[0] for c in kept)])
    if scope is None or scope[0] != counted:
        return plan
    bound = Exists(str(others), conditions=theirs, operator=plan.having[0].operator, values=tuple(values))
    if any(order.by == "measure" and order.place == bounded for order in plan.order):
        return plan
    order = tuple(replace(one, place=0) if one.by == "measure" else one for one in plan.order)
    return plan.with_(
        scope=tuple(scope), measures=(shown,), having=(), hidden=(), exists=(bound,), conditions=kept, order=order
    )


def _rows(measure: Measure, draft: Draft) -> str | None:
    """The relation whose rows a number counts, all of them."""
    plain = draft.metadata.plain(measure)
    whole = plain.aggregate == "count" and plain.member is None and not (plain.conditions or plain.exists)
    return plain.entity if whole else None


def _is_known(path: str, operator: str, draft: Draft) -> bool:
    """That a row is there at all, which only a join asks for."""
    return operator == "not null" and draft.metadata.is_key(path)
