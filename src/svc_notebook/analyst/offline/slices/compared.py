"""Two slices of rows side by side by one number: as a plan where one has groups for them, else as a form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ..forms import (
    ROWS,
    Aggregate,
    And,
    Case,
    Clause,
    Filter,
    Form,
    Member,
    Missing,
    Or,
    Ratio,
    Role,
    Truncated,
    Value,
)
from ..forms import Condition as FormCondition
from ..forms.partings import PARTINGS
from ..plans.plan import Condition, Dimension, Measure, Plan
from ..plans.sql import write_sql
from ..reading.read_back import read_back
from ..schema.derivations import expression_of, span_path
from ..schema.metadata import Metadata
from ..walk.times import period_unit
from .asked import said_in
from .lexicon import load_comparing
from .numbers import Number, numbers
from .said import Said
from .sides import Slices, slices

__all__ = ["Beside", "asks_of_amount", "beside"]

Reader = Callable[[str], Plan | None]
_MOST = 12  # ways to take a question apart that are tried


class Beside(NamedTuple):
    """What sets the slices side by side, and what is claimed of the first of them."""

    plan: Plan | None
    form: Form | None
    claim: tuple[Any, ...]
    said: Said
    number: Number
    slices: Slices


def beside(question: str, metadata: Metadata, read: Reader, *, named: Callable[[], bool]) -> Beside | None:
    """Two slices that a question sets against each other, where all its words are read.

    Parameters
    ----------
    named
        Whether it may name its number alone, without a word that says more or less.
    """
    for said in (s for place, s in enumerate(said_in(question)) if place < _MOST):
        if not (said.comparative or said.of_two) and not named():
            continue
        for number in numbers(said, metadata, read):
            found = slices(said.one, said.other, number.relation, metadata, read)
            made = _made(said, number, found, metadata) if found is not None else None
            if made is not None:
                return made
    return None


def asks_of_amount(question: str) -> str:
    """The comparative of a yes-or-no question that no number of rows answers: ``cheaper``, ``rated better``."""
    for said in said_in(question):
        sense = load_comparing().sense(said.comparative) if said.comparative else None
        if said.asks == "whether" and sense is not None and (sense.kind in ("so", "better", "worse") or sense.hints):
            return said.comparative
    return ""


def _made(said: Said, number: Number, both: Slices, metadata: Metadata) -> Beside | None:
    scope = metadata.scope([number.relation, *number.scope, *both.scope], (number.relation,))
    if {c.member for c in number.conditions} & {c.member for c in both.conditions}:
        return None  # what is said of both sets neither apart
    if scope is None or not all(_belongs(c, number, metadata) for c in both.conditions):
        return None
    base = Plan(scope, measures=(number.measure,), conditions=(*number.conditions, *both.common))
    plan, names = _by_unit(said, base, both) or _grouped(base, both, metadata)
    claim: tuple[Any, ...] = ()
    if said.asks == "whether" and number.sign:
        more = (number.sign > 0) != both.turned
        claim = (">" if more else "<", *names, *(("per day",) if number.per_day else ()))
    if said.asks == "why":
        return Beside(plan, None, claim, said, number, both)
    if plan is not None:
        return Beside(plan.with_(claim=claim), None, claim, said, number, both)
    form = _parted(base, both, metadata, per_day=number.per_day)
    return Beside(None, form, claim, said, number, both) if form is not None else None


def _belongs(condition: Condition, number: Number, metadata: Metadata) -> bool:
    """Whether each row of the number has one value of what a slice goes by, so that no row counts twice."""
    home = condition.member.split(".", 1)[0]
    return home == number.relation or metadata.leads_to(number.relation, home)


def _grouped(base: Plan, both: Slices, metadata: Metadata) -> tuple[Plan | None, tuple[Any, ...]]:
    """The plan by what tells both sides apart, where that has a name of its own; and the groups' values."""
    one, other = both.one, both.other
    names: tuple[Any, ...] = (one.name, other.name)
    if len(one.conditions) != 1 or len(other.conditions) > 1:
        return None, names
    first = one.conditions[0]
    second = other.conditions[0] if other.conditions else None
    for unit, parting in PARTINGS.items():
        ones, others = _parts(first, unit), _parts(second, unit) if second is not None else ()
        whole = second is None and len(parting.names) == 2
        if len(ones) == 1 and (len(others) == 1 or whole) and (second is None or second.member == first.member):
            rest = others or tuple(name for name, _ in parting.names if name != ones[0])
            kept = () if len(parting.names) == 2 else (replace(first, values=parting.values((*ones, *rest)), words=""),)
            plan = base.with_(dimensions=(Dimension(first.member, unit),), conditions=(*base.conditions, *kept))
            return plan, (*ones, *rest)
    if first.operator in ("true", "false") and (second is None or second.member == first.member):
        return base.with_(dimensions=(Dimension(first.member),)), _flagged(first)
    if second is not None and _are_values(first, second):
        either = replace(first, values=(*first.values, *second.values), words="")
        plan = base.with_(dimensions=(Dimension(first.member),), conditions=(*base.conditions, either))
        return plan, (*first.values, *second.values)
    return None, names


