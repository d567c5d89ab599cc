"""What edits of one turn give, side by side: the same, or next to nothing beside a lot."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace

from ... import patterns as re
from .dialogue import Between, Followed
from .forms import ROWS, Clause, Form, to_sql
from .ranking.outcome import FAILED, UNKNOWN
from .reader import is_writable

__all__ = ["agreed", "with_rows"]

_MANY_TIMES = 100  # as many rows, from which on it is these that are meant
_TOGETHER = 0.6  # of what is likely, from where on readings that give the same are answered
_NUMBER = re.compile(r"(?<![\w.'])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.'])")

Given = Callable[[str], Hashable | None]


def agreed(between: Between, rows_of: Given) -> Form | None:
    """The shortest of the edits that give what the likeliest gives, where these are likely enough together: nobody need
    choose between an answer and itself.
    """
    if len(between.forms) < 2:
        return None
    given = [rows_of(to_sql(form)) if is_writable(form) else None for form in between.forms]
    if given[0] in (None, UNKNOWN, FAILED):
        return None
    weights = [math.exp(score - between.scores[0]) for score in between.scores]
    same = [at for at, one in enumerate(given) if one == given[0] or _same_number(one, given[0])]
    if len(same) < 2 or sum(weights[at] for at in same) < _TOGETHER * sum(weights):
        return None
    return between.forms[min(same, key=lambda at: (len(between.forms[at].groups), at))]


def _same_number(one: Hashable, other: Hashable) -> bool:
    """Whether two results are one row each with the same number, also where one says of which group it is."""
    if not isinstance(one, tuple) or not isinstance(other, tuple) or not one[:1] == other[:1] == (1,):
        return False
    said = [_NUMBER.findall(str(row[1])) for row in (one, other)]
    return len(said[0]) == 1 and said[0] == said[1]


def with_rows(followed: Followed, rows_of: Given) -> Followed:
    """An edit that finds next to nothing gives way to one beside it that finds a lot: flights from LGA, not to it."""
    between = followed.beside
    if between is None or len(between.forms) < 2 or not is_writable(followed.form):
        return followed
    first = _rows_met(followed.form, rows_of)
    if first is None:
        return followed
    for form in between.forms[1:]:
        other = _rows_met(form, rows_of) if form.shown == followed.form.shown else None
        if other is not None and other > first * _MANY_TIMES:
            known = [followed.form] if first else []
            rest = [one for one in between.forms[1:] if one is not form]
            return replace(followed, form=form, beside=replace(between, forms=(form, *known, *rest)))
    return followed


def _rows_met(form: Form, rows_of: Given) -> int | None:
    """How many rows a form is made of; None where that is not known."""
    counted = form.with_(groups=(), columns=(), measures=(Clause(ROWS),), order=(), having=(), limit=None)
    given = rows_of(to_sql(counted)) if is_writable(form) and is_writable(counted) else None
    found = _NUMBER.findall(str(given[1])) if isinstance(given, tuple) else []
    return int(found[0]) if len(found) == 1 and found[0].isdigit() else None
