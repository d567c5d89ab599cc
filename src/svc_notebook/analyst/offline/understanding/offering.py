"""Readings that are offered: beside an answer that is not sure, or to choose from where nothing is sure enough."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from ..checks.accounts import unaccounted
from ..dialogue import Followed, Option, asked_back, options_of, unsorted
from ..forms import Form, SetOf, to_sql
from ..plans.outline import outline
from ..plans.plan import Plan
from ..ranking.apart import NEAR, alike, apart, elsewhere
from ..ranking.one_question import as_one_question
from ..ranking.outcome import FAILED, UNKNOWN
from ..ranking.standing import Standing
from ..reader import Decision, assumes, is_weak, is_writable
from ..understood import Understood
from .asked import AskedTurn
from .forming import as_taken, form_of_plan

__all__ = ["SURE", "beside_edit", "beside_plan", "beside_unsure", "taken_before", "to_choose"]

SURE = 0.7
"""From here on an answer stands without others beside it."""

_OFFERED = 0.15  # the least likely reading that is asked back with
_BESIDE_EDIT = 4  # readings beside an edit that are run


def taken_before(asked: AskedTurn, options: Sequence[Option]) -> Understood | None:
    """The one of these that the thread has chosen before, so that it need not be asked for."""
    again = asked_back(asked.turn, options, asked.metadata.catalog)
    return as_taken(again[0], asked.reading, asked.metadata, again[1]) if again is not None else None


def beside_edit(asked: AskedTurn, followed: Followed) -> tuple[Option, ...]:
    """An edit that is not sure, and what else the turn may be that gives something else."""
    between = followed.beside
    if between is None:
        return ()
    anew = asked.alone.form if between.anew else None
    others = [*between.forms[1:], *([anew] if anew is not None else [])]
    seen, kept = [asked.given_by(followed.form)], [followed.form]
    for form in others[:_BESIDE_EDIT]:
        given = asked.given_by(form)
        if given not in (None, UNKNOWN, FAILED) and not any(alike(given, other) for other in seen):
            seen.append(given)
            kept.append(form)
    return options_of(kept, asked.metadata.catalog)


def to_choose(asked: AskedTurn, decided: Decision) -> tuple[tuple[Option, ...], tuple[str, ...]]:
    """What is asked back with where nothing is sure enough, and the words that it leaves out: whole readings; where
    there is none, those that leave out what the likeliest does, or less. Never what words that nobody knows are like.
    """
    near = _near(asked, decided)
    if not near or decided.sure < _OFFERED:
        return (), ()
    whole = [standing for standing in near if not standing.unread]
    left = () if whole else near[0].unread
    return _options(asked, whole or [s for s in near if {*s.unread} <= {*left}], answered=False), left


def _near(asked: AskedTurn, decided: Decision) -> list[Standing]:
    """The readings that may be asked back with."""
    unknown = asked.reading.missed or asked.reading.unread
    near = [standing for standing in decided.ranked if not assumes(standing) and not (is_weak(standing) and unknown)]
    return [standing for standing in near if not _leaves_out(standing.form, asked)]


def _leaves_out(form: Form | SetOf | None, asked: AskedTurn) -> bool:
    """Whether a reading has no place for how many, which end or what was said."""
    draft = asked.reading.draft
    return form is not None and draft is not None and bool(unaccounted(outline(form, asked.metadata), draft))


def beside_unsure(asked: AskedTurn, decided: Decision) -> tuple[Option, ...]:
    """What is shown beside an answer that is not sure, or whose names other columns hold as well."""
    if decided.sure < SURE:
        return _options(asked, decided.ranked, answered=True)
    return _options(asked, elsewhere(decided.ranked), answered=True, near=math.inf)


def _options(asked: AskedTurn, ranked: Sequence[Standing], *, answered: bool, near: float = NEAR) -> tuple[Option, ...]:
    """The likeliest readings of a question, where their results differ: beside the first, if answered, or alone."""
    if answered and not (ranked and isinstance(ranked[0].form, Form) and is_writable(ranked[0].form)):
        return ()

    def result_of(form: Form) -> Hashable | None:
        return asked.rows_of(to_sql(form.settled())) if is_writable(form) else None

    forms = [unsorted(form) for form in apart(ranked, result_of, answered=answered, near=near)]
    if not answered:
        forms = as_one_question(forms, asked.metadata)
    return options_of(forms, asked.metadata.catalog, 2 if answered else 1)


def sole_question(asked: AskedTurn, decided: Decision) -> Form | None:
    """What near readings ask that differ only in how they tell its groups; None where they ask for more, or are one."""

    def result_of(form: Form) -> Hashable | None:
        return asked.rows_of(to_sql(form.settled())) if is_writable(form) else None

    whole = [standing for standing in _near(asked, decided) if not standing.unread]
    forms = apart(whole, result_of, answered=False)
    one = as_one_question(forms, asked.metadata)
    return one[0] if len(one) == 1 < len(forms) else None


def beside_plan(asked: AskedTurn, plan: Plan) -> tuple[Option, ...]:
    """The reading that is answered, and those about as near."""
    others = [asked.read_or_none(words) for words in plan.near[:2]]
    plans = [plan, *(other.plan for other in others if other is not None and other.plan is not None)]
    forms = [form_of_plan(each, asked.metadata) for each in plans]
    if len(forms) < 2 or forms[0] is None:
        return ()
    return options_of([form for form in forms if form is not None], asked.metadata.catalog)