def _by_unit(said: Said, base: Plan, both: Slices) -> tuple[Plan, tuple[Any, ...]] | None:
    """The plan by the unit of the calendar that both sides are one whole of, where nothing is claimed of either."""
    ones, others = both.one.conditions, both.other.conditions
    unit = _shared_unit(ones[0], others[0]) if len(ones) == len(others) == 1 and said.asks != "whether" else None
    if unit is None:
        return None
    plan = base.with_(dimensions=(Dimension(ones[0].member, unit),), alternatives=(ones, others))
    return plan, (both.one.name, both.other.name)


def _shared_unit(first: Condition, second: Condition) -> str | None:
    """The unit of the calendar that both sides are one whole of, if any."""
    if first.operator != "period" or second.operator != "period" or first.member != second.member:
        return None
    units = {period_unit(condition.values) for condition in (first, second)}
    return units.pop() if len(units) == 1 and first.values != second.values else None


def _are_values(first: Condition, second: Condition) -> bool:
    """Whether each side is one value of the same member."""
    if first.member != second.member or first.part is not None or second.part is not None:
        return False
    return first.operator == second.operator == "in" and len(first.values) == len(second.values) == 1


def _parts(condition: Condition, unit: str) -> tuple[str, ...]:
    """The names of the parts of a time that a condition chooses, where it is made of whole ones."""
    parting = PARTINGS[unit]
    if condition.part != parting.condition or condition.operator != "in":
        return ()
    chosen = set(condition.values)
    found = tuple(name for name, values in parting.names if set(values) <= chosen)
    return found if set(parting.values(found)) == chosen else ()


def _flagged(first: Condition) -> tuple[Any, ...]:
    so = first.operator == "true"
    return (so, not so)


def _parted(base: Plan, both: Slices, metadata: Metadata, *, per_day: bool = False) -> Form | None:
    """The form whose groups are the two sides under their own names."""
    form = _form_of(base, metadata)
    if form is None:
        return None
    one = _condition(base, both.one.conditions, form, metadata)
    other = _condition(base, both.other.conditions, form, metadata) if both.other.conditions else None
    if one is None or both.other.conditions and other is None:
        return None
    group = Case(((one, Value(both.one.name)),), Value(both.other.name))
    known: FormCondition | None = Or((one, other)) if other is not None else None
    first = both.one.conditions[0]
    if other is None and first.part is None and first.operator in ("in", "not in"):
        known = Missing(Member(first.member), negated=True)
    if per_day:
        form = _each_day(form, metadata)
        if form is None:
            return None
    return form.with_(groups=(Clause(group),), where=(*form.where, *((Filter(known),) if known is not None else ())))


def _each_day(form: Form, metadata: Metadata) -> Form | None:
    """How many rows there are each day that has any: of one day in seven there are fewer for that alone."""
    times = metadata.times([form.root.relation]) if isinstance(form.root, Role) else []
    if not times:
        return None
    days = Aggregate("count_distinct", Truncated(Member(times[0]), "day"))
    return form.with_(measures=(Clause(Ratio(ROWS, days)),))


def _condition(base: Plan, conditions: tuple[Condition, ...], form: Form, metadata: Metadata) -> FormCondition | None:
    """Conditions of a plan as one of a form."""
    found = _form_of(base.with_(conditions=(*base.conditions, *conditions)), metadata)
    if found is None:
        return None
    known = [filter_.condition for filter_ in form.where]
    terms = tuple(f.condition for f in found.where if f.condition not in known)
    return terms[0] if len(terms) == 1 else And(terms) if terms else None


def _form_of(plan: Plan, metadata: Metadata) -> Form | None:
    """A plan of one number as a form; the time between two times is computed there as forms have it."""
    measure = plan.measures[0]
    lasting = measure.aggregate == "span"
    plan = plan.with_(measures=(Measure(None, "count", entity=plan.scope[0]),)) if lasting else plan
    form = read_back(write_sql(plan, metadata).sql, metadata)
    if not isinstance(form, Form) or not lasting:
        return form if isinstance(form, Form) else None
    of = expression_of(span_path(str(measure.member), str(measure.other), measure.unit))
    return form.with_(measures=(Clause(Aggregate(measure.fold, of)),))  # type: ignore[arg-type]  # one of the aggregates
