"""``in hours`` after a number of minutes: what was shown, in another unit of the same kind."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..forms import Clause, Form
from ..forms.names import name_of
from ..forms.other_units import as_kept, told_unit
from ..forms.other_units import in_unit as told_in
from ..schema.metadata import Metadata
from ..words.numbers import dimension_of, exact_unit
from .editing import Unfit
from .hearing import Heard

__all__ = ["in_unit"]

_ASKED = re.compile(
    r"^\W*(?:(?:and|how much|how many|what|what['’]?s|is|are|was|were|would|be|that|this|it|those|they)\s+)*"
    r"in\s+(?P<unit>\w+)\W*$",
    re.IGNORECASE,
)
_CONVERTED = re.compile(r"^\W*(?:(?:in|into|to)\s+)?(?P<unit>\w+)\W*$", re.IGNORECASE)


def in_unit(heard: Heard, form: Form, metadata: Metadata) -> Form | None:
    """The form with its numbers in the unit that a turn says; None where it says none, or none that theirs can be in.

    Raises
    ------
    Unfit
        If they are shown in it already, or cannot be.
    """
    asked = _ASKED.match(heard.rest)
    said = asked or (_CONVERTED.match(heard.rest) if "replace" in heard.acts else None)
    unit = exact_unit(said["unit"].lower()) if said is not None else None
    if unit is None or not dimension_of(unit):
        return None
    if not any(told_in(clause.expression, unit, metadata.catalog) for clause in form.measures):
        if asked is not None and form.measures:
            raise Unfit(f"nothing of it can be told in {told_unit(unit)}; say “by” for a group")
        return None
    told = _with_unit(form, unit, metadata)
    if told == form:
        raise Unfit(f"it is shown in {told_unit(unit)} already")
    return told


def _with_unit(form: Form, unit: str, metadata: Metadata) -> Form:
    """A form with those of its numbers in a unit that can be told in it, and in its order still."""
    numbers = {of: told_in(of, unit, metadata.catalog) or of for of in (c.expression for c in form.shown)}

    def told(clause: Clause) -> Clause:
        new = numbers[clause.expression]
        kept = as_kept(new)
        name = f"{name_of(kept)}_{told_unit(unit)}" if new is not kept else ""
        return clause if new == clause.expression else Clause(new, name=name)

    order = tuple(replace(one, by=numbers.get(one.by, one.by)) for one in form.order)
    measures, columns = tuple(map(told, form.measures)), tuple(map(told, form.columns))
    return form.with_(measures=measures, columns=columns, order=order)
