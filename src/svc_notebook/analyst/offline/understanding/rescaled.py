"""Numbers in another unit or scale than they are kept in: *in millions each year*, *in celsius by team*, *in mph*."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ....semantic.catalog import Member as CatalogMember
from ..forms import Aggregate, Arithmetic, Expression, Form, Member, Ratio, Value
from ..forms.other_units import DEGREES, in_scale, in_unit, told_otherwise
from ..reader import is_writable
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.numbers import CURRENCIES, dimension_of, exact_unit
from .asked import AskedTurn
from .forming import form_read_whole, told_instead

__all__ = ["rescaled"]

_CURRENCY = "|".join(sorted(CURRENCIES))
_UNITS = r"hours|hrs|minutes|mins|days|kilomet(?:er|re)s|kms?|miles|tons|tonnes|kg|kilos"
_SAID = re.compile(
    r",?\s+(?:(?:shown|given|told|expressed|measured)\s+)?in\s+(?:(?P<scale>thousand|million|billion)s?"
    rf"(?:\s+(?:of\s+)?(?:{_CURRENCY}|(?P<scaled>{_UNITS})))?|(?:degrees?\s+)?(?P<unit>celsius|centigrade|fahrenheit|mph|km/?h|kph|m/s|knots"
    rf"|miles per hour|kilomet(?:er|re)s per hour|{_UNITS}))"
    r"(?![\w-])(?!\s+(?:from|between|since|until|to)\b)",
    re.IGNORECASE,
)
_SCALES = {"thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_LEAST_WORDS = 2


def rescaled(asked: AskedTurn) -> Understood | None:
    """What is asked for, in the unit that it is asked for in; None where none is said, or nothing of it can be so."""
    said = _SAID.search(asked.question)
    rest = f"{asked.question[: said.start()]}{asked.question[said.end() :]}".strip() if said is not None else ""
    if said is None or len(rest.split()) < _LEAST_WORDS:
        return None
    read = asked.anew(replace(asked.turn, question=rest))
    form = form_read_whole(read)
    told = _told(form, said, asked.metadata) if form is not None else None
    if told is None or told == form or not is_writable(told):
        return None
    return replace(told_instead(read, told), followed=None, taken=None)


def _told(form: Form, said: re.Match[str], metadata: Metadata) -> Form:
    """The form with every number in the unit that can be told in it."""
    scale = f"{said['scale']}s {said['scaled'] or ''}" if said["scale"] else said["unit"]
    word = re.sub(r"\W+", "_", scale.lower()).strip("_")
    alone = len(form.measures) == 1
    return told_otherwise(form, lambda of: _rescaled(of, said, metadata, alone=alone), word)


def _rescaled(of: Expression, said: re.Match[str], metadata: Metadata, *, alone: bool) -> Expression | None:
    if said["scale"]:
        known = _member(of, metadata)
        is_money = known is not None and bool(known.currency)
        scale = _SCALES[said["scale"].lower()]
        if said["scaled"]:
            unit = exact_unit(said["scaled"].lower())
            told = in_unit(of, unit, metadata.catalog) if unit is not None else None
            return _scaled(told, scale) if told is not None else None
        return in_scale(of, scale) if alone or is_money else None
    unit = " ".join(said["unit"].lower().split())
    exact = exact_unit(unit)
    known_unit = exact if exact is not None and dimension_of(exact) else DEGREES.get(unit)
    return in_unit(of, known_unit, metadata.catalog) if known_unit else None


def _scaled(of: Expression, scale: int) -> Expression:
    """A number that is told in a unit, so many of them at once."""
    match of:
        case Ratio(inner, Value(int() | float() as size), percent=False):
            return Ratio(inner, Value(size * scale))
        case Arithmetic("*", inner, Value(int() | float() as size)):
            return Ratio(inner, Value(round(scale / size, 6)))
    return in_scale(of, scale)


def _member(of: Expression, metadata: Metadata) -> CatalogMember | None:
    inner = of.of if isinstance(of, Aggregate) else of
    return metadata.members[inner.path] if isinstance(inner, Member) and inner.path in metadata.members else None
