"""``in hours`` after a number of minutes: what was shown, in another unit of the same kind."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Form
from ..forms.other_units import in_unit as told_in
from ..forms.other_units import told_otherwise, told_unit
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
    told = told_otherwise(form, lambda of: told_in(of, unit, metadata.catalog), told_unit(unit))
    if told == form:
        raise Unfit(f"it is shown in {told_unit(unit)} already")
    return told
