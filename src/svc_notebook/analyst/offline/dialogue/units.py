"""``in hours`` after a number of minutes: what was shown, in another unit of the same kind."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..forms import Clause, Form
from ..forms.names import name_of
from ..forms.other_units import as_kept
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
    found = [told_in(clause.expression, unit, metadata.catalog) for clause in form.measures]
    if not any(found):
        if asked is not None and form.measures:
            raise Unfit(f"nothing of it can be told in {unit}s; say “by” for a group")
        return None
    numbers = {c.expression: new or c.expression for c, new in zip(form.measures, found, strict=True)}
    if all(old == new for old, new in numbers.items()):
        raise Unfit(f"it is shown in {unit}s already")
    clauses = []
    for clause in form.measures:
        new, kept = numbers[clause.expression], as_kept(numbers[clause.expression])
        name = f"{name_of(kept)}_{unit}s" if new is not kept else ""
        clauses.append(clause if new == clause.expression else Clause(new, name=name))
    order = tuple(replace(one, by=numbers.get(one.by, one.by)) for one in form.order)
    return form.with_(measures=tuple(clauses), order=order)
