"""Numbers that no column holds and that two columns give: an amount, a sum, the time between two times, an age."""

from __future__ import annotations

from datetime import date
from typing import get_args

from ..forms import Arithmetic, Call, Difference, Expression, Member, Part, Ratio, Value
from ..forms.vocabulary import Grain

__all__ = [
    "age_path", "ends_of", "expression_of", "is_derived", "is_product", "kept_unit", "members_of", "name_of",
    "span_path", "sum_path", "summed", "years_path",
]  # fmt: skip

_TIMES, _SPAN, _AGE, _PLUS, _LESS = "*", "~", "@", "+", "−"
_WITHIN: dict[str, tuple[Grain, int]] = {"hour": ("minute", 60), "minute": ("second", 60)}
"""Units that are counted in a smaller one, so that no hour is lost at its edge."""


def is_derived(path: str) -> bool:
    """Whether a path stands for something computed from two members."""
    return any(sign in path for sign in (_TIMES, _SPAN, _AGE, _PLUS, _LESS))


def is_product(path: str) -> bool:
    """Whether it is a product, as price and quantity are: it adds up."""
    return _TIMES in path


def sum_path(one: str, other: str, *, less: bool = False) -> str:
    """Two numbers of a row added up, or the first less the other: ``matches.home_goals+away_goals``."""
    return f"{one}{_LESS if less else _PLUS}{other.split('.', 1)[1]}"


def summed(path: str) -> tuple[str, ...]:
    """The two numbers that a path adds up or takes from each other; nothing for any other."""
    sign = next((sign for sign in (_PLUS, _LESS) if sign in path), None)
    if sign is None:
        return ()
    first, _, second = path.partition(sign)
    return first, f"{first.split('.', 1)[0]}.{second}"


def span_path(start: str, end: str, unit: str) -> str:
    """The time from one member to another of the same relation: ``stays.admitted_at~discharged_at~day``."""
    return f"{start}{_SPAN}{end.split('.', 1)[1]}{_SPAN}{unit}"


def age_path(born: str, today: date) -> str:
    """Whole years since a birth: ``patients.birth_date@20241120``."""
    return f"{born}{_AGE}{today:%Y%m%d}"


def years_path(begun: str, year: int) -> str:
    """Years since the year in which something began: ``trucks.built@2024``."""
    return f"{begun}{_AGE}{year}"


def kept_unit(path: str) -> str | None:
    """The unit of what is derived."""
    if _AGE in path:
        return "year"
    return path.rsplit(_SPAN, 1)[1] if _SPAN in path else None


def name_of(path: str) -> str:
    """What is derived, by a name such as columns have: ``age``, ``days_from_ordered_at_to_delivered_at``."""
    name = path.split(".", 1)[1]
    if _AGE in name:
        return "age"
    if _SPAN in name:
        start, end, unit = name.split(_SPAN)
        return f"{unit}s_from_{start}_to_{end}"
    return name.replace(_TIMES, "_times_").replace(_PLUS, "_plus_").replace(_LESS, "_minus_")


def ends_of(path: str) -> tuple[str, str] | None:
    """From when to when a time between two times goes."""
    if _SPAN not in path:
        return None
    start, end, _ = path.split(_SPAN)
    return start, f"{start.split('.', 1)[0]}.{end}"


def members_of(path: str) -> tuple[str, ...]:
    """The two times that a path goes from and to, or the path itself."""
    return ends_of(path) or (path,)


def expression_of(path: str) -> Expression:
    """What a path stands for: a member, or what is computed."""
    relation, _, name = path.partition(".")
    if _TIMES in name:
        left, _, right = name.partition(_TIMES)
        return Arithmetic("*", Member(f"{relation}.{left}"), Member(f"{relation}.{right}"))
    if pair := summed(path):
        return Arithmetic("+" if _PLUS in name else "-", Member(pair[0]), Member(pair[1]))
    if _SPAN in name:
        start, end, unit = name.split(_SPAN)
        return _span(Member(f"{relation}.{start}"), Member(f"{relation}.{end}"), unit)
    if _AGE in name:
        born, _, today = name.partition(_AGE)
        if len(today) == len("2024"):
            return Arithmetic("-", Value(int(today)), Member(f"{relation}.{born}"))
        return _age(Member(f"{relation}.{born}"), int(today))
    return Member(path)


def _span(start: Member, end: Member, unit: str) -> Expression:
    if unit in _WITHIN:
        smaller, size = _WITHIN[unit]
        return Ratio(Difference(smaller, start, end), Value(size))
    if unit == "week":
        return Ratio(Difference("day", start, end), Value(7))
    grain: Grain = unit if unit in get_args(Grain) else "day"  # type: ignore[assignment]  # one of the grains
    return Difference(grain, start, end)


def _age(born: Member, today: int) -> Expression:
    """Birthdays are counted, not days: whole years by the digits of both dates."""
    month_and_day = Arithmetic("+", Arithmetic("*", Value(100), Part(born, "month")), Part(born, "day"))
    written = Arithmetic("+", Arithmetic("*", Value(10000), Part(born, "year")), month_and_day)
    return Call("floor", (Ratio(Arithmetic("-", Value(today), written), Value(10000)),))
