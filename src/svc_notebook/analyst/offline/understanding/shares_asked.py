"""Shares of rows: read as how many there are of all and of some, and put together."""

from __future__ import annotations

from dataclasses import replace

from ..budget import ReadingTooLong
from ..plans.plan import Condition, Plan
from ..plans.sql import write_sql
from ..reader import is_writable
from ..reading.one_number import LONGEST
from ..reading.share_frames import shares_said
from ..reading.share_of_rows import share_of_rows
from ..understood import Understood
from .asked import AskedTurn
from .bounded_groups import has_bound_behind

__all__ = ["shares_asked"]


def shares_asked(asked: AskedTurn) -> Understood | None:
    """The share of rows that is asked for; None where none is, or where its rows are not read whole."""
    if len(asked.question) > LONGEST or asked.turn.history and not asked.is_own or has_bound_behind(asked.question):
        return None
    for said in shares_said(asked.question):
        found = share_of_rows(said, asked.metadata, lambda text: _counted(asked, text))
        if isinstance(found, Plan) and not said.head and _says_more(asked.reading.plan, found):
            return None
        if isinstance(found, Plan):
            return Understood(asked.metadata, asked.reading, found, False, write_sql(found, asked.metadata))
        if found is not None and is_writable(found):
            return asked.nothing(form=found)
    return None


def _says_more(read: Plan | None, found: Plan) -> bool:
    """Whether the whole question was read as the same share, and says more of which rows it is of."""
    if read is None or read.unread or read.limit != found.limit or read.having != found.having or read.calculations:
        return False
    same = _numbers(read) == _numbers(found) and read.dimensions == found.dimensions
    return same and set(read.conditions) > set(found.conditions)


def _numbers(plan: Plan) -> list[tuple[str, str | None, frozenset[Condition]]]:
    return [(one.aggregate, one.member, frozenset(one.conditions)) for one in plan.measures]


def _counted(asked: AskedTurn, text: str) -> Plan | None:
    """The plan of a question that counts rows, by the rules or by whatever reads it."""
    try:
        plain = asked.whole_plan(text)
        seen = asked.anew(replace(asked.turn, question=text, history=())) if plain is None else None
    except ReadingTooLong:
        return None
    if seen is None or plain is not None:
        return plain
    whole = not (seen.lost or seen.unread or seen.options or seen.analysis or seen.plan is None or seen.plan.unread)
    return seen.plan if whole else None
