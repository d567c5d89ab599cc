"""``current price of butter``: of rows that hold for a while, those that hold now or held when it is asked about."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..plans.plan import Condition, Order, Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..schema.validity import holds_between
from ..understood import Understood
from .asked import AskedTurn

__all__ = ["in_force"]

_NOW = re.compile(
    r"\b(?:current(?:ly)?|today(?:['’]?s)?|now(?:adays)?|at present|present|at the moment|latest|newest|in force)\b",
    re.IGNORECASE,
)
_OVER_TIME = re.compile(
    r"\b(?:chang\w*|history|historical|rose|risen|fell|fallen|increas\w*|decreas\w*|trend|develop\w*|all|every|each|since|"
    r"over time|old|former|past|previous\w*|earlier|before|evol\w*|from|until|ever|first|dates?|valid)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(r"\b(?:chang\w*|history|develop\w*|evol\w*|over time)\b", re.IGNORECASE)
_TOLD = "Only what holds today is shown."


def in_force(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, of those rows alone that hold at the time that is asked about."""
    plan = found.plan
    if plan is None or found.followed is not None or found.analysis is not None or plan.parts or plan.alternatives:
        return found
    plan = _as_they_are(plan, asked)
    ends = _of_numbers(plan, asked.metadata)
    held = _held(plan, ends, asked) if ends is not None else None
    if held is None:
        return found
    return replace(found, plan=held, statement=write_sql(held, asked.metadata), form=None, options=())


def _as_they_are(plan: Plan, asked: AskedTurn) -> Plan:
    """``current prices``: each with what it is of, and not how many there are of which."""
    plain = asked.metadata.plain(plan.measures[0]) if len(plan.measures) == 1 else None
    if plain is not None and plain.aggregate == "sum" and plain.member and not plan.dimensions and not plan.nested:
        relation = plain.member.split(".", 1)[0]  # what holds for a while is shown, and no sum of it
        if holds_between(asked.metadata, relation) is not None and not plain.conditions and not plan.having:
            return plan.with_(shape="rows", measures=(), columns=(plain.member,), order=())
    binned = [d.member for d in plan.dimensions if d.bin]
    counted = len(plan.measures) == 1 == len(plan.dimensions) and asked.metadata.plain(plan.measures[0]).member is None
    rows = plan.scope[0]
    if not binned or not counted or holds_between(asked.metadata, rows) is None or not _NOW.search(asked.turn.asked):
        return plan
    named = [asked.metadata.label_of(other) for other in asked.metadata.edges.get(rows, ())]
    columns = (*(path for path in named if path is not None), *binned)
    scope = asked.metadata.scope(list(dict.fromkeys([rows, *(path.split(".", 1)[0] for path in columns)])))
    return plan.with_(scope=scope or plan.scope, shape="rows", measures=(), dimensions=(), columns=columns, order=())


def _of_numbers(plan: Plan, metadata: Metadata) -> tuple[str, str] | None:
    """From when and up to when the rows hold whose numbers are shown; None where they always do."""
    paths = [m.member for m in map(metadata.plain, plan.measures) if m.member and m.aggregate != "count_distinct"]
    paths += [path for path in plan.columns if metadata.is_number(path) and not metadata.is_key(path)]
    known = [holds_between(metadata, path.split(".", 1)[0]) for path in paths]
    return known[0] if known and None not in known and len(set(known)) == 1 else None


def _held(plan: Plan, ends: tuple[str, str], asked: AskedTurn) -> Plan | None:
    start, end = ends
    own = [c for c in plan.conditions if c.member in ends]
    if any(d.member in ends for d in plan.dimensions) or set(plan.columns) & {*ends}:
        return None
    if len(own) == 1 and own[0].operator == "period" and own[0].member == start and own[0].part is None:
        low, high = own[0].values
        rest = tuple(c for c in plan.conditions if c not in own)
        return _between(plan.with_(conditions=rest), start, end, str(low or ""), str(high or ""), own[0].words)
    now = f"{asked.now:%Y-%m-%d}"
    if not own and plan.shape == "rows" and _CHANGED.search(asked.turn.asked) and not plan.order:
        return plan.with_(columns=(start, *plan.columns), order=(Order("column", 0),))
    if own or not _NOW.search(asked.turn.asked) and (plan.shape != "rows" or _OVER_TIME.search(asked.turn.asked)):
        return None
    told = plan if _NOW.search(asked.turn.asked) else plan.with_(notes=(*plan.notes, _TOLD))
    if asked.metadata.may_be_missing(end):  # what holds still has no end
        return told.with_(conditions=(*plan.conditions, Condition(end, "null")), order=(), limit=None)
    return _between(told.with_(order=(), limit=None), start, end, now, now, "today")


def _between(plan: Plan, start: str, end: str, low: str, high: str, words: str) -> Plan:
    """Of rows that held at some time between two."""
    begun = (Condition(start, "<=" if low == high else "<", (high,), words=words),) if high else ()
    lasting = Condition(end, ">=", (low,), words=words)
    conditions = (*plan.conditions, *begun)
    if not low:
        return plan.with_(conditions=conditions)
    return plan.with_(conditions=conditions, alternatives=((lasting,), (Condition(end, "null"),)))
