"""One question read: link, compose, rank, decide. The reading of the rules stands for election as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from .budget import Budget
from .forms import CannotWrite, Case, Form, Part, Role, to_sql
from .forms.walking import parts
from .forms_as_plans import plan_of
from .grammar import Candidate, compose
from .linking import link
from .metadata import Metadata
from .plan import Plan
from .ranking.model import evidence, load_ranking, probability
from .reading import ENOUGH, Reading
from .same_plans import same_plan

__all__ = [
    "Decision",
    "choose",
    "doubted",
    "facts_of",
    "forms_of",
    "is_grave",
    "is_writable",
    "leaves_out",
    "relations_of",
    "takes_form",
]

SURE = 0.6  # the least probability that a form is answered with

_HALF_SURE = 0.4  # where both halves of the week are named, which leaves little else to read
_WEAK = 0.25
_HALVES = re.compile(r"\bweekdays?\b.*\bweekends?\b|\bweekends?\b.*\bweekdays?\b", re.IGNORECASE)
_SUBJECTS = ("subject", "show:", "count:", "aggregate", "measure:assumed", "measure:model", "money", "best:")
_GRAVE = ("skip:number", "skip:value", "skip:period", "waits:", "lost:")  # features of a form that forbid it


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided: the plan to answer with, if any, how sure it is, and its form (None: read by the rules).

    A form without a plan is one that no plan can say: it is told by itself. Where the rules' reading does not stand,
    it must not be answered for want of another. ``candidates`` are the forms there were, the likeliest first.
    """

    plan: Plan | None
    sure: float
    form: Form | None = None
    unread: tuple[str, ...] = ()
    rules_stand: bool = True
    candidates: tuple[Candidate, ...] = ()


def forms_of(
    question: str, metadata: Metadata, now: datetime, year: int | None, fiscal: int, budget: Budget
) -> list[Candidate]:
    """The forms a question may mean, the likeliest first."""
    lattice = link(question, metadata, now, year, fiscal, budget)
    found = compose(lattice, metadata, load_ranking().weights, budget)
    return [c for c in found if _halves_week(c.form)] if _HALVES.search(question) else found


def choose(
    question: str,
    metadata: Metadata,
    now: datetime,
    year: int | None,
    fiscal: int,
    before: Reading,
    budget: Budget,
    is_empty: Callable[[str], bool] = lambda sql: False,
) -> Decision:
    """The best form, where the rules are in doubt and it is the likelier and likely enough; else their reading.

    A form that no plan can say is answered only where ``is_empty`` does not find its SQL without a row.
    """
    known = before.plan if before.plan is not None and before.plan.confidence >= ENOUGH else None
    if known is not None and _pictured(known):
        return Decision(known, known.confidence)
    ranking = load_ranking()
    candidates = forms_of(question, metadata, now, year, fiscal, budget)
    halves = _HALVES.search(question) is not None  # weekdays against weekends: one of them alone is no answer
    known = None if halves else known
    best = candidates[0] if candidates else None
    plan = plan_of(best.form, metadata) if best is not None else None
    agree = plan is not None and known is not None and same_plan(plan, known, metadata)
    facts = evidence(candidates, len(before.tokens), facts_of(before), agree)
    sure = probability(ranking.sure, facts) if best is not None else 0.0
    sure_before = probability(ranking.sure_before, facts) if known is not None else 0.0
    doubt = doubted(before) or known is None
    taken = (
        best is not None
        and not leaves_out(best, before)
        and takes_form(sure, sure_before, agree, doubt, _HALF_SURE if halves else SURE)
    )
    if best is not None and taken and plan is None and is_writable(best.form) and not is_empty(to_sql(best.form)):
        return Decision(None, sure, best.form, best.unread, candidates=tuple(candidates))
    if plan is None or best is None or not taken:
        sure = max(sure, sure_before) if agree else sure_before
        return Decision(known, sure, rules_stand=not halves, candidates=tuple(candidates))
    said = plan.with_(confidence=round(sure, 3), unread=best.unread)
    if known is not None:
        said = said.with_(chart=known.chart)
    return Decision(said, sure, best.form, best.unread, candidates=tuple(candidates))


def _halves_week(form: Form) -> bool:
    """Whether a form shows both halves of the week, and nothing of it is left out."""
    split = any(isinstance(part, Case) for clause in form.groups for part in parts(clause.expression))
    return split and not any(isinstance(part, Part) and "weekday" in part.part for part in parts(form.where))


def takes_form(sure: float, sure_before: float, agree: bool, doubt: bool, least: float = SURE) -> bool:
    """Whether the form is answered rather than the reading of the rules: where that is ``doubt``ful, and the form is
    likelier and likely enough.
    """
    return doubt and not agree and sure > sure_before and sure >= least


def leaves_out(best: Candidate, before: Reading) -> bool:
    """Whether a form leaves out what must not be: a number, value, period or operator, a subject (``by month`` alone
    leans on what was said), or any word at all.
    """
    if is_grave(best) or not any(name.startswith(_SUBJECTS) for name, _ in best.features):
        return True
    if before.plan is None or before.plan.confidence < ENOUGH:
        return bool(best.unread) or _assumes_quality(best) or bool(before.missed) and _is_weak(best)
    return bool(best.unread) or _groups_unasked(best) or bool(before.missed) and _is_weak(best)


def _assumes_quality(best: Candidate) -> bool:
    """Whether a superlative goes by a number that nobody named: what is best is not for a form to say."""
    return any(name.startswith(("best:by:assumed", "best:by:rows-assumed")) for name, _ in best.features)


def _groups_unasked(best: Candidate) -> bool:
    """Whether it groups by a text that was named without a word for grouping (perhaps only in a condition)."""
    return any(name.startswith("group:by:text") for name, _ in best.features)


def _is_weak(best: Candidate) -> bool:
    """Whether names are matched only in part, or by words that are not theirs."""
    return any(name == "link:part" or (name == "link:weak" and value > _WEAK) for name, value in best.features)


def is_grave(best: Candidate) -> bool:
    """Whether a form leaves out a number, value, period or operator."""
    return any(name.startswith(_GRAVE) and name != "waits:each" for name, _ in best.features)


def doubted(before: Reading) -> bool:
    """Whether the rules found no reading, or one that leaves words out."""
    return bool(before.unread) or before.plan is None or before.plan.confidence < ENOUGH


def _pictured(plan: Plan) -> bool:
    """Whether the question says what stands on which axis of a picture: the rules read those."""
    return bool(plan.chart.channels) or plan.chart.mark is not None


def facts_of(reading: Reading) -> dict[str, float]:
    """What is known of the reading of the rules."""
    plan = reading.plan
    if plan is None or plan.confidence < ENOUGH:
        return {"before:none": 1.0}
    return {
        "before:confidence": plan.confidence,
        "before:unread": float(len(reading.unread)),
        "before:missed": float(len(reading.missed)),
        "before:joins": float(len(plan.scope) - 1),
        "before:rows": float(plan.shape == "rows"),
        "before:special": float(bool(plan.calculations or plan.parts or plan.nested or plan.exists)),
    }


def is_writable(form: Form) -> bool:
    """Whether SQL over the model can say a form."""
    try:
        to_sql(form)
    except CannotWrite:
        return False
    return True


def relations_of(form: Form) -> tuple[str, ...]:
    """The relations that a form reads, its root first."""
    return tuple(dict.fromkeys(part.relation for part in parts(form) if isinstance(part, Role)))
