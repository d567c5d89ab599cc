"""Numbers that are shown in another unit than the one they are kept in: minutes as hours."""

from __future__ import annotations

from ....semantic.catalog import Catalog
from ..words.numbers import dimension_of, larger_and_smaller, unit_factor, unit_of
from ..words.text import name_parts
from .expressions import Aggregate, Arithmetic, Expression, Member, Ratio, Value

__all__ = ["as_kept", "in_unit", "shown_unit"]

_COUNTS = ("rows", "count", "count_distinct")


def shown_unit(of: Expression, catalog: Catalog) -> str | None:
    """The unit that a number of rows, or a column, is shown in; None where it has none that is known."""
    inner = as_kept(of)
    kept = _kept_unit(inner, catalog)
    if kept is None or inner is of:
        return kept
    size = of.below if isinstance(of, Ratio) else of.right if isinstance(of, Arithmetic) else None
    number = size.value if isinstance(size, Value) and isinstance(size.value, (int, float)) else 0
    return larger_and_smaller(kept, float(number))[isinstance(of, Arithmetic)]


def as_kept(of: Expression) -> Expression:
    """The number as the data keep it."""
    match of:
        case Ratio((Aggregate() | Member()) as inner, Value(), percent=False):
            return inner
        case Arithmetic("*", (Aggregate() | Member()) as inner, Value()):
            return inner
    return of


def in_unit(of: Expression, unit: str, catalog: Catalog) -> Expression | None:
    """The number in ``unit``; None where it is not of its kind."""
    inner = as_kept(of)
    kept = _kept_unit(inner, catalog)
    if kept is None or not dimension_of(kept) or dimension_of(kept) != dimension_of(unit):
        return None
    if kept == unit:
        return inner
    larger, smaller = unit_factor(unit, kept) or 1.0, unit_factor(kept, unit) or 1.0
    return Ratio(inner, _whole(larger)) if larger > 1 else Arithmetic("*", inner, _whole(smaller))


def _whole(number: float) -> Value:
    return Value(int(number) if number.is_integer() else round(number, 6))


def _kept_unit(of: Expression, catalog: Catalog) -> str | None:
    if isinstance(of, Aggregate) and (of.function in _COUNTS or of.of is None):
        return None
    member = of.of if isinstance(of, Aggregate) else of
    relation = catalog.relations.get(member.relation) if isinstance(member, Member) else None
    known = relation.members.get(member.name) if relation is not None and isinstance(member, Member) else None
    if known is None or str(known.agg_type or "").startswith("count") or known.format or known.currency:
        return None
    said = str(known.meta.get("unit") or "")
    found = [unit_of(word) for word in (said, *name_parts(known.name)) if word]
    return next((unit for unit in found if unit is not None), None) or unit_of(known.description or "")
