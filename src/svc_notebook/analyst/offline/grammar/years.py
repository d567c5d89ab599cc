"""Whole years said of rows that know no time and keep the year as a number: ``in 2024`` of budget lines by year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from .clauses import SOME_TIME, Grouped, Tested, Timed

__all__ = ["in_years"]


def in_years(clauses: Sequence[object], scope: Sequence[str], metadata: Metadata) -> tuple[object, ...] | None:
    """The clauses with what they say of some time said of the one year that the rows keep; None where that cannot be.

    Times of other rows that share no more than what both refer to say nothing of these.
    """
    kept = [path for path in metadata.members if path.split(".", 1)[0] == scope[0] and _holds_years(path, metadata)]
    if len(kept) != 1:
        return None
    found = [_in_year(clause, kept[0]) for clause in clauses]
    return tuple(found) if all(clause is not None for clause in found) else None


def _holds_years(path: str, metadata: Metadata) -> bool:
    """Whether a number is the year of something; that of a pupil's course is from one to four."""
    low = as_number(metadata.profile(path).low) if metadata.is_year(path) else None
    return low is not None and low >= _FIRST


_FIRST = 1000


def _in_year(clause: object, path: str) -> object | None:
    if getattr(clause, "path", "") != SOME_TIME:
        return clause
    if isinstance(clause, Grouped):
        return replace(clause, path=path, grain="") if clause.grain in ("year", "auto") else None
    if not isinstance(clause, Timed) or clause.period.part is not None:
        return None
    low, high = clause.period.low, clause.period.high
    if not (_opens_year(low) and _opens_year(high)):
        return None
    first, last = low.year if low else None, high.year - 1 if high else None
    if first is not None and last is not None:
        operator, values = ("in", (first,)) if first == last else ("between", (first, last))
    elif first is not None:
        operator, values = ">", (first - 1,)
    elif last is not None:
        operator, values = "<", (last + 1,)
    else:
        return None
    return Tested(clause.place, path, operator, values, clause.negated)


def _opens_year(moment: datetime | None) -> bool:
    return moment is None or (moment.month, moment.day, moment.hour, moment.minute) == (1, 1, 0, 0)
