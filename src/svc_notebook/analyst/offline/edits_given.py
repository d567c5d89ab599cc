"""What edits of one turn give, side by side: the same, or next to nothing beside a lot."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace

from ... import patterns as re
from .dialogue import Between, Followed
from .forms import ROWS, Clause, Form, Member
from .ranking.outcome import FAILED, UNKNOWN
from .schema.member_kinds import labels_of
from .schema.metadata import Metadata
from .words.text import singular

__all__ = ["agreed", "by_name", "is_likely", "of_most_rows", "with_rows"]

_MANY_TIMES = 100  # as many rows, from which on it is these that are meant
_TOGETHER = 0.6  # of what is likely, from where on readings that give the same are answered
_LIKELY = -1.0  # the score of an edit that goes to other rows, below which what it gives is no answer
_NUMBER = re.compile(r"(?<![\w.'])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.'])")

Given = Callable[[Form], Hashable | None]


def is_likely(between: Between) -> bool:
    """Whether the first of the edits may be answered where all of them ask the same."""
    return bool(between.scores) and between.scores[0] >= _LIKELY


def agreed(between: Between, given_by: Given, metadata: Metadata) -> Form | None:
    """The shortest of the edits that give what the likeliest gives, where these are likely enough together: nobody need
    choose between an answer and itself; of codes and names for the same groups the one by names.
    """
    if len(between.forms) < 2 or between.scores[0] < _LIKELY and between.forms[0].joins:
        return None
    given = [given_by(form) for form in between.forms]
    if given[0] in (None, UNKNOWN, FAILED):
        return None
    weights = [math.exp(score - between.scores[0]) for score in between.scores]
    same = [at for at, one in enumerate(given) if one == given[0] or _same_number(one, given[0])]
    if len(same) < 2 or sum(weights[at] for at in same) < _TOGETHER * sum(weights):
        return None
    return between.forms[min(same, key=lambda at: (*_length(between.forms[at], metadata), at))]


def by_name(between: Between, metadata: Metadata) -> Form | None:
    """The edit that shows what something is called, where the other one shows its key instead, and nothing else."""
    if len(between.forms) != 2 or between.scores[0] < _LIKELY or between.forms[0].where != between.forms[1].where:
        return None
    one, other = (set(_members(form)) for form in between.forms)
    only, instead = one - other, other - one
    if len(only) != 1 or len(instead) != 1:
        return None
    first, second = only.pop(), instead.pop()
    if _is_key_of(second, first, metadata):
        return between.forms[0]
    return between.forms[1] if _is_key_of(first, second, metadata) else None


def _members(form: Form) -> list[str]:
    shown = [clause.expression for clause in (*form.groups, *form.columns)]
    return [one.path for one in shown if isinstance(one, Member)]


def _is_key_of(path: str, label: str, metadata: Metadata) -> bool:
    relation = label.split(".", 1)[0]
    named = {singular(word) for word in metadata.words_of(relation)} & {*metadata.parts(path)}
    return label in labels_of(metadata, relation) and metadata.is_key(path) and bool(named)


def _length(form: Form, metadata: Metadata) -> tuple[int, int]:
    """How many groups a form has, and how many of these are not by name."""
    paths = [clause.expression.path for clause in form.groups if isinstance(clause.expression, Member)]
    named = sum(path in labels_of(metadata, path.split(".", 1)[0]) for path in paths)
    return len(form.groups), len(form.groups) - named


def _same_number(one: Hashable, other: Hashable) -> bool:
    """Whether two results are one row each with the same number, also where one says of which group it is."""
    if not isinstance(one, tuple) or not isinstance(other, tuple) or not one[:1] == other[:1] == (1,):
        return False
    said = [_NUMBER.findall(str(row[1])) for row in (one, other)]
    return len(said[0]) == 1 and said[0] == said[1]


def with_rows(followed: Followed, given_by: Given) -> Followed:
    """An edit that finds next to nothing gives way to one beside it that finds a lot: flights from LGA, not to it."""
    between = followed.beside
    if between is None or len(between.forms) < 2:
        return followed
    first = _rows_met(followed.form, given_by)
    if first is None:
        return followed
    for form in between.forms[1:]:
        other = _rows_met(form, given_by) if form.shown == followed.form.shown else None
        if other is not None and other > first * _MANY_TIMES:
            known = [followed.form] if first else []
            rest = [one for one in between.forms[1:] if one is not form]
            return replace(followed, form=form, beside=replace(between, forms=(form, *known, *rest)))
    return followed


def of_most_rows(between: Between, given_by: Given) -> Form | None:
    """The edit that finds a lot where all others, which show the same, find next to nothing."""
    first = between.forms[0]
    if len(between.forms) < 2 or any(form.shown != first.shown for form in between.forms):
        return None
    found = [(_rows_met(form, given_by), form) for form in between.forms]
    known = sorted(((met, at) for at, (met, _) in enumerate(found) if met is not None), reverse=True)
    if len(known) < len(found) or known[0][0] <= known[1][0] * _MANY_TIMES:
        return None
    return between.forms[known[0][1]]


def _rows_met(form: Form, given_by: Given) -> int | None:
    """How many rows a form is made of; None where that is not known."""
    counted = form.with_(groups=(), columns=(), measures=(Clause(ROWS),), order=(), having=(), limit=None)
    given = given_by(counted)
    found = _NUMBER.findall(str(given[1])) if isinstance(given, tuple) else []
    return int(found[0]) if len(found) == 1 and found[0].isdigit() else None
