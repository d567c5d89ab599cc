"""Numbers said in a unit, as a member keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..linking.mentions import Mention
from ..schema.derivations import is_derived, is_product
from ..schema.kept_units import own_unit
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..words.numbers import dimension_of, scale_of, unit_factor
from .partial import Features

__all__ = ["PLAIN", "converted", "divisor", "has_no_unit", "kept_in", "measured_in"]

# Numbers without a unit of their own are taken for minutes, which is said beside the answer.
_TIMES = {"second": 1 / 60, "minute": 1.0, "hour": 60.0}


PLAIN = (None, "money", "percent", "%", "times")


def has_no_unit(metadata: Metadata, path: str) -> bool:
    """Whether a member of the model is a number of things or a share, which is compared with plain numbers only."""
    known = metadata.members.get(path)
    counts = known is not None and str(known.agg_type or "").startswith("count")
    return counts or known is not None and str(known.format or "").startswith("percent")


def converted(metadata: Metadata, path: str, mention: Mention) -> Iterator[tuple[float, Features]]:
    """The number of ``mention`` in the unit of a member, and what speaks against it."""
    number = mention.number or 0.0
    if has_no_unit(metadata, path) and mention.unit not in PLAIN:
        return  # no count, and no share, is "more than 30 minutes"
    if not is_derived(path) and metadata.is_year(path) and (mention.unit is not None or number < 1000):
        return  # no year is "older than 20"
    if mention.unit in _TIMES and not is_derived(path) and metadata.members[path].meta.get("ordinal"):
        return  # the hour of a day is not so many hours long
    if mention.unit in ("percent", "%") and (is_derived(path) or _is_money(metadata, path)):
        return  # no revenue is "less than 1 percent", and no age
    whole = int(number) if float(number).is_integer() else number
    if mention.unit in PLAIN:
        yield whole, ()
        return
    kept = own_unit(metadata, path)
    factor = unit_factor(mention.unit, kept) if kept else None
    if mention.unit == "year" and factor is None and not is_derived(path) and not _AGES & set(metadata.parts(path)):
        return  # no cost is "at least 65 years old"
    if factor is None and kept is not None and dimension_of(kept) and dimension_of(mention.unit):
        return  # no distance in kilometers is "longer than two hours"
    if factor is not None:
        yield _plain(number * factor), (("unit:known", 1.0),)
    elif kept is None and mention.unit in _TIMES:
        if "*" not in path and _measures_other(metadata, path, "time"):
            return  # no distance is "longer than five hours"
        yield _plain(number * _TIMES[mention.unit]), (("unit:minutes", 1.0),)
    else:
        yield whole, (("unit:other", 1.0),)


_AGES = frozenset("age ages old year years experience tenure seniority service term duration".split())
_MEASURED = {
    "length": frozenset("distance length height altitude elevation width depth mile kilometer".split()),
    "mass": frozenset({"weight", "mass"}),
    "time": frozenset({"duration", "length", "time", "delay", "minute", "second", "hour", "runtime", "millisecond"}),
    "data": frozenset({"size", "byte", "storage", "memory"}),
    "money": frozenset({"price", "cost", "amount", "total", "fare", "fee", "payment", "salary", "revenue"}),
}  # what is said in a unit


def measured_in(unit: str) -> frozenset[str]:
    """Words that the names of members hold that are said in ``unit``."""
    return _MEASURED.get("money" if unit == "money" else dimension_of(unit), frozenset())


def kept_in(metadata: Metadata, relations: Sequence[str], unit: str) -> list[str]:
    """Numbers whose own unit measures the same as ``unit``: ``grams`` for kilograms, but no hour of a day for hours."""
    found = []
    for relation in relations:
        for member in metadata.relation(relation).members.values():
            known = member.path in metadata.members and kind_of(metadata, member.path) == "number"
            own = own_unit(metadata, member.path) if known and not metadata.is_small(member.path) else None
            if own is not None and unit_factor(unit, own) is not None:
                found.append(member.path)
    return found


def _measures_other(metadata: Metadata, path: str, dimension: str) -> bool:
    """Whether the name of a member says that it measures something else."""
    parts = set(metadata.parts(path))
    other = any(parts & words for known, words in _MEASURED.items() if known != dimension)
    return other and not parts & _MEASURED[dimension]


def _is_money(metadata: Metadata, path: str) -> bool:
    """Whether a number is one of money: by its currency, its name, or as a price times a quantity."""
    if is_derived(path):
        return is_product(path)
    known = metadata.members[path]
    return bool(known.currency) or bool(_MEASURED["money"] & set(metadata.parts(path))) and known.format != "percent"


def divisor(metadata: Metadata, path: str, unit: str) -> float | None:
    """What a member is divided by to be shown in ``unit``; a time without a unit of its own is taken for minutes."""
    scale = scale_of(unit)
    if scale is not None:
        return scale
    kept = own_unit(metadata, path)
    factor = unit_factor(unit, kept or ("minute" if unit in _TIMES else ""))
    return None if factor is None or factor == 1 else factor


def _plain(number: float) -> float:
    return int(number) if float(number).is_integer() else round(number, 6)
