"""Numbers that no column holds and that two columns give: an amount, a sum, the time between two times, an age."""

from __future__ import annotations

from datetime import date

from ..forms import Arithmetic, Call, Expression, Member, Part, Ratio, Value
from .spans import SPAN, Moment, Span, span_in

__all__ = [
    "age_path", "expression_of", "is_derived", "is_product", "is_since", "kept_unit", "members_of",
    "name_of", "relations_of", "span_path", "sum_path", "summed", "years_path",
]  # fmt: skip

_TIMES, _AGE, _PLUS, _LESS = "*", "@", "+", "−"


def is_derived(path: str) -> bool:
    """Whether a path stands for something computed from two members."""
    return any(sign in path for sign in (_TIMES, SPAN, _AGE, _PLUS, _LESS))


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
    """The time from one member to another: ``stays.admitted_at~discharged_at~day``."""
    return Span(Moment(start), Moment(end), unit).path


def is_since(path: str) -> bool:
    """Whether it is the time since the last of several rows, a number of each group as it is."""
    span = span_in(path)
    return span is not None and span.is_since


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
    return path.rsplit(SPAN, 1)[1] if SPAN in path else None


def name_of(path: str) -> str:
    """What is derived, by a name such as columns have: ``age``, ``days_from_ordered_at_to_delivered_at``."""
    name = path.split(".", 1)[1]
    if _AGE in name:
        return "age"
    if (span := span_in(path)) is not None:
        start, end = (m.path.split(".", 1)[1] if m.path else "today" for m in (span.start, span.end))
        return f"{span.unit}s_from_{start}_to_{end}"
    return name.replace(_TIMES, "_times_").replace(_PLUS, "_plus_").replace(_LESS, "_minus_")


def members_of(path: str) -> tuple[str, ...]:
    """The two times that a path goes from and to, or the path itself."""
    span = span_in(path)
    return span.members if span is not None else (path,)


def relations_of(path: str) -> tuple[str, ...]:
    """The relations whose members a path is made of."""
    span = span_in(path)
    return span.relations if span is not None else (path.split(".", 1)[0],)


def expression_of(path: str) -> Expression:
    """What a path stands for: a member, or what is computed."""
    relation, _, name = path.partition(".")
    if _TIMES in name:
        left, _, right = name.partition(_TIMES)
        return Arithmetic("*", Member(f"{relation}.{left}"), Member(f"{relation}.{right}"))
    if pair := summed(path):
        return Arithmetic("+" if _PLUS in name else "-", Member(pair[0]), Member(pair[1]))
    if (span := span_in(path)) is not None:
        return span.expression
    if _AGE in name:
        born, _, today = name.partition(_AGE)
        # Four digits are a year, eight a day: both are written behind the same sign.
        if len(today) == len("2024"):
            return Arithmetic("-", Value(int(today)), Member(f"{relation}.{born}"))
        return _age(Member(f"{relation}.{born}"), int(today))
    return Member(path)


def _age(born: Member, today: int) -> Expression:
    """Birthdays are counted, not days: whole years by the digits of both dates."""
    month_and_day = Arithmetic("+", Arithmetic("*", Value(100), Part(born, "month")), Part(born, "day"))
    written = Arithmetic("+", Arithmetic("*", Value(10000), Part(born, "year")), month_and_day)
    return Call("floor", (Ratio(Arithmetic("-", Value(today), written), Value(10000)),))
