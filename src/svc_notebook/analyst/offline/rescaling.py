"""Numbers in another unit or scale than they are kept in: *in millions each year*, *in celsius by team*, *in mph*."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ... import patterns as re
from ...semantic.catalog import Member as CatalogMember
from ..base import Turn
from .forms import Aggregate, Clause, Expression, Form, Member
from .forms.names import name_of
from .forms.other_units import DEGREES, in_scale, in_unit
from .plans.sql import write_sql
from .reader import is_writable
from .reading.read_back import read_back
from .schema.metadata import Metadata
from .understood import Understood
from .words.numbers import CURRENCIES, dimension_of, exact_unit

__all__ = ["as_rescaled"]

_CURRENCY = "|".join(sorted(CURRENCIES))
_SAID = re.compile(
    r",?\s+(?:(?:shown|given|told|expressed|measured)\s+)?in\s+(?:(?P<scale>thousands|millions|billions)"
    rf"(?:\s+of\s+(?:{_CURRENCY}))?|(?:degrees?\s+)?(?P<unit>celsius|centigrade|fahrenheit|mph|km/?h|kph|m/s|knots"
    r"|miles per hour|kilomet(?:er|re)s per hour|hours|hrs|minutes|mins|days|kilomet(?:er|re)s|km|miles|tons|tonnes"
    r"|kg|kilos))"
    r"(?![\w-])(?!\s+(?:from|between|since|until|to)\b)",
    re.IGNORECASE,
)
_SCALES = {"thousands": 1000, "millions": 1_000_000, "billions": 1_000_000_000}
_LEAST_WORDS = 2


def as_rescaled(turn: Turn, metadata: Metadata, again: Callable[[Turn], Understood]) -> Understood | None:
    """What is asked for, in the unit that it is asked for in; None where none is said, or nothing of it can be so."""
    said = _SAID.search(turn.question)
    rest = f"{turn.question[: said.start()]}{turn.question[said.end() :]}".strip() if said is not None else ""
    if said is None or len(rest.split()) < _LEAST_WORDS:
        return None
    read = again(replace(turn, question=rest))
    form = _form(read, metadata)
    told = _told(form, said, metadata) if form is not None else None
    if told is None or not is_writable(told):
        return None
    return replace(read, plan=None, statement=None, form=told, options=(), followed=None, taken=None)


def _form(read: Understood, metadata: Metadata) -> Form | None:
    if read.lost or read.unread or read.analysis or read.plan is not None and (read.plan.unread or read.plan.claim):
        return None
    if read.plan is not None:
        form = read_back(write_sql(read.plan, metadata).sql, metadata)
        return form if isinstance(form, Form) else None
    return read.form if isinstance(read.form, Form) else None


def _told(form: Form, said: re.Match[str], metadata: Metadata) -> Form | None:
    """The form with every number in the unit that can be told in it; None where none can."""
    numbers: dict[Expression, Expression] = {}
    word = re.sub(r"\W+", "_", (said["scale"] or said["unit"]).lower()).strip("_")

    def told(clause: Clause) -> Clause:
        new = _rescaled(clause.expression, said, metadata, alone=len(form.measures) == 1)
        if new is None:
            return clause
        numbers[clause.expression] = new
        return Clause(new, name=f"{name_of(clause.expression)}_{word}")

    measures, columns = tuple(map(told, form.measures)), tuple(map(told, form.columns))
    if not numbers:
        return None
    order = tuple(replace(one, by=numbers.get(one.by, one.by)) for one in form.order)
    return form.with_(measures=measures, columns=columns, order=order)


def _rescaled(of: Expression, said: re.Match[str], metadata: Metadata, *, alone: bool) -> Expression | None:
    if said["scale"]:
        known = _member(of, metadata)
        is_money = known is not None and bool(known.currency)
        return in_scale(of, _SCALES[said["scale"].lower()]) if alone or is_money else None
    unit = " ".join(said["unit"].lower().split())
    exact = exact_unit(unit)
    known_unit = exact if exact is not None and dimension_of(exact) else DEGREES.get(unit)
    return in_unit(of, known_unit, metadata.catalog) if known_unit else None


def _member(of: Expression, metadata: Metadata) -> CatalogMember | None:
    inner = of.of if isinstance(of, Aggregate) else of
    return metadata.members[inner.path] if isinstance(inner, Member) and inner.path in metadata.members else None
