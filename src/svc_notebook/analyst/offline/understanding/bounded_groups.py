"""Groups with a bound or an order behind: *…, only routes with at least 500 flights*, *…, worst town first*."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from .... import patterns as re
from ..plans.plan import Having, Measure, Order, Plan
from ..plans.sql import write_sql
from ..reading.share_of_rows import is_downwards
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..understood import Understood
from ..words.shares_said import SHARE
from ..words.text import singular, stem
from .asked import AskedTurn

__all__ = ["groups_bounded", "has_bound_behind"]

_ROWS = r"(?P<number>\d[\d,]*)\+? (?P<rows>[a-z][\w-]*)(?: (?:each|or more|in total|overall|at all))?\)?\W*$"
_HEAD = r"^(?P<head>.+?)[\s,.;:(?!–-]+"
_THOSE = r"(?:(?:the|those|any|all) )?(?:[\w-]+ ){0,2}?(?:with|having|that have|that had|of|which have|which had) "
_LEAST = said_so(rf"{_HEAD}(?:with )?(?:an? )?min(?:imum|\.)?(?: of)? {_ROWS}")
# Without a mark before it, it is of the rows that are asked for: "towns with more than 50 orders".
_APART = said_so(
    r"^(?P<head>.+?)\s*[,(;]\s*(?:(?:but|only|if|where|those) )*(?:(?:with|having) )?"
    rf"(?P<sign>at least|no fewer than|more than|over) {_ROWS}"
)
_ONLY = said_so(
    rf"{_HEAD}(?:(?:but|and|please) )*(?:only|just)(?: (?:count|counting|consider|look at|use|take|include|show|for|"
    rf"among))? {_THOSE}(?P<sign>at least|more than|over|min(?:imum)?(?: of)?) {_ROWS}"
)
_WITHOUT = said_so(
    rf"{_HEAD}(?:(?:but|and|please) )*(?:leave out|leaving out|ignore|ignoring|exclude|excluding|without|skip|skipping|"
    rf"not counting) {_THOSE}(?:fewer than|less than|under|below) {_ROWS}"
)
_FIRST = said_so(
    r"^(?P<head>.+?)[\s,;:(–-]+(?:the )?(?P<rank>worst|best|highest|largest|biggest|lowest|smallest)"
    r"(?: (?P<noun>[a-z][\w-]*))? first\)?\W*$"
)
_OF_SHARE = re.compile(rf"\b{SHARE}\s+of\b", re.IGNORECASE)
_SIGNS = {"more than": ">", "over": ">"}


def groups_bounded(asked: AskedTurn) -> Understood | None:
    """What is asked without its end, of those groups alone or in that order; None where it has no such end."""
    if asked.turn.history and not asked.is_own:
        return None
    if (bound := _bound_behind(asked.question)) is not None:
        return _told(asked, bound["head"], partial(_with_least, said=bound, metadata=asked.metadata))
    said = _FIRST.match(asked.question)
    if said is None or not (said["noun"] or _OF_SHARE.search(said["head"])):
        return None
    down = is_downwards(said["rank"].lower(), said["head"])
    return _told(asked, said["head"], lambda plan: _in_order(plan, down))


def has_bound_behind(question: str) -> bool:
    """Whether a question ends in how many rows a group must have."""
    return _bound_behind(question) is not None


def _bound_behind(question: str) -> re.Match[str] | None:
    return next((found for one in (_LEAST, _APART, _ONLY, _WITHOUT) if (found := one.match(question))), None)


def _told(asked: AskedTurn, head: str, made: Callable[[Plan], Plan | None]) -> Understood | None:
    found = asked.anew(replace(asked.turn, question=head))
    whole = not (found.lost or found.unread or found.analysis or found.refined)
    plan = found.plan if whole else None
    if plan is None or plan.unread or plan.shape != "aggregate" or not plan.dimensions or plan.nested or plan.parts:
        return None
    plan = made(plan)
    if plan is None:
        return None
    # What stands beside the head's answer is neither bounded nor in that order.
    return replace(found, plan=plan, statement=write_sql(plan, asked.metadata), options=())


def _with_least(plan: Plan, said: re.Match[str], metadata: Metadata) -> Plan | None:
    """The groups that have so many rows; they are counted, and not shown where nobody asked for their number."""
    root = plan.scope[0]
    if root not in metadata.kind_names.rows.get(stem(singular(said["rows"].lower())), ()):
        return None
    sign = _SIGNS.get((said.groupdict().get("sign") or "").lower(), ">=")
    number = float(said["number"].replace(",", ""))
    plain = [metadata.plain(measure) for measure in plan.measures]
    at = next((at for at, one in enumerate(plain) if one.aggregate == "count" and not one.conditions), None)
    if at is None:
        at = len(plan.measures)
        plan = plan.with_(measures=(*plan.measures, Measure(None, "count", entity=root)), hidden=(*plan.hidden, at))
    return plan.with_(having=(*plan.having, Having(at, sign, (number,))))


def _in_order(plan: Plan, down: bool) -> Plan | None:
    last = max(at for at in range(len(plan.measures)) if at not in plan.hidden)
    return plan.with_(order=(Order("measure", last, down),)) if plan.limit is None else None
