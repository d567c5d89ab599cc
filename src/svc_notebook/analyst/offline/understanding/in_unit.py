"""``how many flights in hours``: what is asked for in a unit that nothing of the answer is told in is no answer."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Aggregate, Difference, Expression, Form, Member
from ..forms.other_units import shown_unit
from ..forms.walking import parts
from ..schema.kept_units import own_unit
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.numbers import dimension_of, exact_unit
from .asked import AskedTurn
from .forming import form_shown

__all__ = ["in_its_unit"]

_COUNTS = ("count", "count_distinct")
_SAID = re.compile(
    r",?\s+(?:measured |expressed |told |shown |given )?in (?P<unit>[a-z]+)\b"
    r"(?=\W*$|\W+(?:please|pls|by|per|for|of|from|and|with|where|each)\b)",
    re.IGNORECASE,
)


def in_its_unit(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, or a refusal where the unit that was said is none of what it shows."""
    said = _SAID.search(asked.question)
    unit = exact_unit(said["unit"].lower()) if said is not None else None
    if said is None or unit is None or not dimension_of(unit):
        return found
    form = form_shown(found)
    if form is None or found.analysis is not None or _may_be_in(form, unit, asked.metadata):
        return found
    return asked.nothing(lost=(said[0].strip(" ,"),))


def _may_be_in(form: Form, unit: str, metadata: Metadata) -> bool:
    """Whether some number of a form is told in a unit, or in none that is known; times between two are in theirs."""
    shown = [clause.expression for clause in (*form.measures, *form.columns)]
    spans = any(isinstance(part, Difference) for part in parts(form))
    return spans or not shown or any(_may_be(of, unit, metadata) for of in shown)


def _may_be(of: Expression, unit: str, metadata: Metadata) -> bool:
    inner = of.of if isinstance(of, Aggregate) else of
    if shown_unit(of, metadata.catalog) == unit:
        return True
    if not isinstance(inner, Member):  # computed, or rows that are counted
        return inner is not None
    if inner.path not in metadata.members or isinstance(of, Aggregate) and of.function in _COUNTS:
        return False
    known = metadata.members[inner.path]
    said = known.format or known.currency or known.meta.get("ordinal") or str(known.agg_type or "").startswith("count")
    return metadata.is_number(inner.path) and not said and own_unit(metadata, inner.path) is None
