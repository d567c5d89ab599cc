"""A question that sets two slices of rows against each other, as a step of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from .... import patterns as re
from ..analyses import Analysis
from ..analyses.change import change
from ..analyses.periods import names_same_part
from ..analyses.sides import Side, Sides
from ..forms import ROWS, Clause, Filter, Form, Or, to_sql
from ..plans.phrases import describe
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..ranking.outcome import FAILED, UNKNOWN, ZERO
from ..reader import is_writable
from ..slices import Beside, asks_of_amount, beside
from ..slices.sides import Slices
from ..understood import Understood
from .asked import AskedTurn
from .together import of_some

__all__ = ["set_beside", "why_beside"]

_COMPARES = re.compile(r"^\W*(?:(?:please|can you|could you|and)\s+)*compar(?:e|ing|ison of)\b", re.IGNORECASE)
_BOTH = 2
_WHY = ("why", "how come", "what makes", "explain why", "any idea why", "reason")


def set_beside(asked: AskedTurn) -> Understood | None:
    """Two slices side by side."""
    found = _found(asked)
    if found is None:
        return _counted_instead(asked)
    if found.said.asks == "why":
        return None
    if found.plan is not None:
        return Understood(asked.metadata, asked.reading, found.plan, False, write_sql(found.plan, asked.metadata))
    apart = _overlapping(asked, found.form, found.slices) if found.form is not None else None
    form = apart or found.form
    if form is None or not is_writable(form):
        return None
    return asked.nothing(form=form, claim=() if apart is not None else found.claim)


def _overlapping(asked: AskedTurn, form: Form, both: Slices) -> Form | None:
    """The numbers of two slices that share rows, each of all its rows; None where none is of both."""
    said = form.where[-1].condition if form.where else None
    if not isinstance(said, Or) or len(said.terms) != _BOTH or len(form.measures) != 1:
        return None
    rest = form.with_(groups=(), where=form.where[:-1])
    shared = rest.with_(measures=(Clause(ROWS),), where=(*rest.where, *map(Filter, said.terms)))
    given = asked.rows_of(to_sql(shared)) if is_writable(shared) else UNKNOWN
    if given is None or given in (UNKNOWN, FAILED) or given in ZERO:
        return None
    sides = zip(said.terms, (both.one.name, both.other.name), strict=True)
    numbers = [(of_some(form.measures[0], [term]), name) for term, name in sides]
    return rest.with_(measures=tuple(replace(one, name=name) for one, name in numbers if one is not None))


def why_beside(asked: AskedTurn) -> Understood | None:
    """What sets two slices apart, where a number that a comparative measures differs between them."""
    found = _found(asked) if asked.question.lower().lstrip().startswith(_WHY) else None
    return _why(asked, found) if found is not None and found.said.asks == "why" else None


def _found(asked: AskedTurn) -> Beside | None:
    if names_same_part(asked.question):
        return None  # of the other year no more than that
    budget = asked.means.budget.apart()
    read = cache(partial(asked.whole_plan, budget=budget))
    return beside(asked.question, asked.metadata, read, named=partial(_is_unread, asked))


def _counted_instead(asked: AskedTurn) -> Understood | None:
    """A refusal where nothing but rows would be counted, or listed, for what is cheaper, later or better."""
    so = asks_of_amount(asked.question)
    plan = asked.alone.decision.plan if so else None
    if plan is None or asked.turn.history and not asked.is_own:
        return None
    listed = plan.shape != "aggregate" or not plan.measures
    counted = all(asked.metadata.plain(m).aggregate.startswith("count") for m in plan.measures)
    return asked.nothing(lost=(so,)) if listed or counted else None


def _is_unread(asked: AskedTurn) -> bool:
    """Whether nothing else reads the question whole, or compares anything where that is what it asks."""
    decided = asked.alone.decision
    unread = (*decided.unread, *(decided.plan.unread if decided.plan is not None else ()))
    if decided.plan is not None and _COMPARES.match(asked.question):
        plan = decided.plan
        told = plan.dimensions or plan.parts or plan.calculations or len(plan.measures) > 1
        return bool(unread) or plan.shape == "aggregate" and not told
    return decided.plan is None and decided.form is None or bool(unread)


def _why(asked: AskedTurn, found: Beside) -> Understood | None:
    """What sets one slice apart from the other."""
    one, other = found.slices.one, found.slices.other
    if not asked.means.analyses or len(one.conditions) != 1 or len(other.conditions) > 1:
        return None
    first = one.conditions[0]
    opposite = {"period": "not period", "in": "not in", "true": "false", "false": "true"}.get(first.operator)
    if not other.conditions and (opposite is None or first.part is not None):
        return None
    rest = other.conditions[0] if other.conditions else first.__class__(first.member, str(opposite), first.values)
    scope = asked.metadata.scope(
        [found.number.relation, *found.number.scope, *found.slices.scope], (found.number.relation,)
    )
    if scope is None:
        return None
    bare = Plan(scope, measures=(found.number.measure,), conditions=found.slices.common)
    sides = Sides(Side(other.name, rest), Side(one.name, first)).named_by(asked.means.called)
    words = f"Why {describe(bare, asked.metadata)} of {one.name} differs from {other.name}"
    recipe = partial(change, bare, sides, asked.metadata, why=True)
    plan = bare.with_(conditions=(*bare.conditions, first)) if not other.conditions else bare
    analysis = Analysis(plan, words, recipe, sides=sides if other.conditions else None)
    return Understood(asked.metadata, asked.reading, plan, False, write_sql(plan, asked.metadata), analysis=analysis)
