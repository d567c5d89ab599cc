"""``longest flight in hours``, ``speed in mph by airline``: what is asked, its numbers in the unit that is said."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ....semantic.catalog import Catalog
from ..dialogue import with_unit
from ..forms import Difference, Form
from ..forms.other_units import shown_unit
from ..forms.walking import parts
from ..plans.forms_as_plans import plan_of
from ..plans.sql import write_sql
from ..reader import is_writable
from ..understood import Understood
from ..words.numbers import dimension_of, exact_unit
from .asked import AskedTurn
from .forming import form_of_plan

__all__ = ["in_its_unit"]

_SAID = re.compile(
    r",?\s+(?:measured |expressed |told |shown |given )?in (?P<unit>[a-z]+)\b"
    r"(?=\W*$|\W+(?:please|pls|by|per|for|of|from|and|with|where|each)\b)",
    re.IGNORECASE,
)


def in_its_unit(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, or the same question without its unit, told in it: what has no such unit is no answer."""
    said = _SAID.search(asked.question)
    unit = exact_unit(said["unit"].lower()) if said is not None else None
    if said is None or unit is None or not dimension_of(unit) or _is_settled(found, unit):
        return found
    head = asked.question[: said.start()] + asked.question[said.end() :]
    without = asked.anew(replace(asked.turn, question=head))
    form = _form_of(without)
    told = with_unit(form, unit, asked.metadata) if form is not None else None
    if told is None or not _is_in(told, unit, asked.metadata.catalog) or not is_writable(told):
        lost = found.plan is not None or found.form is not None
        return asked.nothing(lost=(said[0].strip(" ,"),)) if lost else found
    if without.followed is not None:
        return replace(without, followed=replace(without.followed, form=told), form=told, plan=None, statement=None)
    plan = plan_of(told, asked.metadata)
    if plan is None:
        return replace(without, plan=None, statement=None, form=told, options=())
    return replace(without, plan=plan, statement=write_sql(plan, asked.metadata), form=None, options=())


def _is_settled(found: Understood, unit: str) -> bool:
    """Whether a question was read with its unit, or what is kept in none that is known, or without any number."""
    if found.told is not None or found.analysis is not None or found.unmet is not None or found.too_long:
        return True
    form = _form_of(found)
    if form is None:
        return False
    numbers = [clause.expression for clause in (*form.measures, *form.columns)]
    return _is_in(form, unit, found.metadata.catalog) or not numbers


def _is_in(form: Form, unit: str, catalog: Catalog) -> bool:
    """Whether some number of a form is told in a unit; times between two times are asked for in theirs already."""
    shown = [clause.expression for clause in (*form.measures, *form.columns)]
    spans = any(isinstance(part, Difference) for part in parts(form))
    return spans or any(shown_unit(of, catalog) == unit for of in shown)


def _form_of(found: Understood) -> Form | None:
    form = found.followed.form if found.followed is not None else found.form
    return form or (form_of_plan(found.plan, found.metadata) if found.plan is not None else None)
