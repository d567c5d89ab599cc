"""Numbers that are shown in another unit than the one they are kept in: minutes as hours, °F as °C, in millions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ....semantic.catalog import Catalog
from ....semantic.catalog import Member as CatalogMember
from ..words.numbers import dimension_of, larger_and_smaller, plural_unit, unit_factor, unit_of
from ..words.text import name_parts
from .expressions import Aggregate, Arithmetic, Expression, Member, Ratio, Value
from .form import Clause, Form
from .lasting import lasting, told_span
from .names import name_of

__all__ = ["DEGREES", "SCALES", "as_kept", "in_scale", "in_unit", "shown_unit", "told_otherwise", "told_unit"]

_TIMES = ("second", "minute", "hour", "day", "week")
_COUNTS = ("rows", "count", "count_distinct")
DEGREES = {"celsius": "°C", "centigrade": "°C", "fahrenheit": "°F"}
SCALES = {1000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}


def told_unit(unit: str) -> str:
    """A unit as it stands behind a number: ``hours``, but ``mph`` and ``°C``."""
    return unit if unit.startswith("°") else plural_unit(unit)


def shown_unit(of: Expression, catalog: Catalog) -> str | None:
    """The unit that a number of rows, or a column, is shown in; None where it has none that is known."""
    inner = as_kept(of)
    if _degrees(of) is not None:
        return "°C" if isinstance(of, Ratio) else "°F"
    kept = _kept_unit(inner, catalog)
    if inner is of:
        return kept
    size = of.below if isinstance(of, Ratio) else of.right if isinstance(of, Arithmetic) else None
    number = size.value if isinstance(size, Value) and isinstance(size.value, (int, float)) else 0
    if kept is None:
        return SCALES.get(number) if isinstance(of, Ratio) and isinstance(number, int) else None
    return larger_and_smaller(kept, float(number))[isinstance(of, Arithmetic)]


def as_kept(of: Expression) -> Expression:
    """The number as the data keep it."""
    if (warm := _degrees(of)) is not None:
        return warm
    match of:
        case Ratio((Aggregate() | Member()) as inner, Value(), percent=False):
            return inner
        case Arithmetic("*", (Aggregate() | Member()) as inner, Value()):
            return inner
    return of


def in_unit(of: Expression, unit: str, catalog: Catalog) -> Expression | None:
    """The number in ``unit``; None where it is not of its kind."""
    if (lasted := _lasting(of, unit)) is not None:
        return lasted
    inner = as_kept(of)
    if unit.startswith("°"):
        return _in_degrees(inner, _declared(inner, catalog), unit)
    kept = _kept_unit(inner, catalog)
    if kept is None or not dimension_of(kept) or dimension_of(kept) != dimension_of(unit):
        return None
    if kept == unit:
        return inner
    larger, smaller = unit_factor(unit, kept) or 1.0, unit_factor(kept, unit) or 1.0
    return Ratio(inner, _whole(larger)) if larger > 1 else Arithmetic("*", inner, _whole(smaller))


def _lasting(of: Expression, unit: str) -> Expression | None:
    """How long something took, in another unit of time; None of any other number."""
    if not isinstance(of, Aggregate) or of.of is None or unit not in _TIMES:
        return None
    span = told_span(of.of)
    return replace(of, of=lasting(unit, span.start, span.end)) if span is not None and not span.exact else None


def told_otherwise(form: Form, told: Callable[[Expression], Expression | None], called: str) -> Form:
    """A form with those of its numbers told otherwise that can be, and in its order still; ``called``: what is added to
    their names.
    """
    numbers = {
        of: new for of in (c.expression for c in (*form.measures, *form.columns)) if (new := told(of)) is not None
    }

    def clause(one: Clause) -> Clause:
        new = numbers.get(one.expression, one.expression)
        kept = as_kept(new)
        return (
            one if new == one.expression else Clause(new, name=f"{name_of(kept)}_{called}" if new is not kept else "")
        )

    order = tuple(replace(one, by=numbers.get(one.by, one.by)) for one in form.order)
    return form.with_(measures=tuple(map(clause, form.measures)), columns=tuple(map(clause, form.columns)), order=order)


def in_scale(of: Expression, size: int) -> Expression:
    """The number in thousands, or millions."""
    return Ratio(as_kept(of), Value(size))


def _in_degrees(of: Expression, kept: str, unit: str) -> Expression | None:
    # The sum of several temperatures is none.
    if {kept, unit} != {"°C", "°F"} or isinstance(of, Aggregate) and of.function == "sum":
        return None
    if unit == "°C":
        return Ratio(Arithmetic("*", Arithmetic("-", of, Value(32)), Value(5)), Value(9))
    return Arithmetic("+", Ratio(Arithmetic("*", of, Value(9)), Value(5)), Value(32))


def _degrees(of: Expression) -> Expression | None:
    """The temperature that was told in the other degrees."""
    match of:
        case Ratio(Arithmetic("*", Arithmetic("-", inner, Value(32)), Value(5)), Value(9), percent=False):
            return inner
        case Arithmetic("+", Ratio(Arithmetic("*", inner, Value(9)), Value(5), percent=False), Value(32)):
            return inner
    return None


def _declared(of: Expression, catalog: Catalog) -> str:
    """The unit that the model says of what a number is of."""
    known = _known(of, catalog)
    return str(known.meta.get("unit") or "") if known is not None else ""


def _known(of: Expression, catalog: Catalog) -> CatalogMember | None:
    member = of.of if isinstance(of, Aggregate) else of
    relation = catalog.relations.get(member.relation) if isinstance(member, Member) else None
    return relation.members.get(member.name) if relation is not None and isinstance(member, Member) else None


def _whole(number: float) -> Value:
    return Value(int(number) if number.is_integer() else round(number, 6))


def _kept_unit(of: Expression, catalog: Catalog) -> str | None:
    if isinstance(of, Aggregate) and (of.function in _COUNTS or of.of is None):
        return None
    known = _known(of, catalog)
    if known is None or str(known.agg_type or "").startswith("count") or known.format or known.currency:
        return None
    if known.meta.get("ordinal"):
        return None  # the hour of a day is not so many hours
    said = str(known.meta.get("unit") or "")
    found = [unit_of(word) for word in (said, *name_parts(known.name)) if word]
    return next((unit for unit in found if unit is not None), None) or unit_of(known.description or "")
